//! `--cache`: what is kept of filters changes no result, and whatever is wrong with it is told and done without.

use std::fs;
use std::path::PathBuf;

use crate::cli::Place;
use crate::made;

fn indexed() -> Place {
    let place = made::place(2, 60, 0);
    let line = "index --index ix --threads 2 c0.warc.gz c1.warc.gz";
    assert_eq!(place.run(line).code, 0);
    let judged = (0..120).map(|page| format!("{} 0 p-{page:04} {}\n", page % 4 + 1, page % 3));
    place.write("qrels.txt", judged.collect::<String>());
    place
}

fn kept(place: &Place) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.path("cache")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn results_are_the_same_with_a_cache() {
    let place = indexed();
    for line in [
        "search --index ix --json -k 5 --min-words 6 rain barrel",
        "search --index ix --json -k 5 --unit block --min-words 6 rain barrel",
        "run --index ix --topics topics.xml -k 20 --stats collection --model qld+rm3",
        "run --index ix --topics topics.xml -k 20 --threads 4 --weights words/10",
        "sweep --index ix --topics topics.xml --qrels qrels.txt --vary min-words=1..4 --weights words/10",
    ] {
        let without = place.run(line);
        assert_eq!(without.code, 0, "{line}: {}", without.err);
        for _ in 0..2 {
            let with = place.run(&format!("{line} --cache cache"));
            assert_eq!((with.code, with.out), (0, without.out.clone()), "{line}");
            assert!(!with.err.contains("cache"), "{}", with.err);
        }
    }
    assert_eq!(kept(&place).len(), 4);
    // Nothing is kept unless it is asked for, and what is kept beside or within an index is no damage to it.
    assert!(!place.path("ix/cache").exists());
    let line = "search --index ix --cache ix/cache --min-words 6 rain";
    assert_eq!(place.run(line).code, 0);
    place.check("check --index ix", 0, "", "sound");
}

#[test]
fn what_is_wrong_with_a_cache_is_told() {
    let place = indexed();
    let line = "search --index ix --json --cache cache --min-words 6 rain barrel";
    let whole = place.run(line);
    let file = kept(&place).remove(0);
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let told = place.run(line);
    assert_eq!((told.code, &told.out), (0, &whole.out));
    assert!(told.err.starts_with("warning: cache/"), "{}", told.err);
    assert!(
        told.err
            .contains("it is not as it was written; it is made anew")
    );
    assert_eq!(place.run(line).err, whole.err);
    place.write("file", "");
    let told = place.run(&line.replace("--cache cache", "--cache file/cache"));
    assert_eq!((told.code, &told.out), (0, &whole.out));
    assert!(told.err.contains("it is not kept"), "{}", told.err);
}

/// Threads that search under one lock and filter do not wait for each other for ever.
#[test]
fn topics_wait_for_one_filter() {
    let place = indexed();
    let topics: String = (0..200)
        .map(|topic| format!("{topic}:rain frost w{topic}\n"))
        .collect();
    place.write("many.txt", topics);
    for weights in ["words/10", "if tag = title then 2 else words/10"] {
        let words = [
            "run",
            "--index",
            "ix",
            "--topics",
            "many.txt",
            "--threads",
            "8",
        ];
        let output = place.command(&[&words[..], &["--weights", weights]].concat());
        let output = { output }.output().unwrap();
        assert!(output.status.success());
    }
}
