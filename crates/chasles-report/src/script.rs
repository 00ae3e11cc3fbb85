//! The script of pages: modules of JavaScript, joined into one.
//!
//! A browser that has the modules as files loads them as they are; a page that is one file cannot.
//! No two modules have a name of their own in common, so joined they need no bundler: what imports
//! and exports between them is left out.

/// The modules in parts, each of which uses those before it but for functions.
pub(crate) const MODULES: [&str; 16] = [
    include_str!("page/motion.js"),
    include_str!("page/model.js"),
    include_str!("page/camera.js"),
    include_str!("page/viewer.js"),
    include_str!("page/gestures.js"),
    include_str!("page/plots.js"),
    include_str!("page/pixels.js"),
    include_str!("page/screen.js"),
    include_str!("page/table.js"),
    include_str!("page/explain.js"),
    include_str!("page/space.js"),
    include_str!("page/ground.js"),
    include_str!("page/parts.js"),
    include_str!("page/input.js"),
    include_str!("page/page.js"),
    include_str!("page/outside.js"),
];

/// The modules as one script that begins by itself.
pub(crate) fn script() -> String {
    wrapped(MODULES.iter().map(|module| joinable(module)).collect(), "start")
}

/// Joined modules that begin with a call.
pub(crate) fn wrapped(joined: String, call: &str) -> String {
    format!("(() => {{\n\"use strict\";\n{joined}\n{call}();\n}})();")
}

/// A module without its imports, and with its exports as plain names.
///
/// An import begins a line and ends with a semicolon; an export is the first word of a line.
pub(crate) fn joinable(module: &str) -> String {
    let mut out = String::with_capacity(module.len());
    let mut is_import = false;
    for line in module.lines() {
        is_import |= line.starts_with("import ");
        if !is_import {
            out.push_str(line.strip_prefix("export ").unwrap_or(line));
            out.push('\n');
        }
        is_import &= !line.ends_with(';');
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_joins_modules_is_left_out() {
        let module = "// One.\nimport {\n  a,\n} from \"./a.js\";\n\nexport const b = a;\nb();\n";
        assert_eq!(joinable(module), "// One.\n\nconst b = a;\nb();\n");
    }

    #[test]
    fn no_two_modules_have_a_name_in_common() {
        let mut names = BTreeSet::new();
        for line in script().lines() {
            let mut words = line.split([' ', '(', ';']);
            let kind = words.next().unwrap_or_default();
            if ["const", "let", "class", "function"].contains(&kind) {
                let name = words.next().expect("what is declared has a name").to_string();
                assert!(names.insert(name.clone()), "{name} is declared twice");
            }
        }
        assert!(names.len() > 100, "{} names", names.len());
    }
}
