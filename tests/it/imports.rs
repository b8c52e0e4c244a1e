//! Which file imports what, from the source text: a graph of files for the tests of layers.
//!
//! Paths are resolved to the file in which the item is defined, through re-exports (`pub use`), so that an import by way of a
//! `mod.rs` counts as one of the file behind it. Unit tests and comments are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file: the crate, and the path of its module in it, empty for `lib.rs`.
pub type FileId = (String, Vec<String>);

/// A name that a file has from elsewhere.
#[derive(Debug, Clone)]
struct Use {
    is_public: bool,
    path: Vec<String>,
    name: String,
}

/// The files of the workspace.
pub struct Files {
    /// Code without comments and unit tests, by file.
    pub code: BTreeMap<FileId, String>,
    uses: BTreeMap<FileId, Vec<Use>>,
}

/// The crates of the workspace, as imports name them, with their folders.
pub fn crates() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut crates = vec![("trommel".to_owned(), root.join("src"))];
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        crates.push((name.replace('-', "_"), folder.join("src")));
    }
    crates.sort();
    crates
}

/// All Rust files below a folder but tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The text up to the unit tests, without comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Parts of a text at commas that stand in no braces.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found.retain(|part| !part.trim().is_empty());
    found
}

/// The paths of a tree of imports with the names that they get: `a::{b, c::{self, d as e}}`.
fn leaves(tree: &str, prefix: &[String], found: &mut Vec<(Vec<String>, String)>) {
    for part in parts(tree) {
        let part = part.trim();
        let path = |text: &str| -> Vec<String> {
            let names = text
                .split("::")
                .map(str::trim)
                .filter(|name| !name.is_empty());
            prefix
                .iter()
                .cloned()
                .chain(names.map(str::to_owned))
                .collect()
        };
        if let Some((before, rest)) = part.split_once('{') {
            let inner = rest.strip_suffix('}').unwrap_or(rest);
            leaves(inner, &path(before), found);
            continue;
        }
        let (text, alias) = match part.split_once(" as ") {
            Some((text, alias)) => (text, Some(alias.trim().to_owned())),
            None => (part, None),
        };
        let mut path = path(text);
        path.pop_if(|last| last == "self");
        let last = path.last().cloned().unwrap_or_default();
        found.push((path, alias.unwrap_or(last)));
    }
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What a text imports, and the text without that.
fn split(text: &str) -> (Vec<Use>, String) {
    let (mut uses, mut rest) = (Vec::new(), String::new());
    let mut statement: Option<String> = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let begins = match words.as_slice() {
            ["use", ..] => true,
            [public, "use", ..] => public.starts_with("pub"),
            _ => false,
        };
        if begins {
            statement = Some(String::new());
        }
        let Some(open) = &mut statement else {
            rest += line;
            rest.push('\n');
            continue;
        };
        *open += line.trim();
        open.push(' ');
        if let Some(whole) = open.trim_end().strip_suffix(';') {
            let (before, tree) = whole.split_once("use ").unwrap();
            let mut paths = Vec::new();
            leaves(tree, &[], &mut paths);
            uses.extend(paths.into_iter().map(|(path, name)| Use {
                is_public: before.trim_start().starts_with("pub"),
                path,
                name,
            }));
            statement = None;
        }
    }
    (uses, rest)
}

impl Files {
    pub fn read() -> Files {
        let mut all = BTreeMap::new();
        for (name, folder) in crates() {
            for path in files(&folder) {
                let module = path.strip_prefix(&folder).unwrap().with_extension("");
                let mut module: Vec<String> = module
                    .iter()
                    .map(|part| part.to_str().unwrap().to_owned())
                    .collect();
                module.pop_if(|last| last == "mod" || last == "lib");
                all.insert(
                    (name.clone(), module),
                    code(&fs::read_to_string(&path).unwrap()),
                );
            }
        }
        Files::of(all)
    }

    /// The graph of some texts.
    pub fn of(texts: BTreeMap<FileId, String>) -> Files {
        let (mut code, mut uses) = (BTreeMap::new(), BTreeMap::new());
        for (file, text) in texts {
            let (own, rest) = split(&text);
            uses.insert(file.clone(), own);
            code.insert(file, rest);
        }
        Files { code, uses }
    }

