//! `trommel index --progress` and `--dry-run`.

use serde_json::Value;

use crate::made::{self, PAD};

fn objects(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect()
}

/// One JSON object a line and nothing else; totals only rise, and end where the manifest is.
#[test]
fn lines_of_json() {
    let place = made::place(3, 14, PAD);
    made::damage(&place.path("c1.warc.gz"));
    let files = "c0.warc.gz c1.warc.gz c2.warc.gz";
    let line = format!("index --index ix --memory 24M --threads 1 --progress json --json {files}");
    let done = place.run(&line);
    assert_eq!(done.code, 1, "{}", done.err);
    let (lines, others): (Vec<&str>, Vec<&str>) =
        done.err.lines().partition(|line| line.starts_with('{'));
    assert_eq!(others, ["warning: 1 record failed; see ix/ledger.jsonl"]);
    let events = objects(&lines.join("\n"));
    let manifest: Value = serde_json::from_str(&done.out).unwrap();
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!((names[0], names[names.len() - 1]), ("start", "end"));
    let parts = manifest["parts"].as_array().unwrap().len();
    assert!(parts > 1);
    let size = |file: &str| std::fs::metadata(place.path(file)).unwrap().len();
    let total: u64 = files.split(' ').map(size).sum();
    for pair in events.windows(2) {
        for key in ["seconds", "bytes", "pages", "blocks", "failures", "parts"] {
            assert!(
                pair[0][key].as_f64().unwrap() <= pair[1][key].as_f64().unwrap(),
                "{key}: {pair:?}"
            );
        }
    }
    for event in &events {
        assert_eq!(
            (&event["inputs"], &event["total_bytes"]),
            (&3.into(), &total.into())
        );
        assert!(event["seconds_left"].is_null() || event["seconds_left"].is_f64());
    }
    let last = &events[events.len() - 1];
    let counts = &manifest["counts"];
    assert_eq!(
        (&last["pages"], &last["failures"]),
        (&counts["pages"], &1.into())
    );
    assert_eq!(
        (&last["blocks"], &last["parts"]),
        (&counts["blocks"], &parts.into())
    );
    assert_eq!(
        (&last["bytes"], &last["done"], &last["seconds_left"]),
        (&total.into(), &true.into(), &0.0.into())
    );

    // What an interrupted build had done counts from the start; a build that fails says so.
    let line =
        format!("index --index begun --memory 24M --threads 1 --max-bad 0 --progress json {files}");
    let done = place.run(&line);
    assert_eq!(done.code, 2, "{}", done.err);
    let (lines, others): (Vec<&str>, Vec<&str>) =
        done.err.lines().partition(|line| line.starts_with('{'));
    assert!(others[1].contains("--max-bad"), "{others:?}");
    let events = objects(&lines.join("\n"));
    assert_eq!(events[events.len() - 1]["done"], false);
    let parts = made::parts(&place.path("begun"));
    let line =
        format!("index --index begun --resume --memory 24M --threads 1 --progress json {files}");
    let done = place.run(&line);
    let lines: Vec<&str> = done
        .err
        .lines()
        .filter(|line| line.starts_with('{'))
        .collect();
    let events = objects(&lines.join("\n"));
    let last = &events[events.len() - 1];
    assert_eq!(
        (&last["pages"], &last["blocks"]),
        (&counts["pages"], &counts["blocks"])
    );
    assert!(last["parts"].as_u64().unwrap() as usize > parts);
}

#[test]
fn other_ways_to_show_it() {
    let place = made::place(1, 3, 0);
    for how in ["auto", "none"] {
        let line = format!("index --index {how} --progress {how} c0.warc.gz");
        let done = place.check(&line, 0, "*", "*");
        assert_eq!(done.err.lines().count(), 2, "{}", done.err);
    }
    place.check(
        "index --index x --progress often c0.warc.gz",
        2,
        "",
        "possible values: auto, bar, json, none",
    );
}

/// A sample that is the whole collection says what it takes, and nothing is written at `--index`.
#[test]
fn dry_runs() {
    let place = made::place(3, 14, 1000);
    let files = "c0.warc.gz c1.warc.gz c2.warc.gz";
    let done = place.check(
        &format!("index --index ix --threads 1 --extractors bte {files}"),
        0,
        "",
        "*",
    );
    let line = format!("index --index dry --threads 1 --extractors bte --dry-run --json {files}");
    let estimate: Value = serde_json::from_str(&place.check(&line, 0, "*", "*").out).unwrap();
    assert!(!place.path("dry").exists(), "{}", done.err);
    let manifest = made::manifest(&place.path("ix"));
    for what in ["pages", "blocks"] {
        assert_eq!(estimate[what], manifest["counts"][what], "{what}");
    }
    assert_eq!(
        (&estimate["inputs"], &estimate["sample_inputs"]),
        (&3.into(), &3.into())
    );
    assert_eq!(estimate["bytes"], estimate["sample_bytes"]);
    assert_eq!(estimate["memory_bytes"], 512 << 20);
    let files_of_index = made::files(&place.path("ix")).into_iter();
    let size: u64 = files_of_index
        .map(|file| std::fs::metadata(file).unwrap().len())
        .sum();
    let off = estimate["index_bytes"].as_f64().unwrap() / size as f64;
    assert!((0.99..1.01).contains(&off), "{off}");
    // Without --index; of a shard; in words.
    let shard = format!("index --dry-run --json --shard 1/3 {files}");
    let estimate: Value = serde_json::from_str(&place.check(&shard, 0, "*", "*").out).unwrap();
    assert_eq!(
        (&estimate["inputs"], &estimate["pages"]),
        (&1.into(), &14.into())
    );
    let done = place.check(
        &format!("index --dry-run --threads 2 {files}"),
        0,
        "with 2 threads",
        "",
    );
    let words: Vec<&str> = done
        .out
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(
        words,
        ["pages", "blocks", "time", "disk", "memory", "sample"]
    );
    place.write("noise.bin", [0u8, 1]);
    place.check("index --dry-run noise.bin", 2, "", "no page to index");
    place.check("index --dry-run -", 2, "", "the size is not known");
    place.check("index c0.warc.gz", 2, "", "--index <DIR>");
}

/// Of a file that is longer than its share only the beginning is read.
#[test]
fn beginnings_of_long_files() {
    let place = made::place(0, 0, 0);
    // What does not compress: 18 MB, of which a sample takes 16 or a little more.
    let mut random = crate::support::Random::new(3);
    let pages: Vec<(String, String)> = (0..180)
        .map(|n| {
            let noise: String = (0..13_000)
                .map(|_| format!("{:016x}", random.next()))
                .collect();
            (
                format!("d{n}"),
                format!("<p>apple pear</p><!-- {noise} -->"),
            )
        })
        .collect();
    let pages: Vec<(&str, &str)> = pages
        .iter()
        .map(|(docid, html)| (&**docid, &**html))
        .collect();
    place.warc("long.warc.gz", &pages);
    let done = place.check("index --dry-run --json long.warc.gz", 0, "*", "*");
    let estimate: Value = serde_json::from_str(&done.out).unwrap();
    let (sample, whole) = (
        estimate["sample_bytes"].as_u64().unwrap(),
        estimate["bytes"].as_u64().unwrap(),
    );
    assert!(whole > 17 << 20, "{whole}");
    assert!(
        (16 << 20..17 << 20).contains(&sample),
        "{sample} of {whole}"
    );
    assert!(estimate["sample_pages"].as_u64().unwrap() < 180);
    let pages = estimate["pages"].as_u64().unwrap();
    assert!((176..=184).contains(&pages), "{pages}");
}
