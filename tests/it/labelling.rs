//! Labels that several processes add at once, and processes that are killed while they replace some.
//!
//! `cargo test --release --test it labelling -- --ignored --nocapture` does it with twenty processes on 600,000 tiny pages, and with
//! sixty kills.

use std::fmt::Write as _;
use std::fs;
use std::process::Child;
use std::thread;
use std::time::Duration;

use trommel::index::{Index, Manifest, check};

use crate::cli::Place;
use crate::made;
use crate::support::Random;

/// Extractors that need nothing but the page.
const EXTRACTORS: [&str; 20] = [
    "keep-everything",
    "min-words-10",
    "min-words-15",
    "min-density-10.5",
    "max-link-density-0.33",
    "cleaneval-rule",
    "largest-content",
    "main-content",
    "boilerpipe-numwords",
    "boilerpipe-density",
    "boilerpipe-default",
    "boilerpipe-article",
    "boilerpipe-sentences",
    "boilerpipe-largest",
    "boilerpipe-canola",
    "bte",
    "justext",
    "block-fusion",
    "content-tree",
    "trommel",
];

/// A place with an index `ix` of so many pages of one line, `pages.jsonl`.
fn tiny(pages: usize) -> Place {
    let place = Place::empty();
    let mut lines = String::new();
    for n in 0..pages {
        let text = format!("word{} rain barrel {}", n % 997, n % 13).repeat(1 + n % 3);
        let line =
            serde_json::json!({"docid": format!("d{n}"), "html": format!("<p>{text}<p>frost {n}")});
        writeln!(lines, "{line}").unwrap();
    }
    place.write("pages.jsonl", lines);
    place.check("index --index ix pages.jsonl", 0, "", "ix: ");
    place
}

fn start(place: &Place, line: &str) -> Child {
    let words: Vec<&str> = line.split_whitespace().collect();
    place.command(&words).spawn().unwrap()
}

/// Starts a `label` for each of these extractors at once: the index then has the labels of all, each as it would be alone.
fn label_at_once(place: &Place, extractors: &[&str]) {
    let line = |name: &&str| format!("label --index ix --threads 1 --extractor {name}");
    let children: Vec<Child> = extractors
        .iter()
        .map(|name| start(place, &line(name)))
        .collect();
    // A reader that opens the index meanwhile finds one that is whole.
    place.check("search --index ix rain", 0, "*", "");
    for (name, child) in extractors.iter().zip(children) {
        let done = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{name}: {err}");
    }
    let manifest = Manifest::read(&place.path("ix")).unwrap();
    let mut names: Vec<&str> = manifest.extractors.iter().map(|set| &*set.name).collect();
    names.sort_unstable();
    let mut expected = extractors.to_vec();
    expected.sort_unstable();
    assert_eq!(names, expected);
    place.check("check --index ix", 0, "", "sound");
}

/// The manifest was read before the lock was taken, and what another process had added was lost.
#[test]
fn concurrent_labels_are_all_kept() {
    let place = tiny(400);
    label_at_once(&place, &EXTRACTORS[..6]);
    // What was added one after another is the same.
    let alone = tiny(400);
    for name in &EXTRACTORS[..6] {
        alone.check(&format!("label --index ix --extractor {name}"), 0, "", "*");
    }
    assert_eq!(
        made::labels(&place.path("ix")),
        made::labels(&alone.path("ix"))
    );
}

#[test]
#[ignore = "takes minutes; release build"]
fn twenty_labels_at_once() {
    let place = tiny(600_000);
    label_at_once(&place, &EXTRACTORS);
    let manifest = Manifest::read(&place.path("ix")).unwrap();
    for set in &manifest.extractors {
        println!("{}: {} content blocks", set.name, set.content_blocks);
    }
}

/// What the verdicts of a label set are: those of every page, and the number that the manifest has.
fn verdicts(place: &Place, name: &str) -> (Vec<bool>, u64) {
    let index = Index::open(&place.path("ix")).unwrap();
    let sets = index.manifest.extractors.iter();
    let content = sets
        .filter(|set| set.name == name)
        .map(|set| set.content_blocks);
    let content = content.sum();
    let pages = 0..index.num_pages() as u32;
    let of_page = |page| index.page_verdicts(page, name).unwrap().content();
    (pages.flat_map(of_page).collect(), content)
}