    /// The crate and the path in it that a path in a file stands for; none if it is of another crate.
    fn absolute(&self, file: &FileId, path: &[String]) -> Option<FileId> {
        let (own, module) = file;
        let (first, rest) = path.split_first()?;
        let below =
            |module: &[String], rest: &[String]| Some((own.clone(), [module, rest].concat()));
        match first.as_str() {
            "crate" => below(&[], rest),
            "self" => below(module, rest),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                below(&module[..module.len().checked_sub(ups)?], &path[ups..])
            }
            name if self.code.contains_key(&(name.to_owned(), Vec::new())) => {
                Some((name.to_owned(), rest.to_vec()))
            }
            _ => {
                let child = [module.as_slice(), std::slice::from_ref(first)].concat();
                let child = self.code.contains_key(&(own.clone(), child));
                child.then(|| below(module, path)).flatten()
            }
        }
    }

    /// The file in which what a path means is defined.
    fn resolve(&self, path: &FileId, depth: usize) -> Option<FileId> {
        let (name, names) = path;
        let mut at = 0;
        while at < names.len()
            && self
                .code
                .contains_key(&(name.clone(), names[..=at].to_vec()))
        {
            at += 1;
        }
        let file = (name.clone(), names[..at].to_vec());
        if !self.code.contains_key(&file) {
            return None;
        }
        let Some(item) = names.get(at).filter(|_| depth < 16) else {
            return Some(file);
        };
        // Children see what their parent imports, too.
        if let Some(found) = self.uses[&file].iter().find(|it| it.name == *item)
            && let Some(mut target) = self.absolute(&file, &found.path)
        {
            target.1.extend_from_slice(&names[at + 1..]);
            return self.resolve(&target, depth + 1);
        }
        // `pub use part::*` of a file that has the item.
        let globs = self.uses[&file].iter().filter(|it| it.name == "*");
        for glob in globs {
            let target = self.absolute(&file, &glob.path[..glob.path.len() - 1])?;
            if self.defines(&target, item) {
                return Some(target);
            }
        }
        Some(file)
    }

    fn defines(&self, file: &FileId, item: &str) -> bool {
        let kinds = ["struct", "enum", "fn", "type", "const", "static", "trait"];
        self.code.get(file).is_some_and(|text| {
            kinds.iter().any(|kind| {
                let definition = format!("{kind} {item}");
                text.match_indices(&definition).any(|(at, _)| {
                    let after = text[at + definition.len()..].chars().next();
                    !after.is_some_and(is_part_of_name)
                })
            })
        })
    }

    /// The paths that a file names: its imports but those that it only passes on, and `a::b` in its code.
    fn named(&self, file: &FileId) -> Vec<Vec<String>> {
        let text = &self.code[file];
        let private = self.uses[file].iter().filter(|it| !it.is_public);
        let mut found: Vec<Vec<String>> = private.map(|it| it.path.clone()).collect();
        let mut rest = text.as_str();
        while let Some(at) = rest.find("::") {
            let before = rest[..at]
                .rfind(|c| !is_part_of_name(c))
                .map_or(0, |at| at + 1);
            let after = &rest[at..];
            let end = after.find(|c: char| !is_part_of_name(c) && c != ':');
            let end = end.unwrap_or(after.len());
            let path = [&rest[before..at], &after[..end]].concat();
            let names = path.split("::").filter(|name| !name.is_empty());
            found.push(names.map(str::to_owned).collect());
            rest = &after[end..];
        }
        for path in &mut found {
            path.pop_if(|last| last == "*");
        }
        found
    }

    /// For each file the files that it imports.
    pub fn imports(&self) -> BTreeMap<&FileId, BTreeSet<FileId>> {
        let of = |file: &FileId| {
            let named = self.named(file).into_iter();
            let found = named.filter_map(|path| {
                let path = self.absolute(file, &path)?;
                self.resolve(&path, 0)
            });
            found.filter(|found| found != file).collect()
        };
        self.code.keys().map(|file| (file, of(file))).collect()
    }
}

