//! Values out of range, names that are none, and inputs that are not what they were taken for: refused, or told, each in words that
//! say what to do.

use std::net::TcpListener;

use crate::cli::Place;

const PAGE: &str = "<title>Barrels</title><p>...</p><p>A rain barrel under the downspout keeps water for dry weeks, and a lid \
    keeps the gnats out of it all summer long.</p>";

/// A place with pages, an index of them, topics and judgments.
fn place() -> Place {
    let place = Place::empty();
    place.warc("tiny.warc.gz", &[("d1", PAGE), ("d2", PAGE)]);
    place.write("pages/a.html", PAGE);
    place.write("pages/b.html", PAGE);
    place.write("topics.txt", "7:rain barrel\n");
    place.write("qrels.txt", "7 0 d1 1\n");
    place.check("index --index ix tiny.warc.gz", 0, "", "ix: 2 pages");
    place
}

/// `--max-link-density 33` filtered nothing and said so nowhere; `k1=1e308` made all scores 0.
#[test]
fn values_out_of_range_are_refused() {
    let place = place();
    let sweep = "sweep --index ix --topics topics.txt --qrels qrels.txt";
    for (line, err) in [
        (
            "search --index ix --max-link-density 33 rain",
            "33 is more than 1: the range is from 0 to 1, and 33 percent is 0.33",
        ),
        ("search --index ix --min-density 41 rain", "more than 40"),
        ("search --index ix --max-density 105 rain", "more than 40"),
        ("search --index ix --min-confidence 7 rain", "more than 1"),
        (
            "search --index ix --model bm25:k1=1e308 rain",
            "k1=1e308 is not in 0.0..=1000.0",
        ),
        (
            "search --index ix --model bm25:b=1.5 rain",
            "b=1.5 is not in 0.0..=1.0",
        ),
        (
            "search --index ix --model qljm:lambda=1 rain",
            "lambda=1.0 is not in",
        ),
        (
            "search --index ix --model qld:mu=0 rain",
            "mu=0.0 is not in",
        ),
        (
            "search --index ix --model bm25+rm3:docs=1e9 rain",
            "docs=1000000000.0 is not in",
        ),
        (
            "search --index ix --model bm25+rm3:weight=2 rain",
            "weight=2.0 is not in",
        ),
        ("search --index ix -k 0 rain", "the least is 1"),
        (
            "search --index ix --min-words 11.5 rain",
            "11.5 is no whole number, such as 12",
        ),
        (
            "search --index ix --min-words many rain",
            "'many' is no whole number",
        ),
        (
            "blocks --extractors justext:max-link-density=33 pages",
            "max-link-density=33: the range is from 0 to 1",
        ),
        (
            "blocks --extractors block-fusion:min-density=85 pages",
            "min-density=85: 85 is more than 40",
        ),
        ("extract --threads 0 pages", "the least is 1"),
    ] {
        place.check(line, 2, "", err);
    }
    for (vary, err) in [
        ("max-link-density=10..50", "more than 1"),
        ("max-density=1..41", "41 is more than 40"),
        ("min-confidence=0..2:1", "more than 1"),
    ] {
        place.check(&format!("{sweep} --vary {vary}"), 2, "", err);
    }
    for (bound, err) in [
        ("max_link_density = \"33\"", "33 is more than 1"),
        ("min_density = \"41\"", "41 is more than 40"),
    ] {
        let file = format!(
            "kind = \"sweep\"\ntitle = \"t\"\n[input]\ncollection = \"tiny.warc.gz\"\ntopics = \"topics.txt\"\nqrels = \"qrels.txt\"\n\
             [options]\nmodels = [\"bm25\"]\nmeasures = [\"P@10\"]\nfilter = {{ {bound} }}\n"
        );
        place.write("bound.toml", file);
        place.check("experiment bound.toml", 2, "", err);
    }
}

/// 100,000 threads took all memory of the machine.
#[test]
fn more_threads_than_can_be_meant_are_not_started() {
    let place = place();
    let done = place.check("extract --threads 100000 pages", 0, "A rain barrel", "*");
    assert!(done.err.contains("--threads 100000: "), "{}", done.err);
    assert!(
        done.err.contains("are started, the most on"),
        "{}",
        done.err
    );
    place.check("extract --threads 64 pages", 0, "A rain barrel", "");
}