/// Kills processes that replace labels, at seeded moments. Whatever is there then is the old labels or the new ones, and what the
/// killed have left is named by `check`, and removed by the next that writes.
fn kill_replacing(place: &Place, kills: usize, seed: u64) -> [usize; 4] {
    let line = |extractor: &str| {
        format!("label --index ix --threads 1 --extractor {extractor} --as x --replace")
    };
    // With and without confidences, so that files come and go.
    let extractors = ["min-words-10", "trommel"];
    let sets: Vec<_> = extractors
        .iter()
        .map(|extractor| {
            place.check(&line(extractor), 0, "", "x: ");
            verdicts(place, "x")
        })
        .collect();
    assert_ne!(sets[0], sets[1]);
    let mut random = Random::new(seed);
    let [mut old, mut new, mut left, mut ended] = [0; 4];
    let mut now = 1;
    while old + new < kills {
        let other = 1 - now;
        let mut child = start(place, &line(extractors[other]));
        // The critical moments come when the first file of labels does.
        let labels = place.path("ix/labels");
        let is_temporary = |name: &str| name.ends_with(".bits.tmp");
        let at_write = random.below(4) > 0;
        loop {
            let names = fs::read_dir(&labels).unwrap().flatten();
            let mut names = names.map(|entry| entry.file_name().into_string().unwrap());
            if !at_write || names.any(|name| is_temporary(&name)) {
                break;
            }
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        let most = if at_write { 4_000 } else { 400_000 };
        thread::sleep(Duration::from_micros(u64::from(random.below(most))));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            (now, ended) = (other, ended + 1);
            continue;
        }
        let found = verdicts(place, "x");
        assert!(
            sets.contains(&found),
            "neither the old labels nor the new ones"
        );
        match found == sets[now] {
            true => old += 1,
            false => (now, new) = (other, new + 1),
        }
        let problems = check(&place.path("ix"), false).unwrap().problems;
        let is_left = |what: &str| what.contains("it is left from a build");
        assert!(
            problems.iter().all(|problem| is_left(&problem.what)),
            "{problems:?}"
        );
        left += usize::from(!problems.is_empty());
    }
    place.check(&line(extractors[0]), 0, "", "x: ");
    place.check("check --index ix", 0, "", "sound");
    assert_eq!(made::labels(&place.path("ix")).len(), 1);
    [old, new, left, ended]
}

/// A kill between the renames of two files left the verdicts of one extractor under the name of another.
#[test]
fn killed_while_replacing() {
    let place = tiny(300);
    kill_replacing(&place, 4, 7);
}

#[test]
#[ignore = "takes minutes; release build"]
fn sixty_killed_while_replacing() {
    let place = tiny(20_000);
    let [old, new, left, ended] = kill_replacing(&place, 60, 2010);
    println!(
        "{} kills: {old} left the old labels, {new} the new ones; {left} left files that are not listed; \
         {ended} came too late",
        old + new
    );
}

/// `*.tmp` and files of labels that are not listed are named by `check`, and removed by whoever writes next; other files stay.
#[test]
fn what_killed_processes_left_is_named_and_removed() {
    let place = tiny(20);
    place.check("label --index ix --extractor bte", 0, "", "bte: ");
    place.write("ix/labels/pending.tmp", "left");
    place.write("ix/labels/bte.0123456789abcdef.bits", "left");
    place.write("ix/manifest.json.tmp", "{");
    let done = place.check(
        "check --index ix",
        1,
        "it is left from a build",
        "3 problems",
    );
    for name in [
        "pending.tmp",
        "bte.0123456789abcdef.bits",
        "manifest.json.tmp",
    ] {
        assert!(done.out.contains(name), "{}", done.out);
    }
    place.write("ix/labels/mine.txt", "mine");
    place.check(
        "label --index ix --extractor min-words-10",
        0,
        "",
        "min-words-10: ",
    );
    place.check("check --index ix", 1, "mine.txt", "1 problem");
    assert!(place.path("ix/labels/mine.txt").exists());
}

/// Links that somebody has put into an index lead no writer anywhere.
#[cfg(unix)]
#[test]
fn links_in_a_foreign_index_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = tiny(20);
    place.write("victim", "whole");
    let victim = place.path("victim");
    fs::create_dir_all(place.path("ix/labels")).unwrap();
    let lock = place.path("ix/trommel.lock");
    fs::remove_file(&lock).unwrap();
    symlink(&victim, &lock).unwrap();
    place.check(
        "label --index ix --extractor bte",
        2,
        "",
        "trommel.lock: it is a link",
    );
    fs::remove_file(&lock).unwrap();
    for name in [
        "manifest.json.tmp",
        "labels/pending.tmp",
        "labels/bte.bits.tmp",
    ] {
        symlink(&victim, place.path("ix").join(name)).unwrap();
    }
    place.check("label --index ix --extractor bte", 0, "", "bte: ");
    place.check("check --index ix", 0, "", "sound");
    // A directory of somebody's in the place of ours.
    place.write("theirs/a.bits", "whole");
    fs::remove_dir_all(place.path("ix/labels")).unwrap();
    symlink(place.path("theirs"), place.path("ix/labels")).unwrap();
    place.check(
        "label --index ix --replace --extractor bte",
        2,
        "",
        "it is a link",
    );
    assert_eq!(fs::read(&victim).unwrap(), b"whole");
    assert_eq!(fs::read(place.path("theirs/a.bits")).unwrap(), b"whole");
    assert!(fs::symlink_metadata(&victim).unwrap().is_file());
}

