//! What commands write: never over what they read, whole or not at all, and over nothing that is not their own. docs/outputs.md has
//! the rule.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use crate::cli::{Done, Place};

const PAGE: &str = "<title>Barrels</title><p>A rain barrel under the downspout keeps water for dry weeks, and a lid keeps the gnats \
    out of it all summer long.</p>";
const NOTES: &str = "my own notes\n";
const RUN: &str = "run --index ix --topics topics.txt";
const SWEEP: &str = "sweep --index ix --topics topics.txt --qrels qrels.txt --vary min-words=5";

/// A place with pages, an index of them, topics and judgments.
fn place() -> Place {
    let place = Place::empty();
    place.warc("tiny.warc.gz", &[("d1", PAGE), ("d2", PAGE)]);
    place.write("pages/A.html", PAGE);
    place.write("pages/B.html", PAGE);
    place.write("gold/A.txt", "A rain barrel");
    place.write("topics.txt", "7:rain barrel\n");
    place.write("qrels.txt", "7 0 d1 1\n7 0 d2 0\n");
    place.check("index --index ix tiny.warc.gz", 0, "", "ix: 2 pages");
    place
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A command that fails leaves what was at its output, and nothing beside it.
#[track_caller]
fn check_kept(place: &Place, line: &str, file: &str, err: &str) -> Done {
    let before = fs::read(place.path(file)).unwrap();
    let folder = place.path(file).parent().unwrap().to_owned();
    let around = names(&folder);
    let done = place.check(line, 2, "*", err);
    assert!(
        fs::read(place.path(file)).unwrap() == before,
        "{line}: {file} has changed"
    );
    assert_eq!(names(&folder), around, "{line}");
    done
}

/// `run --extractor nope --output keep.run` emptied keep.run.
#[test]
fn a_run_that_fails_leaves_the_old_one() {
    let place = place();
    place.check(&format!("{RUN} --output keep.run"), 0, "", "");
    check_kept(
        &place,
        &format!("{RUN} --extractor nope --output keep.run"),
        "keep.run",
        "no labels of 'nope'",
    );
    check_kept(
        &place,
        &format!("{RUN} --tag #x --output keep.run"),
        "keep.run",
        "run tag",
    );
    // Once more it is a run of ours, which may be replaced.
    let before = fs::read(place.path("keep.run")).unwrap();
    place.check(&format!("{RUN} --output keep.run --tag other"), 0, "", "");
    assert!(fs::read(place.path("keep.run")).unwrap() != before);
}

/// A file that a command reads was emptied before it was read: topics, models, outputs of tools, pages.
#[test]
fn what_is_read_is_not_written_to() {
    let place = place();
    place.write(
        "ext.jsonl",
        "{\"docid\":\"A\",\"text\":\"A rain barrel\"}\n",
    );
    place.check("learn onion --output m pages", 0, "", "m: ");
    fs::hard_link(place.path("topics.txt"), place.path("hard")).unwrap();
    for (line, file) in [
        (format!("{RUN} --output topics.txt"), "topics.txt"),
        (format!("{RUN} --output ./ix/../topics.txt"), "topics.txt"),
        (format!("{RUN} --output hard"), "hard"),
        (
            format!("{RUN} --output ix/manifest.json"),
            "ix/manifest.json",
        ),
        (
            "learn onion --output pages/A.html pages".to_owned(),
            "pages/A.html",
        ),
        (
            "extract --extractor external:o=ext.jsonl --output ext.jsonl pages".to_owned(),
            "ext.jsonl",
        ),
        (
            "extract --extractor onion:m --output m pages".to_owned(),
            "m",
        ),
        (
            "extract --output tiny.warc.gz tiny.warc.gz".to_owned(),
            "tiny.warc.gz",
        ),
        (
            "score --gold gold --format text --pages pages --extractors bte --plot pages/A.svg"
                .to_owned(),
            "pages/A.svg",
        ),
        (
            "train tree --gold gold --format text --pages pages --output gold/A.txt".to_owned(),
            "gold/A.txt",
        ),
        (
            "train trommel --gold gold --format text --pages pages --output pages/A.html"
                .to_owned(),
            "pages/A.html",
        ),
    ] {
        if file == "pages/A.svg" {
            fs::hard_link(place.path("pages/A.html"), place.path(file)).unwrap();
        }
        for line in [line.clone(), format!("{line} --force")] {
            let done = check_kept(&place, &line, file, "error: ");
            assert!(done.err.contains("the output "), "{line}: {}", done.err);
        }
        if file == "pages/A.svg" {
            fs::remove_file(place.path(file)).unwrap();
        }
    }
    // A new file in an index is none of ours either.
    place.check(
        &format!("{RUN} --output ix/new.run"),
        2,
        "",
        "the output lies in the index ix",
    );
    place.check(
        &format!("{SWEEP} --output ix/sweep"),
        2,
        "",
        "the output lies in the index ix",
    );
    // Nor is one in an index that is not read.
    place.check("index --index other tiny.warc.gz", 0, "", "*");
    for name in ["new.run", "manifest.json", "parts/new.run"] {
        place.check(
            &format!("{RUN} --force --output other/{name}"),
            2,
            "",
            "the output lies in the index ",
        );
    }
}

/// Through a link, the file that it leads to was emptied.
#[cfg(unix)]
#[test]
fn links_are_looked_through() {
    use std::os::unix::fs::symlink;
    let place = place();
    symlink("topics.txt", place.path("link")).unwrap();
    check_kept(
        &place,
        &format!("{RUN} --output link"),
        "topics.txt",
        "the output is the file of topics",
    );
    symlink("later.run", place.path("dangling")).unwrap();
    place.check(&format!("{RUN} --output dangling"), 0, "", "");
    assert!(
        fs::symlink_metadata(place.path("dangling"))
            .unwrap()
            .is_symlink()
    );
    assert!(
        fs::read_to_string(place.path("later.run"))
            .unwrap()
            .starts_with("7 Q0 ")
    );
}

/// Any file was replaced by any other.
#[test]
fn only_what_is_ours_is_replaced_without_force() {
    let place = place();
    let extract = "extract --extractor keep-everything --format";
    let train = "train tree --gold gold --format text --pages pages --min-leaf 1 --pruning-parts 0";
    let score = "score --gold gold --format text --pages pages --extractors bte,keep-everything";
    for (line, is_told) in [
        (format!("{RUN} --output FILE"), true),
        ("learn templates --output FILE pages".to_owned(), true),
        (format!("{train} --output FILE"), true),
        (format!("{score} --plot FILE"), true),
        (format!("{extract} json --output FILE pages"), true),
        (format!("{extract} html --output FILE pages"), true),
        (format!("{extract} wet --output FILE pages"), true),
        // Nothing tells one text from another.
        (format!("{extract} text --output FILE pages"), false),
    ] {
        let line = line.replace("FILE", "out.svg");
        place.write("out.svg", NOTES);
        let done = check_kept(&place, &line, "out.svg", "the file is there already");
        assert!(
            done.err
                .contains("hint: name another output; --force replaces this one"),
            "{}",
            done.err
        );
        place.check(&format!("{line} --force"), 0, "*", "*");
        let written = fs::read(place.path("out.svg")).unwrap();
        assert!(written != NOTES.as_bytes(), "{line}");
        let code = if is_told { 0 } else { 2 };
        place.check(&line, code, "*", "*");
        assert!(
            fs::read(place.path("out.svg")).unwrap() == written,
            "{line}"
        );
        place.write("out.svg", "");
        place.check(&line, 0, "*", "*");
        assert!(
            fs::read(place.path("out.svg")).unwrap() == written,
            "{line}"
        );
        fs::remove_file(place.path("out.svg")).unwrap();
    }
    assert!(
        !names(&place.path(""))
            .iter()
            .any(|name| name.contains(".part"))
    );
}

/// `sweep --output DIR` wrote over a report.html of one's own.
#[test]
fn a_directory_of_other_files_is_no_place_for_a_report() {
    let place = place();
    place.write(
        "e.toml",
        "kind = \"sweep\"\ntitle = \"t\"\n[input]\ncollection = \"demo\"\ntopics = \"topics.txt\"\nqrels = \"qrels.txt\"\n\
         [options]\nmodels = [\"bm25\"]\nmeasures = [\"P@10\"]\nvary = [\"min-words=5\"]\n",
    );
    for (line, again) in [
        (SWEEP, 2),
        ("stats --index ix", 0),
        ("experiment e.toml", 0),
        ("demo", 2),
    ] {
        let line = format!("{line} --output out");
        place.write("out/report.html", NOTES);
        check_kept(
            &place,
            &line,
            "out/report.html",
            "the directory is not empty, and holds no ",
        );
        assert_eq!(names(&place.path("out")), ["report.html"], "{line}");
        place.check(&format!("{line} --force"), 0, "*", "*");
        // Now it is ours. A sweep's steps and an index are kept still.
        place.check(&line, again, "*", "*");
        fs::remove_dir_all(place.path("out")).unwrap();
        fs::create_dir(place.path("out")).unwrap();
        place.check(&line, 0, "*", "*");
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

/// `--force` replaces a sweep, but does not mix the runs of two.
#[test]
fn a_sweep_is_gone_on_with_or_replaced() {
    let place = place();
    let line = format!("{SWEEP} --output out");
    place.check(&line, 0, "*", "");
    let err = "out holds a sweep already; --resume goes on with it, --force replaces it";
    check_kept(&place, &line, "out/sweep.json", err);
    place.check(&format!("{line} --resume"), 0, "*", "");
    place.check(&format!("{line} --force"), 0, "*", "");
    place.check(&format!("{line} --force --runs"), 0, "*", "*");
    check_kept(
        &place,
        &format!("{line} --force --runs"),
        "out/sweep.json",
        "out/runs holds run files already",
    );
}

/// The name of a plot did not matter: `--plot x.pdf` wrote SVG.
#[test]
fn a_plot_is_svg() {
    let place = place();
    let score = "score --gold gold --format text --pages pages --extractors bte --plot";
    place.check(
        &format!("{score} x.pdf"),
        2,
        "",
        "x.pdf: the plot is SVG; name it x.svg",
    );
    assert!(!place.path("x.pdf").exists());
    place.check(&format!("{score} x.svg"), 0, "*", "");
}

/// What cannot be written is told before the work.
#[test]
fn places_that_cannot_be_written_to() {
    let place = place();
    for (output, err) in [
        ("no/such/dir", "no/such/dir: there is no directory no/such"),
        ("pages", "pages: the output is a directory"),
        (
            "topics.txt/x",
            "topics.txt/x: there is no directory topics.txt",
        ),
    ] {
        place.check(&format!("{RUN} --output {output}"), 2, "", err);
        // A directory gets a file a page, but not among the pages.
        let of_extract = match output {
            "pages" => "pages: the output holds one of the inputs",
            _ => err,
        };
        place.check(
            &format!("extract --output {output} pages"),
            2,
            "",
            of_extract,
        );
        place.check(&format!("learn onion --output {output} pages"), 2, "", err);
    }
    for line in [SWEEP, "stats --index ix", "demo"] {
        let err = "a directory is wanted, and it is a file";
        place.check(&format!("{line} --output topics.txt"), 2, "", err);
    }
}

/// A full disk left a run that was cut off. A file must not become longer than half a KiB here, as on a disk with no more room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let place = place();
    place.check("demo --output demo", 0, "*", "");
    let run = "run --index demo/index --topics demo/demo.topics.xml";
    place.check(&format!("{RUN} --output out.run"), 0, "", "");
    place.write("m", "{\"model\":\"onion\",\"version\":1}");
    for (line, file) in [
        (format!("{run} --output out.run"), "out.run"),
        (
            "learn templates:threshold=2 --output m demo/demo.warc.gz".to_owned(),
            "m",
        ),
    ] {
        let before = fs::read(place.path(file)).unwrap();
        let around = names(&place.path(""));
        let program = env!("CARGO_BIN_EXE_trommel");
        let script = format!("trap '' XFSZ; ulimit -f 1; exec {program} {line}");
        let mut command = place.shell(&script);
        let output = command.output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {err}");
        assert!(err.contains("File too large"), "{line}: {err}");
        assert!(err.contains("hint: free space there"), "{line}: {err}");
        assert!(fs::read(place.path(file)).unwrap() == before, "{line}");
        assert_eq!(names(&place.path("")), around, "{line}");
    }
    place.check(
        &format!("{run} --output /dev/full"),
        2,
        "",
        "No space left on device",
    );
    place.check(
        "learn onion --output /dev/full pages",
        2,
        "",
        "No space left on device",
    );
}

/// What is no file is written to, and stays what it is.
#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_written_to() {
    use std::os::unix::fs::FileTypeExt;
    let place = place();
    let run = place.check(RUN, 0, "7 Q0 ", "").out;
    for output in ["-", "/dev/stdout", "/proc/self/fd/1"] {
        let done = place.check(&format!("{RUN} --output {output}"), 0, "7 Q0 ", "");
        assert_eq!(done.out, run, "{output}");
    }
    place.check(&format!("{RUN} --output /dev/null"), 0, "", "");
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    // The shell's file is written to where it stands, not replaced.
    let program = env!("CARGO_BIN_EXE_trommel");
    let script = format!(
        "(echo before; {program} {RUN} --output /dev/stdout; echo behind) > shell.txt; mkfifo pipe"
    );
    assert!(place.shell(&script).status().unwrap().success());
    let written = fs::read_to_string(place.path("shell.txt")).unwrap();
    assert_eq!(written, format!("before\n{run}behind\n"));
    let line: Vec<String> = format!("{RUN} --output pipe")
        .split(' ')
        .map(str::to_owned)
        .collect();
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let child = place.command(&line).stdout(Stdio::null()).spawn().unwrap();
    let mut piped = String::new();
    fs::File::open(place.path("pipe"))
        .unwrap()
        .read_to_string(&mut piped)
        .unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(piped, run);
    let kind = fs::metadata(place.path("pipe")).unwrap().file_type();
    assert!(kind.is_fifo());
}

/// A new file has the rights that the umask leaves, and one that is replaced keeps its own.
#[cfg(unix)]
#[test]
fn the_rights_of_files() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    let mode = || {
        fs::metadata(place.path("out.run"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    let program = env!("CARGO_BIN_EXE_trommel");
    let script = format!("umask 027; {program} {RUN} --output out.run");
    assert!(place.shell(&script).status().unwrap().success());
    assert_eq!(mode(), 0o640);
    fs::set_permissions(place.path("out.run"), fs::Permissions::from_mode(0o604)).unwrap();
    place.check(&format!("{RUN} --output out.run"), 0, "", "");
    assert_eq!(mode(), 0o604);
}
