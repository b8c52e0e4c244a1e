//! The documents: every command of README and book is run as it stands there, each document in an empty folder of its own, in order.
//!
//! Commands are the fenced blocks `sh` and `console`. A block that cannot run here has a line before it that says so to readers, too:
//! `*Not run by the tests: REASON.*`. What a document takes for granted stands in a comment `<!-- first … -->` before a block and is run
//! first. Blocks of Python are run by `python/tests/test_documents.py`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A block of commands.
struct Block {
    line: usize,
    commands: String,
    /// What is run before.
    first: String,
    /// Why it is not run.
    not_run: Option<String>,
}

const NOT_RUN: &str = "*Not run by the tests: ";
/// Where the table of commands stands.
const TABLE: &str = "docs/commands.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README and the chapters, in the order of the book.
fn documents() -> Vec<PathBuf> {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let links = summary.split("](").skip(1);
    let chapters = links.map(|link| Path::new("docs").join(link.split(')').next().unwrap()));
    std::iter::once(PathBuf::from("README.md"))
        .chain(chapters)
        .collect()
}

fn read(document: &Path) -> String {
    let path = root().join(document);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Begins a line as a command does?
fn is_command(line: &str) -> bool {
    let programs = [
        "trommel", "cargo", "pip", "python3", "docker", "podman", "npm", "rustup",
    ];
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    // Such as the first word of a sentence in an output.
    programs.contains(&first) && words.next().is_some_and(|word| !word.ends_with(','))
}

/// The blocks of commands of a document.
fn blocks(document: &Path) -> Vec<Block> {
    let text = read(document);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let (mut first, mut not_run, mut at) = (String::new(), None, 0);
    while at < lines.len() {
        let line = lines[at].trim();
        if line == "<!-- first" {
            let end = lines[at..].iter().position(|line| *line == "-->").unwrap();
            first = lines[at + 1..at + end].join("\n");
            at += end;
        } else if let Some(reason) = line.strip_prefix(NOT_RUN) {
            let reason = reason.strip_suffix(".*");
            let reason = reason.unwrap_or_else(|| panic!("{}:{}", document.display(), at + 1));
            not_run = Some(reason.to_owned());
        } else if let Some(info) = line.strip_prefix("```") {
            let body = &lines[at + 1..];
            let end = body.iter().position(|line| line.trim() == "```").unwrap();
            let body = &body[..end];
            match info {
                "sh" | "console" => found.push(Block {
                    line: at + 1,
                    commands: body.join("\n"),
                    first: std::mem::take(&mut first),
                    not_run: not_run.take(),
                }),
                "" => {
                    let command = body.iter().find(|line| is_command(line));
                    let where_ = format!("{}:{}", document.display(), at + 1);
                    assert!(
                        command.is_none(),
                        "{where_}: commands stand in a block `sh`: {command:?}"
                    );
                }
                _ => {}
            }
            at += end + 1;
            assert!(
                not_run.is_none() && first.is_empty(),
                "{}:{}",
                document.display(),
                at + 1
            );
        } else if !line.is_empty() {
            let stray = not_run.is_some() || !first.is_empty();
            assert!(
                !stray,
                "{}:{}: not before a block",
                document.display(),
                at + 1
            );
        }
        at += 1;
    }
    found
}

/// All chapters stand in the summary, and nothing else does.
#[test]
fn the_summary_has_all_chapters() {
    let named: BTreeSet<PathBuf> = documents().into_iter().skip(1).collect();
    let mut there = BTreeSet::new();
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let name = entry.unwrap().file_name();
            let path = folder.join(&name);
            if root().join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "md") && name != "SUMMARY.md" {
                there.insert(path);
            }
        }
    }
    assert_eq!(named, there);
}