/// Sets of files that import each other, directly or by way of others of the set.
pub fn circles(imports: &BTreeMap<&FileId, BTreeSet<FileId>>) -> Vec<Vec<FileId>> {
    let reachable = |from: &FileId| {
        let mut found: BTreeSet<FileId> = BTreeSet::new();
        let mut open = vec![from.clone()];
        while let Some(file) = open.pop() {
            for next in imports.get(&file).into_iter().flatten() {
                if found.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        found
    };
    let reach: BTreeMap<&FileId, BTreeSet<FileId>> = imports
        .keys()
        .map(|file| (*file, reachable(file)))
        .collect();
    let mut left: Vec<&FileId> = reach.keys().copied().collect();
    let mut circles = Vec::new();
    while let Some(file) = left.pop() {
        let both = |other: &&FileId| reach[file].contains(*other) && reach[*other].contains(file);
        let circle: Vec<FileId> = left
            .iter()
            .filter(|it| both(it))
            .map(|it| (*it).clone())
            .collect();
        if !circle.is_empty() {
            left.retain(|it| !circle.contains(it));
            circles.push([circle, vec![file.clone()]].concat());
        }
    }
    circles
}

/// The longest chain of files of which each imports the next.
pub fn longest_chain(imports: &BTreeMap<&FileId, BTreeSet<FileId>>) -> Vec<FileId> {
    fn chain(
        file: &FileId,
        imports: &BTreeMap<&FileId, BTreeSet<FileId>>,
        known: &mut BTreeMap<FileId, Vec<FileId>>,
    ) -> Vec<FileId> {
        if let Some(known) = known.get(file) {
            return known.clone();
        }
        let mut longest = Vec::new();
        for next in imports.get(file).into_iter().flatten() {
            let rest = chain(next, imports, known);
            if rest.len() > longest.len() {
                longest = rest;
            }
        }
        longest.insert(0, file.clone());
        known.insert(file.clone(), longest.clone());
        longest
    }
    let mut known = BTreeMap::new();
    let chains = imports.keys().map(|file| chain(file, imports, &mut known));
    chains.max_by_key(Vec::len).unwrap_or_default()
}

/// A file as messages have it.
pub fn shown((name, module): &FileId) -> String {
    [std::slice::from_ref(name), module.as_slice()]
        .concat()
        .join("::")
}

fn texts(files: &[(&str, &str)]) -> Files {
    let file = |(path, text): &(&str, &str)| {
        let mut names = path.split("::").map(str::to_owned);
        let name = names.next().unwrap();
        ((name, names.collect()), code(text))
    };
    Files::of(files.iter().map(file).collect())
}

#[test]
fn imports_are_found() {
    let files = texts(&[
        ("one", "mod a;\nmod b;\npub use b::{B, c::C as D};"),
        (
            "one::a",
            "use crate::{B, b::c};\nfn f() { super::b::c::C::new(); two::X; }\n// crate::d::E",
        ),
        (
            "one::b",
            "pub mod c;\npub use self::c::C;\nfn g() { c::C }\npub struct B;",
        ),
        ("one::b::c", "use super::super::a::f;\npub struct C;"),
        ("two", "mod x;\npub use x::*;"),
        (
            "two::x",
            "use one::D;\npub struct X;\n#[cfg(test)]\nmod tests {\nuse one::a;}",
        ),
    ]);
    let imports = files.imports();
    let found = |name: &str| {
        let (_, found) = imports
            .iter()
            .find(|(file, _)| shown(file) == name)
            .unwrap();
        found.iter().map(shown).collect::<Vec<_>>()
    };
    assert_eq!(found("one::a"), ["one::b", "one::b::c", "two::x"]);
    assert_eq!(found("one::b"), ["one::b::c"]);
    assert_eq!(found("one::b::c"), ["one::a"]);
    assert_eq!(found("two::x"), ["one::b::c"]);
    assert!(found("one").is_empty());
    let circles = circles(&imports);
    assert_eq!(circles.len(), 1);
    // `x` is of another crate, and in the circle all the same.
    assert_eq!(circles[0].len(), 4);
}
