//! Which keys a body has: those of every scene, and those of the use that the scene is for.
//!
//! The table of a body is sorted by its keys, each part is read as its own type, and a key that no
//! part has is told: as one of another use, or as unknown, with the one that was meant.

use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::error::{Fault, Problem};
use crate::file::{CollideKeys, CommonKeys, MatterKeys, SceneFile};
use crate::given::Span;
use crate::simulate::SimulateKeys;
use crate::spelling::nearest;
use crate::trace::TraceKeys;
use crate::{strict, words};

/// A body of a scene, as it is written for one use.
#[derive(Debug)]
pub(crate) struct BodyEntry<K> {
    /// What every body may have.
    pub(crate) common: CommonKeys,
    /// What it is made of.
    pub(crate) matter: MatterKeys,
    /// What it has for this use.
    pub(crate) own: K,
}

/// The keys of bodies in scenes for one use.
pub(crate) trait Use: DeserializeOwned {
    /// What is wrong with a body that has a key of another use.
    fn foreign(body: String, key: &'static str) -> Problem;

    /// Fails on a scene that is none for this use, before any key of a body is told as foreign.
    fn check(file: &SceneFile, bodies: &[Spanned<DeTable<'_>>]) -> Result<(), Fault>;
}

/// The keys of bodies that only `chasles collide` has.
pub(crate) fn of_collide() -> &'static [&'static str] {
    keys::<CollideKeys>()
}

/// The keys of bodies that only `chasles trace` has.
pub(crate) fn of_trace() -> &'static [&'static str] {
    keys::<TraceKeys>()
}

impl<K: Use> BodyEntry<K> {
    /// Reads the table of body number `index`.
    ///
    /// *Fails* on keys of another use, on unknown ones, and on values that are not what a key
    /// takes.
    pub(crate) fn read(index: usize, table: Spanned<DeTable<'_>>) -> Result<Spanned<Self>, Fault> {
        let span = table.span();
        let stated_shape = table.get_ref().get("shape").cloned();
        let name = name(index, table.get_ref());
        let [mut common, mut matter, mut own] = [DeTable::new(), DeTable::new(), DeTable::new()];
        for (key, value) in table.into_inner() {
            let is_of = |keys: &[&str]| keys.contains(&key.get_ref().as_ref());
            match () {
                () if is_of(keys::<CommonKeys>()) => common.insert(key, value),
                () if is_of(keys::<MatterKeys>()) => matter.insert(key, value),
                () if is_of(keys::<K>()) => own.insert(key, value),
                () => return Err(Self::refused(name, &key, value.span())),
            };
        }
        let common: CommonKeys = typed(Spanned::new(span.clone(), common))?;
        if let (Some(stated), Some(shape)) = (&stated_shape, &common.shape) {
            strict::check(stated.get_ref(), shape.get_ref())?;
        }
        let matter = typed(Spanned::new(span.clone(), matter))?;
        let own = typed(Spanned::new(span.clone(), own))?;
        Ok(Spanned::new(span, Self { common, matter, own }))
    }

    /// What is wrong with a key that a body of this use does not have.
    fn refused(body: String, key: &Spanned<DeString<'_>>, value: Span) -> Fault {
        let word = key.get_ref().as_ref();
        let others =
            || [keys::<CollideKeys>(), keys::<TraceKeys>(), keys::<SimulateKeys>()].concat();
        if let Some(foreign) = others().into_iter().find(|other| *other == word) {
            return Fault::new(K::foreign(body, foreign), value);
        }
        let known = [keys::<CommonKeys>(), keys::<K>(), keys::<MatterKeys>()].concat();
        let listed: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
        let elsewhere = match nearest(word, known.iter().copied()) {
            Some(_) => None,
            None => nearest(word, others()),
        };
        let elsewhere = elsewhere.map(|key| format!(", or for another command `{key}`"));
        let message = format!(
            "unknown key `{word}`, expected one of {}{}",
            listed.join(", "),
            elsewhere.unwrap_or_default()
        );
        Fault::new(Problem::Format(message), key.span())
    }
}

/// The name of a body, or what it is called without one.
fn name(index: usize, table: &DeTable<'_>) -> String {
    match table.get("name").map(Spanned::get_ref) {
        Some(DeValue::String(name)) => name.to_string(),
        _ => format!("body-{index}"),
    }
}

/// A table as its type.
pub(crate) fn typed<T: DeserializeOwned>(table: Spanned<DeTable<'_>>) -> Result<T, Fault> {
    T::deserialize(toml::Deserializer::from(table)).map_err(|error| words::fault(&error))
}

/// The keys that a type is read from.
fn keys<T: DeserializeOwned>() -> &'static [&'static str] {
    T::deserialize(Asked).err().map_or(&[], |Keys(keys)| keys)
}

/// A reader that has nothing to read, and answers what it was asked for.
struct Asked;

/// The keys that a reader was asked for.
#[derive(Debug)]
struct Keys(&'static [&'static str]);

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Keys {}

impl serde::de::Error for Keys {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for Asked {
    type Error = Keys;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Keys> {
        Err(Keys(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Keys> {
        Err(Keys(fields))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_tell_their_keys() {
        assert_eq!(
            keys::<TraceKeys>(),
            ["moving", "translate", "rotate", "portions", "walk", "tag"]
        );
        assert_eq!(keys::<f64>(), [""; 0]);
    }

    #[test]
    fn uses_share_no_key_but_twist_and_solid() {
        let shared = [keys::<CommonKeys>(), keys::<MatterKeys>()].concat();
        let uses = [keys::<CollideKeys>(), keys::<TraceKeys>(), keys::<SimulateKeys>()];
        for (i, one) in uses.iter().enumerate() {
            assert!(one.iter().all(|key| !shared.contains(key)));
            let again = uses[..i].concat();
            let is_shared = |key: &&str| ["twist", "solid"].contains(key);
            assert!(one.iter().all(|key| is_shared(key) || !again.contains(key)));
        }
    }
}
