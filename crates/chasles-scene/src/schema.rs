//! The JSON schema of scene files, for editors. An editor does not know what a scene is for, so a
//! body has the keys of all uses there.

use std::borrow::Cow;
use std::io::{self, Write};

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::file::{CollideKeys, CommonKeys, MatterKeys, SceneFile};
use crate::simulate::SimulateKeys;
use crate::trace::TraceKeys;

/// Writes the JSON schema of scene files.
pub fn write_schema(out: &mut dyn Write) -> io::Result<()> {
    let for_toml = |schema: &mut Schema| {
        // TOML has no null, so none can be a default.
        if schema.get("default").is_some_and(|default| default.is_null()) {
            schema.remove("default");
        }
        // Editors show descriptions as they are, so the links of rustdoc are plain words.
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.replace("[`", "`").replace("`]", "`");
        }
    };
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(for_toml));
    let schema = settings.into_generator().into_root_schema_for::<SceneFile>();
    serde_json::to_writer_pretty(&mut *out, &schema)?;
    writeln!(out)
}

/// A body of a scene for any use.
pub(crate) struct AnyBody;

impl JsonSchema for AnyBody {
    fn schema_name() -> Cow<'static, str> {
        "BodyEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({
            "description": "One body: what it looks like and how it moves.",
            "type": "object",
            "additionalProperties": false
        });
        // `twist` stands in two of them, and is described where it moves a body through a step.
        let parts = [
            SimulateKeys::json_schema(generator),
            TraceKeys::json_schema(generator),
            MatterKeys::json_schema(generator),
            CollideKeys::json_schema(generator),
            CommonKeys::json_schema(generator),
        ];
        let mut all = serde_json::Map::new();
        for part in parts {
            if let Some(Value::Object(keys)) = part.get("properties") {
                all.extend(keys.clone());
            }
        }
        schema.insert("properties".to_string(), Value::Object(all));
        rules(&mut schema);
        schema
    }
}

/// Which keys of a body exclude or need each other.
fn rules(schema: &mut Schema) {
    schema.insert(
        "oneOf".to_string(),
        json!([
            { "required": ["mesh"] }, { "required": ["shape"] }, { "required": ["frames"] },
            { "required": ["solid"] }, { "required": ["sdf"] }, { "required": ["expression"] }
        ]),
    );
    schema.insert(
        "not".to_string(),
        json!({ "anyOf": [
    { "required": ["end", "twist"] },
    { "required": ["end", "flight"] },
    { "required": ["twist", "flight"] },
    { "required": ["frames", "flight"] },
    { "required": ["flight", "moving"] },
    { "required": ["frames", "start"] },
    { "required": ["frames", "end"] },
    { "required": ["frames", "twist"] },
    { "required": ["frames", "moving"] },
    { "required": ["end", "moving"] },
    { "required": ["twist", "moving"] },
    { "required": ["solid", "moving"] },
    { "required": ["sdf", "moving"] },
    { "required": ["expression", "moving"] },
    { "required": ["walk", "translate"] },
    { "required": ["walk", "rotate"] },
    { "required": ["keyframes", "twist"] },
    { "required": ["keyframes", "start"] },
    { "required": ["density", "mass"] }
] }),
    );
    schema.insert(
        "dependentRequired".to_string(),
        json!({
            "translate": ["moving"], "rotate": ["moving"], "portions": ["translate", "rotate"],
            "walk": ["moving"], "weld": ["mesh"],
            "bounds": ["expression"], "inertia": ["mass"], "centre": ["inertia"],
            "keyframes": ["kind"], "until": ["kind"]
        }),
    );
    schema.insert(
        "if".to_string(),
        json!({
            "required": ["self_collision"], "properties": { "self_collision": { "const": true } }
        }),
    );
    schema.insert("then".to_string(), json!({ "required": ["frames"] }));
}