/// What is not known is told with the name that was perhaps meant.
#[test]
fn did_you_mean() {
    let place = place();
    for (line, err) in [
        (
            "blocks --extractors justex pages",
            "no extractor is called 'justex'; did you mean 'justext'? There are: ",
        ),
        (
            "blocks --extractors justext:lenght-low=5 pages",
            "did you mean 'length-low'?",
        ),
        (
            "blocks --extractors justext:language=germn pages",
            "did you mean 'German'?",
        ),
        (
            "blocks --segmenter boilerpip pages",
            "no segmenter is called 'boilerpip'; did you mean 'boilerpipe'?",
        ),
        (
            "index --index new --analyzer englich pages",
            "did you mean 'english'? There are: english, plain, none",
        ),
        (
            "search --index ix --model bm52 rain",
            "no model is called 'bm52', did you mean 'bm25'?",
        ),
        (
            "eval -m nDGC@10 qrels.txt qrels.txt",
            "unknown measure \"nDGC@10\"; did you mean 'nDCG@10'?",
        ),
        (
            "learn onon --output m pages",
            "nothing is learnt for 'onon'; did you mean 'onion'?",
        ),
        (
            "score --gold pages --format gn2 --pages pages",
            "did you mean 'gn1'?",
        ),
    ] {
        place.check(line, 2, "", err);
    }
}

/// The error named a `label` command that fails, too.
#[test]
fn only_labels_that_can_be_made_are_suggested() {
    let place = place();
    let search = |extractor: &str, err: &str| {
        let line = format!("search --index ix --extractor {extractor} rain");
        place.check(&line, 2, "", err)
    };
    search("bte", "'trommel label --index ix --extractor bte'");
    for (extractor, err) in [
        (
            "nosuch",
            "no labels of 'nosuch' (it has: none); no extractor is called so",
        ),
        (
            "boilerpipe-artikle",
            "no extractor is called so: did you mean 'boilerpipe-article'?",
        ),
        ("onion", "onion needs more than its name: write onion:MODEL"),
        ("justext:lenght=4", "justext has no parameter 'lenght'"),
    ] {
        let done = search(extractor, err);
        assert!(!done.err.contains("trommel label"), "{}", done.err);
    }
    place.check("label --index ix --extractor bte", 0, "", "bte: ");
    place.check("search --index ix --extractor bte rain", 0, "*", "*");
}

#[test]
fn a_file_is_no_index() {
    let place = place();
    let err = "tiny.warc.gz is a file, and an index is a directory\nhint: index it first";
    for line in [
        "search --index tiny.warc.gz rain",
        "run --index tiny.warc.gz --topics topics.txt",
        "label --index tiny.warc.gz --extractor bte",
    ] {
        place.check(line, 2, "", err);
    }
}

/// The folder that was made up from the one that was named stood in the error.
#[test]
fn score_names_the_folder_that_is_missing() {
    let place = place();
    let err = "error: nope: no such directory";
    place.check("score --gold nope --format cleaneval", 2, "", err);
}

#[test]
fn a_gold_standard_of_another_format_is_refused() {
    let place = place();
    place.write(
        "gold/a.html",
        "<p><span class=\"x-nc-sel1\">A rain barrel</span>",
    );
    place.write("text/a.txt", "URL: http://x/\n<p>A rain barrel");
    for (folder, format, found) in [
        ("gold", "cleaneval", "gn1"),
        ("gold", "text", "gn1"),
        ("text", "gn1", "cleaneval"),
    ] {
        let err =
            format!("is no gold standard of the format {format}: it is of the format {found}");
        for command in [
            "score --extractors bte --format",
            "stats --format",
            "features --gold-format",
        ] {
            let line = format!("{command} {format} --gold {folder} --pages pages");
            place.check(&line, 2, "*", &err);
        }
    }
    place.check(
        "score --gold gold --format gn1 --pages pages --extractors bte",
        0,
        "words",
        "",
    );
}

