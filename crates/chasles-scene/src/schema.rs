//! The JSON schema of scene files, for editors.

use std::io::{self, Write};

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;

use crate::file::SceneFile;

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