/// The index is found with its sources from any directory, moved with them, and told where they are.
#[test]
fn sources_are_found_from_any_directory() {
    let place = Place::empty();
    for name in ["work/pages/a.html", "work/pages/sub/b.html"] {
        place.write(
            name,
            "<body><p>apple pear plum rain barrel frost apple pear plum rain barrel",
        );
    }
    place.write("elsewhere/note", "");
    let run = |folder: &str, line: &str, code: i32, err: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut command = place.command(&words);
        let done = command.current_dir(place.path(folder)).output().unwrap();
        let text = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{line}: {text}");
        assert!(text.contains(err), "{line}: {text}");
    };
    run("work", "index --index out/ix pages", 0, "2 pages");
    run("work", "label --index out/ix --extractor bte", 0, "bte: ");
    run(
        "elsewhere",
        "label --index ../work/out/ix --extractor min-words-10",
        0,
        "2 of 2",
    );
    run(
        "elsewhere",
        "check --sources --index ../work/out/ix",
        0,
        "2 source files",
    );
    fs::rename(place.path("work"), place.path("moved")).unwrap();
    run(
        "elsewhere",
        "label --index ../moved/out/ix --extractor justext",
        0,
        "justext: ",
    );
    // The sources alone are moved.
    fs::rename(place.path("moved/pages"), place.path("elsewhere/pages")).unwrap();
    let line = "label --index moved/out/ix --extractor keep-everything";
    run(".", line, 2, "it is no file (any more)");
    run(
        ".",
        &format!("{line} --sources moved"),
        2,
        "it is not in moved",
    );
    run(
        ".",
        &format!("{line} --sources elsewhere/pages"),
        0,
        "2 of 2",
    );
    // Beside the index.
    fs::rename(place.path("elsewhere/pages"), place.path("moved/out/pages")).unwrap();
    run(
        ".",
        "label --index moved/out/ix --extractor main-content",
        0,
        "main-content: ",
    );
}

/// A link that leads nowhere, a pipe, a socket in a directory of pages is one line of the ledger, and keeps nobody from labelling
/// the pages, or from resuming.
#[cfg(unix)]
#[test]
fn what_is_no_file_does_not_block_label_and_resume() {
    let place = Place::empty();
    place.write("pages/b.html", "<body><p>apple pear plum rain barrel frost");
    std::os::unix::fs::symlink("nowhere", place.path("pages/a.html")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(place.path("pages/c.html")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("pages/d.html"))
        .status();
    assert!(made.unwrap().success());
    assert_eq!(place.run("index --index ix pages").code, 1);
    place.check("label --index ix --extractor bte", 0, "", "bte: ");
    place.check(
        "label --index ix --extractor justext pages",
        0,
        "",
        "justext: ",
    );
    assert_eq!(place.run("index --index ix --resume pages").code, 1);
    assert_eq!(place.run("index --index ix --resume").code, 1);
    place.check("check --index ix --sources", 0, "", "sound");
}

/// Whoever may read the files of an index by the umask may read all of them; else the error says which and what to do.
#[cfg(unix)]
#[test]
fn indexes_have_the_rights_that_the_umask_gives() {
    use std::os::unix::fs::PermissionsExt;
    let place = tiny(20);
    place.check("label --index ix --extractor trommel", 0, "", "*");
    place.check("merge --index merged ix", 0, "", "merged: ");
    let rights = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let expected = rights(&place.path("pages.jsonl"));
    for index in ["ix", "merged"] {
        for file in made::files(&place.path(index)) {
            assert_eq!(rights(&file), expected, "{}", file.display());
        }
    }
    let files = made::files(&place.path("ix"));
    let list = files
        .iter()
        .find(|file| file.ends_with("meta.json"))
        .unwrap();
    fs::set_permissions(list, fs::Permissions::from_mode(0o0)).unwrap();
    // Who may do anything may read it for all that.
    if fs::read(list).is_err() {
        let done = place.check(
            "search --index ix rain",
            2,
            "",
            "meta.json: Permission denied",
        );
        assert!(done.err.contains("chmod -R a+rX"), "{}", done.err);
    }
}