/// An archive was indexed as one page, headers and all.
#[test]
fn an_archive_is_no_page() {
    let place = place();
    let line = "index --index new --format html tiny.warc.gz";
    place.check(
        line,
        2,
        "",
        "no HTML page: it begins as a file of the format warc does",
    );
    place.write("some/a.html", PAGE);
    std::fs::copy(place.path("tiny.warc.gz"), place.path("some/b.warc.gz")).unwrap();
    let line = "index --index new --format html some";
    place.check(line, 1, "", "1 record failed");
    let ledger = std::fs::read_to_string(place.path("new/ledger.jsonl")).unwrap();
    assert!(ledger.contains("of the format warc"), "{ledger}");
}

/// `justext:language=german` kept nothing of English pages, in silence.
#[test]
fn nothing_kept_of_a_whole_collection_is_told() {
    let place = Place::empty();
    for number in 0..10 {
        place.write(&format!("pages/{number}.html"), PAGE);
        place.write(&format!("gold/{number}.txt"), "A rain barrel");
    }
    place.check("index --index ix pages", 0, "", "ix: 10 pages");
    let german = "justext:language=german";
    let err = format!(
        "{german}: nothing kept of 10 pages: its language is german, is that of the pages?"
    );
    let score = "score --gold gold --format text --pages pages --extractors";
    for line in [
        format!("extract --extractor {german} pages"),
        format!("index --index new --extractors {german} pages"),
        format!("label --index ix --extractor {german}"),
        format!("{score} {german}"),
    ] {
        place.check(&line, 0, "*", &err);
    }
    place.check("extract --extractor keep-everything pages", 0, "*", "");
    place.check(&format!("{score} keep-everything"), 0, "*", "");
    // A page or two may well have nothing to keep.
    place.check(
        &format!("extract --extractor {german} pages/1.html"),
        0,
        "",
        "",
    );
}

/// The reason was said twice, and the remedy stood in its midst.
#[cfg(feature = "serve")]
#[test]
fn a_taken_port_is_told_once() {
    let place = place();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let line = format!("serve --index ix --port {port}");
    let done = place.check(
        &line,
        2,
        "",
        "hint: a program listens there already: take another --port",
    );
    assert_eq!(done.err.matches("in use").count(), 1, "{}", done.err);
}

/// A page's U+202E turned around what stands behind it on the terminal; JSON has what the page has.
#[test]
fn bidi_controls_do_not_reach_the_terminal() {
    let place = Place::empty();
    let page = "<title>Rain\u{202e}niar</title><p>A rain barrel \u{202e}evil\u{202c} under the downspout keeps water for dry weeks.</p>";
    place.write("pages/a.html", page);
    place.check("index --index ix pages", 0, "", "ix: 1 page");
    for line in ["search --index ix rain", "blocks pages"] {
        let done = place.check(line, 0, "Rain\\u{202e}niar", "");
        assert!(done.out.contains("\\u{202e}evil\\u{202c}"), "{}", done.out);
        assert!(!done.out.contains('\u{202e}'), "{}", done.out);
    }
    for line in [
        "search --index ix --json rain",
        "blocks --json pages",
        "extract --extractor keep-everything pages",
    ] {
        place.check(line, 0, "\u{202e}evil\u{202c}", "");
    }
}

/// A block of three dots was shown as content.
#[test]
fn a_block_without_words_is_not_shown_as_content() {
    let place = place();
    let done = place.check(
        "blocks --extractors keep-everything,trommel pages/a.html",
        0,
        "*",
        "",
    );
    let line = |text: &str| done.out.lines().find(|line| line.contains(text)).unwrap();
    assert!(!line("...").contains(['●', '·']), "{}", done.out);
    assert!(line("A rain barrel").contains('●'), "{}", done.out);
}

/// The library says what is wrong; the program says which flag or command mends it.
#[test]
fn errors_of_the_library_come_with_what_to_do() {
    let place = place();
    place.write("five.txt", "1 0 a 5\n");
    place.write("one.run", "1 Q0 a 1 1 tag\n");
    place.write("pages.bz2", "BZh91AY&SY");
    for (line, err) in [
        (
            "eval -m ERR@20 five.txt one.run",
            "hint: map the grades, for example with --grades 5..9=4",
        ),
        ("blocks pages.bz2", "hint: unpack it, or convert it to WARC"),
        (
            "search --index ix site:example.org",
            "hint: --literal takes all as plain words",
        ),
    ] {
        place.check(line, 2, "", err);
    }
}