/// Links to files lead somewhere. Those of the book stay in it, where they work as a page as well as in a checkout.
#[test]
fn links_lead_to_files() {
    let mut seen = 0;
    for document in documents() {
        let folder = document.parent().unwrap();
        for (number, line) in read(&document).lines().enumerate() {
            for link in line.split("](").skip(1) {
                let target = link.split(')').next().unwrap();
                let path = target.split('#').next().unwrap();
                if path.is_empty() || path.contains("://") {
                    continue;
                }
                seen += 1;
                let there = root().join(folder).join(path).exists();
                let inside = document == Path::new("README.md") || !path.starts_with("..");
                let where_ = format!("{}:{}: {target}", document.display(), number + 1);
                assert!(there && inside, "{where_}");
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

/// Which blocks of which page run here, and why the others do not.
fn table() -> String {
    let mut text = "\
# Commands of these pages

A test runs the commands of the README and of each chapter as they stand there, in an empty folder, in order. What it cannot run has a line
above it that says why, and stands here. The table is made by `TROMMEL_WRITE=1 cargo test --test it table_of_commands`, and a test
compares it.

| page | blocks run | not run | why not |
|---|---:|---:|---|
"
    .to_owned();
    let (mut all_run, mut all_not) = (0, 0);
    for document in documents() {
        let blocks = blocks(&document);
        if blocks.is_empty() {
            continue;
        }
        let not_run = blocks
            .iter()
            .filter(|block| block.not_run.is_some())
            .count();
        let run = blocks.len() - not_run;
        let mut reasons: Vec<&str> = Vec::new();
        for reason in blocks.iter().filter_map(|block| block.not_run.as_deref()) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let name = document.strip_prefix("docs").unwrap_or(&document).display();
        let name = match document.starts_with("docs") {
            true => format!("[{name}]({name})"),
            false => format!("{name}"),
        };
        writeln!(
            text,
            "| {name} | {run} | {not_run} | {} |",
            reasons.join("; ")
        )
        .unwrap();
        all_run += run;
        all_not += not_run;
    }
    writeln!(text, "| all | {all_run} | {all_not} | |").unwrap();
    text
}

#[test]
fn table_of_commands() {
    let path = root().join(TABLE);
    let expected = table();
    if std::env::var_os("TROMMEL_WRITE").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap();
    assert_eq!(found, expected, "{TABLE}: TROMMEL_WRITE=1 makes it anew");
}

#[cfg(unix)]
mod run {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    use std::thread;

    use super::*;

    /// The program, but for two commands that a test cannot run as they are: `serve` would not end, so that it is stopped when it has told
    /// its address, and takes any free port; experiments that a document names are those of the repository.
    const TROMMEL: &str = r#"#!/bin/sh
if [ "$1" != serve ]; then exec "$TROMMEL" "$@"; fi
"$TROMMEL" "$@" --port 0 > serve.out 2> serve.err &
server=$!
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  if grep -q 'http://' serve.out serve.err; then kill -TERM $server; wait $server; exit 0; fi
  sleep 1
done
kill -TERM $server
cat serve.out serve.err >&2
exit 97
"#;

    /// `cargo run --release --` is the program that was built.
    const CARGO: &str = r#"#!/bin/sh
if [ "$1 $2 $3" = "run --release --" ]; then shift 3; exec trommel "$@"; fi
echo "no test runs cargo $*" >&2
exit 98
"#;

    fn script(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs a document's blocks, and gives how many there were and what went wrong.
    fn run(document: &Path, programs: &Path) -> (usize, Option<String>) {
        let place = tempfile::TempDir::new().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", programs.display());
        let mut run = 0;
        for block in blocks(document) {
            if block.not_run.is_some() {
                continue;
            }
            for commands in [&block.first, &block.commands] {
                let mut shell = Command::new("sh");
                shell.args(["-euc", commands]).current_dir(place.path());
                shell
                    .env("PATH", &path)
                    .env("TROMMEL", env!("CARGO_BIN_EXE_trommel"));
                shell.env_remove("TROMMEL_SHARED");
                let output = shell.output().unwrap();
                if !output.status.success() {
                    let error = String::from_utf8_lossy(&output.stderr);
                    let where_ = format!("{}:{}", document.display(), block.line);
                    return (
                        run,
                        Some(format!("{where_}: {}\n{commands}\n{error}", output.status)),
                    );
                }
            }
            run += 1;
        }
        (run, None)
    }

    #[test]
    fn commands_run_as_they_stand() {
        let programs = tempfile::TempDir::new().unwrap();
        script(programs.path(), "trommel", TROMMEL);
        script(programs.path(), "cargo", CARGO);
        let documents = documents();
        let results: Vec<(usize, Option<String>)> = thread::scope(|scope| {
            let programs = programs.path();
            let spawn = |document| scope.spawn(move || run(document, programs));
            let threads: Vec<_> = documents.iter().map(|it| spawn(it.as_path())).collect();
            threads.into_iter().map(|it| it.join().unwrap()).collect()
        });
        let failed: Vec<&String> = results.iter().filter_map(|it| it.1.as_ref()).collect();
        assert!(failed.is_empty(), "{failed:#?}");
        for (document, (run, _)) in documents.iter().zip(&results) {
            println!("{}: {run} blocks run", document.display());
        }
        let run: usize = results.iter().map(|it| it.0).sum();
        assert!(run >= 30, "{run} blocks were run");
    }
}
