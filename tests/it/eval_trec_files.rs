//! Topics, qrels and runs: formats, damage, and the order of written runs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{BufReader, Read, Write};

use trommel::text::SplitMix64;
use trommel::trec::topics::Note;
use trommel::trec::{GradeMap, GradeRule, RunWriteError, RunWriter, TrecError, qrels, run, topics};

/// Expects topics written as `id|name=text|…`, one a line.
fn check_topics(text: &str, expected: &[&str]) {
    let found: Vec<String> = topics::parse(text, "topics")
        .unwrap()
        .topics
        .into_iter()
        .map(|topic| {
            let fields = topic
                .fields
                .iter()
                .map(|field| format!("|{}={}", field.name, field.text));
            topic.id.clone() + &fields.collect::<String>()
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn classic_markup_with_unclosed_tags() {
    check_topics(
        "<top>\n<num> Number: 851\n<title> \"March of the Penguins\"\n\n<desc> Description:\nProvide opinion of the \
         film\n documentary.\n<narr> Narrative: Relevant documents include A&amp;E reviews; 5 < 6.\n</top>\n\n\
         <top>\n\n<num> Number: 852 </num>\n<title> larry summers </title>\n</top>\n",
        &[
            "851|title=\"March of the Penguins\"|description=Provide opinion of the film documentary.\
             |narrative=Relevant documents include A&E reviews; 5 < 6.",
            "852|title=larry summers",
        ],
    );
    // Topic:, and topics that are not closed either.
    check_topics(
        "<top><num>Number: 1<title>Topic: one<top><num>2<title>two",
        &["1|title=one", "2|title=two"],
    );
}

#[test]
fn web_track_xml() {
    check_topics(
        "<?xml version=\"1.0\"?>\n<!-- <topic number=\"0\"> -->\n<webtrack2009>\n<topic number=\"1\" type=\"faceted\">\n\
         <query>obama family tree</query>\n<description>\n  Find information on\n  his family.\n</description>\n\
         <subtopic number=\"1\" type=\"nav\">Find the TIME &quot;tree&quot;.</subtopic>\n\
         <subtopic number=\"2\" type=\"inf\">Where did they come from?</subtopic>\n</topic>\n\
         <topic type='x>y' number='2'><query>at & t <b>bell</b> a&#38;b &nosuch; <![CDATA[<i>&amp;]]></query></topic>\n\
         </webtrack2009>\n",
        &[
            "1|title=obama family tree|description=Find information on his family.\
             |subtopic=Find the TIME \"tree\".|subtopic=Where did they come from?",
            "2|title=at & t bell a&b &nosuch; <i>&amp;",
        ],
    );
}

#[test]
fn line_formats() {
    check_topics(
        "1:obama family tree\n\n2:how to: cook\r\n",
        &["1|title=obama family tree", "2|title=how to: cook"],
    );
    check_topics(
        "\u{feff}1\tobama  family\n# a comment\n2\tratio 3:4\n",
        &["1|title=obama family", "2|title=ratio 3:4"],
    );
    check_topics(
        "{\"_id\": 7, \"text\": \"a \\\"b\\\"\", \"metadata\": {}}\n{\"qid\": \"8\", \"title\": \"t\", \"desc\": \"d\"}\n",
        &["7|title=a \"b\"", "8|description=d|title=t"],
    );
}

#[test]
fn topic_fields_have_several_names() {
    let topics = topics::parse(
        "<topic number=\"1\"><query>q</query><narr>n</narr></topic>",
        "topics",
    )
    .unwrap()
    .topics;
    assert_eq!(topics[0].text("title"), Some("q"));
    assert_eq!(topics[0].text("query"), Some("q"));
    assert_eq!(topics[0].text("narrative"), Some("n"));
    assert_eq!(topics[0].text("description"), None);
}

fn check_topics_error(text: &str, expected: &str) {
    let error = topics::parse(text, "topics.txt").unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert!(!error.hint().is_empty());
}

#[test]
fn damaged_topics() {
    check_topics_error("", "topics.txt: no topics found");
    check_topics_error(
        "<topics></topics>",
        "topics.txt: no topics found (it begins with <topics>)",
    );
    check_topics_error(
        "1:a\nb\n",
        "topics.txt:2: expected a topic id, a colon, and text",
    );
    check_topics_error(
        "1\ta\n2:b\n",
        "topics.txt:2: expected a topic id, a tab, and text",
    );
    check_topics_error(":a\n", "topics.txt:1: a topic without an id");
    check_topics_error(
        "<top>\n<num>1\n</top>\n<top>\n<title>x\n",
        "topics.txt:4: a topic without an id",
    );
    check_topics_error(
        "1:a\n1:b\n",
        "topics.txt:2: topic 1 stood on line 1 already",
    );
    check_topics_error(
        "{\"title\": \"x\"}\n{\"id\": 1, \"title\": \"y\"}\n",
        "topics.txt:1: a topic without an id",
    );
    check_topics_error(
        "my topic:a\n",
        "topics.txt:1: the topic id \"my topic\" is not one word, or begins with '#'",
    );
    check_topics_error(
        " [ {\"id\": 1}]\n",
        "topics.txt:1: this is one JSON array, not an object a line",
    );
    check_topics_error(
        "<doc>\n<docno>1</docno></doc>",
        "topics.txt: no topics found (it begins with <doc>)",
    );
    let error = topics::parse("{\"id\": 1}\n{]\n", "t").unwrap_err();
    assert!(
        error.to_string().starts_with("t:2: not a JSON object: "),
        "{error}"
    );
}

/// Regression: the topics of NTCIR's We Want Web task were `no topics found`.
#[test]
fn topics_of_ntcir() {
    check_topics(
        "<queries>\n\t<query>\n\t\t<qid>0001</qid>\n\t\t<content>Halloween picture</content>\n\t\t\
         <description>You want\n pictures.</description>\n\t</query>\n\t<query><qid>0002</qid><content>a &amp; b</content></query>\n\
         </queries>",
        &[
            "0001|title=Halloween picture|description=You want pictures.",
            "0002|title=a & b",
        ],
    );
    // Unclosed, and with the text right in the element.
    check_topics(
        "<query id='7'>plain text<query><qid>8<content>x",
        &["7|title=plain text", "8|title=x"],
    );
}

/// Regression: files of questions and answers (DPR, Natural Questions) lent their questions as ids, and a question that begins with `#`
/// was left out as a comment.
#[test]
fn questions_have_no_ids() {
    let text = "who sings  it\t['Linda Davis']\n#Who invented the cereal?\t['WILL']\n";
    check_topics(
        text,
        &[
            "0|title=who sings it|answers=['Linda Davis']",
            "1|title=#Who invented the cereal?|answers=['WILL']",
        ],
    );
    check_topics(
        "{\"question\": \"How tall?\", \"answer\": [\"6\"]}\n{\"question\": \"Why?\"}\n",
        &["0|title=How tall?", "1|title=Why?"],
    );
    for text in [text, "{\"question\": \"How tall?\"}\n"] {
        let notes = topics::parse(text, "topics").unwrap().notes;
        assert_eq!(notes, [Note::Numbered]);
        assert!(notes[0].to_string().contains("numbered from 0"));
    }
}

/// In files with ids such a line is a comment, but not in silence.
#[test]
fn comments_that_look_like_topics_are_told() {
    let read = topics::parse("1\ta\n#2\tb\n# plain\n#3\tc\n", "topics").unwrap();
    assert_eq!(read.topics.len(), 1);
    assert_eq!(read.notes, [Note::Comments { lines: 2, first: 2 }]);
}

/// Regression: section paths of TREC CAR were errors, or all of one topic `enwiki`.
#[test]
fn section_paths_of_trec_car() {
    check_topics(
        "Aftertaste/Foods%20with%20taste/Wine\nAftertaste/Caf%C3%A9%2\n",
        &[
            "Aftertaste/Foods%20with%20taste/Wine|title=Aftertaste Foods with taste Wine",
            "Aftertaste/Caf%C3%A9%2|title=Aftertaste Café%2",
        ],
    );
    check_topics(
        "enwiki:Aftertaste\nenwiki:Aftertaste/Wine\n",
        &[
            "enwiki:Aftertaste|title=Aftertaste",
            "enwiki:Aftertaste/Wine|title=Aftertaste Wine",
        ],
    );
    check_topics("1:and/or\n", &["1|title=and/or"]);
}

/// Regression: the topics of the Million Query track are Latin-1 and were refused.
#[test]
fn topics_in_latin_1() {
    let read = topics::read(&b"8108:caf\xc3\xa9\n8109:the pi\xf1ata\n"[..], "mq").unwrap();
    let texts: Vec<&str> = read
        .topics
        .iter()
        .filter_map(|it| it.text("title"))
        .collect();
    assert_eq!(texts, ["café", "the piñata"]);
    assert_eq!(read.notes, [Note::Foreign { lines: 1, first: 2 }]);
    assert_eq!(
        read.notes[0].to_string(),
        "line 2 is not UTF-8 and was read as Windows-1252"
    );
    let utf16 = topics::read(&b"\xff\xfe1\0:\0a\0"[..], "t").unwrap_err();
    assert!(
        utf16.to_string().starts_with("t:1: the line holds NUL"),
        "{utf16}"
    );
}

/// Regression: lines of more than 1 MiB were refused in topics, where vectors of queries make long ones.
#[test]
fn long_lines_of_topics() {
    let long = "word ".repeat(300_000);
    let text = format!("{{\"id\": 1, \"title\": \"{long}\"}}\n{{\"id\": 2, \"title\": \"x\"}}\n");
    let read = topics::parse(&text, "topics").unwrap().topics;
    assert_eq!(read[0].text("title"), Some(long.trim_end()));
    assert_eq!(read.len(), 2);
    let text = format!("1\t{long}\n2\tx\n");
    assert_eq!(topics::parse(&text, "topics").unwrap().topics.len(), 2);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// An input that gives a byte at a time, as a slow pipe may.
struct Slowly<'a>(&'a [u8]);

impl Read for Slowly<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}

/// Regression: packed topics, judgments and runs were refused as not UTF-8.
#[test]
fn packed_files_are_read() {
    let (topics, qrels, run) = (
        "1\ta b c\n2\tb\n",
        "1 0 x 1\n2 0 y 0\n",
        "1 Q0 x 1 2.5 t\n2 Q0 y 1 1 t\n",
    );
    for pack in [gzip, zstandard] {
        // In one piece, in two members behind one another, and a byte at a time.
        let packed = |text: &str| {
            let (a, b) = text.as_bytes().split_at(9);
            [pack(text.as_bytes()), [pack(a), pack(b)].concat()]
        };
        for packed in packed(topics) {
            let read = topics::read(BufReader::new(Slowly(&packed)), "topics").unwrap();
            assert_eq!(read, topics::parse(topics, "topics").unwrap());
        }
        for packed in packed(qrels) {
            let read = qrels::parse(BufReader::new(Slowly(&packed)), "qrels").unwrap();
            assert_eq!(read, qrels::parse(qrels.as_bytes(), "qrels").unwrap());
        }
        for packed in packed(run) {
            let read = run::parse(BufReader::new(Slowly(&packed)), "run").unwrap();
            assert_eq!(read, run::parse(run.as_bytes(), "run").unwrap());
        }
    }
}

fn check_packed_error(bytes: &[u8], expected: &str) {
    let errors = [
        topics::read(bytes, "file").unwrap_err(),
        qrels::parse(bytes, "file").unwrap_err(),
        run::parse(bytes, "file").unwrap_err(),
    ];
    for error in errors {
        assert!(error.to_string().starts_with(expected), "{error}");
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn damaged_packed_files() {
    let numbers: String = (0..9999)
        .map(|i| format!("{i} 0 d{} 1\n", i * 7919))
        .collect();
    for (pack, name) in [(gzip as fn(&[u8]) -> Vec<u8>, "gzip"), (zstandard, "zstd")] {
        let packed = pack(numbers.as_bytes());
        let expected = format!("file: its {name} data is damaged or cut off");
        let error = qrels::parse(&packed[..packed.len() / 2], "file").unwrap_err();
        assert!(error.to_string().starts_with(&expected), "{error}");
        let error = topics::read(&packed[..packed.len() / 2], "file").unwrap_err();
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
    // zstd has a checksum only if it is asked for one.
    let mut flipped = gzip(numbers.as_bytes());
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    assert!(qrels::parse(&flipped[..], "file").is_err());
    check_packed_error(b"BZh91AY&SY", "file: compressed with bzip2");
    check_packed_error(b"\xFD7zXZ\0\0", "file: compressed with xz");
    check_packed_error(b"PK\x03\x04..", "file: compressed with zip");
}

/// What unpacks to a thousand times its size is no file of judgments, and would fill the memory.
#[test]
fn bombs_are_refused() {
    // Comments, which are passed over: nothing but the bound ends this.
    let lines = format!("#{}\n", "x".repeat(9_998)).repeat(8_000);
    let lines = lines.as_bytes();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(lines).unwrap();
    for packed in [zstandard(lines), packed.finish().unwrap()] {
        let errors = [
            qrels::parse(&packed[..], "file").unwrap_err(),
            run::parse(&packed[..], "file").unwrap_err(),
        ];
        for error in errors {
            let text = error.to_string();
            assert_eq!(text, "file: it unpacks to more than 100 times its size");
            assert!(error.hint().contains("unpack it yourself"));
        }
        // Topics have a bound of their own, for there are some that shrink as much.
        let error = topics::read(&packed[..], "file").unwrap_err();
        assert_eq!(error.to_string(), "file: no topics found");
    }
}

/// Regression: files in the wrong order were told of by numbers of columns.
#[test]
fn files_of_another_kind() {
    let (topics, qrels, run) = ("<top>\n<num>1", "1 0 a 1\n", "1 Q0 a 1 2.5 t\n");
    let kind = |error: TrecError, expected: &str| assert_eq!(error.to_string(), expected);
    let of = [
        "topics",
        "relevance judgments (topic, iteration, docid, grade)",
        "a run (topic, Q0, docid, rank, score, tag)",
    ];
    for (text, at) in [(topics, 0), (run, 2)] {
        let error = qrels::parse(text.as_bytes(), "f").unwrap_err();
        assert!(error.hint().contains("judgments come before runs"));
        kind(
            error,
            &format!("f:1: this is a line of {}, not of {}", of[at], of[1]),
        );
    }
    for (text, at) in [(topics, 0), (qrels, 1)] {
        let error = run::parse(text.as_bytes(), "f").unwrap_err();
        kind(
            error,
            &format!("f:1: this is a line of {}, not of {}", of[at], of[2]),
        );
    }
    for (text, at) in [(qrels, 1), (run, 2)] {
        let error = topics::parse(text, "f").unwrap_err();
        kind(
            error,
            &format!("f:1: this is a line of {}, not of {}", of[at], of[0]),
        );
    }
    // Only the first line tells: a line that was cut off makes no judgments of a run.
    check_run_error(
        "1 Q0 a 1 2.5 t\n1 Q0 b 2\n",
        "run.txt:2: expected 6 columns, found 4",
    );
}

/// Whatever is cut off, reading ends, and never in a panic.
#[test]
fn markup_cut_anywhere() {
    let text = "<!-- c --><top a='<'><num>Number: é1<title>x &#x41; &amp <![CDATA[y]]> <b c=\"d>e\">f</b></top>";
    for (end, _) in text.char_indices() {
        let _ = topics::parse(&text[..end], "topics");
        let _ = topics::parse(&text[end..], "topics");
    }
}

/// Expects judgments written as `topic docid grade`, in order.
fn check_qrels(text: &str, expected: &[&str], subtopics: bool) {
    let qrels = qrels::parse(text.as_bytes(), "qrels").unwrap();
    let found: Vec<String> = qrels
        .topics
        .iter()
        .flat_map(|(topic, docs)| {
            docs.iter()
                .map(move |(docid, grade)| format!("{topic} {docid} {grade}"))
        })
        .collect();
    assert_eq!(found, expected);
    assert_eq!(qrels.subtopics, subtopics);
}

#[test]
fn qrels_formats() {
    check_qrels(
        "2 0 b 1\n1\t0\ta\t-2\r\n\n# comment\n1 0 c 3",
        &["1 a -2", "1 c 3", "2 b 1"],
        false,
    );
    check_qrels("1 a 1\n1 b 0\n", &["1 a 1", "1 b 0"], false);
    // prels: topic docid grade method probability.
    check_qrels("1 a 1 1 0.25\n1 b 0 0 1.0\n", &["1 a 1", "1 b 0"], false);
    // Tasks track: topic, subtask, docid, grade, usefulness.
    check_qrels(
        "1 1 a 0 2\n1 2 a 1 0\n1 1 b -2 0\n",
        &["1 a 1", "1 b -2"],
        true,
    );
    // NTCIR.
    check_qrels("0001 a L2\n0001 b L0\n", &["0001 a 2", "0001 b 0"], false);
    // Subtopics: the highest grade of a document.
    check_qrels(
        "1 1 a 0\n1 2 a 1\n1 3 a -2\n1 1 b 0\n",
        &["1 a 1", "1 b 0"],
        true,
    );
}

fn check_qrels_error(text: &[u8], expected: &str) {
    let error = qrels::parse(text, "qrels.txt").unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert!(!error.hint().is_empty());
}

#[test]
fn damaged_qrels() {
    check_qrels_error(
        b"1 0 a 1\n1 0\n",
        "qrels.txt:2: expected 4 columns, found 2",
    );
    check_qrels_error(b"1\n", "qrels.txt:1: expected 3, 4 or 5 columns, found 1");
    check_qrels_error(
        b"1 0 a x\n",
        "qrels.txt:1: expected a whole-number grade in column 4, found \"x\"",
    );
    check_qrels_error(
        b"1 a L-1\n",
        "qrels.txt:1: expected a whole-number grade in column 3, found \"L-1\"",
    );
    check_qrels_error(
        b"1 0 a 1 extra\n",
        "qrels.txt:1: expected a whole-number grade in column 3, found \"a\"",
    );
    check_qrels_error(
        b"1 0 a 1\n1 0 b 1\n1 0 a 1\n",
        "qrels.txt:3: topic 1: document a stood on line 1 already",
    );
    check_qrels_error(
        b"1 0 a 1\n1 0 \xff 1\n",
        "qrels.txt:2: the line is not UTF-8",
    );
    check_qrels_error(
        &vec![b'x'; (1 << 20) + 1],
        "qrels.txt:1: the line is longer than 1048576 bytes",
    );
}

#[test]
fn grade_maps() {
    let check = |rules: &[&str], grades: &[i32], expected: &[i32]| {
        let map = GradeMap::parse(rules.iter().copied()).unwrap();
        let found: Vec<i32> = grades.iter().map(|&grade| map.apply(grade)).collect();
        assert_eq!(found, expected, "{rules:?}");
    };
    // Both ends are inclusive; other grades stay.
    check(&["1..4=1"], &[-1, 0, 1, 2, 4, 5], &[-1, 0, 1, 1, 1, 5]);
    // The first rule that takes a grade decides, and what it gives is not mapped again.
    check(
        &["2..2=0", "1..4=2", "0..0=1"],
        &[0, 1, 2, 3],
        &[1, 2, 0, 2],
    );
    check(&["-2..-1=0"], &[-3, -2, -1], &[-3, 0, 0]);
    check(&[], &[7], &[7]);
    for text in ["1..4", "4..1=0", "1-4=1", "..4=1", "1..4=x", ""] {
        assert!(text.parse::<GradeRule>().is_err(), "{text}");
    }
    let mut qrels = qrels::parse("1 0 a 3\n1 0 b 0\n".as_bytes(), "qrels").unwrap();
    qrels.map_grades(&GradeMap::parse(["1..4=1"]).unwrap());
    assert_eq!(
        qrels.topics["1"].values().copied().collect::<Vec<_>>(),
        [1, 0]
    );
}

#[test]
fn runs_are_ranked_by_score_then_docid_descending() {
    let text = "1 Q0 a 1 1.5 old\n1 Q0 c 9 1.5 old\n1 Q0 b 2 2e0 old\n1 Q0 z 3 -0.0 x\n1 Q0 y 3 0 tag junk at the end\n";
    let run = run::parse(text.as_bytes(), "run").unwrap();
    let docids: Vec<&str> = run.topics["1"]
        .iter()
        .map(|doc| doc.docid.as_str())
        .collect();
    assert_eq!(docids, ["b", "c", "a", "z", "y"]);
    assert_eq!(run.tag, "tag");
    assert_eq!(
        run::parse("".as_bytes(), "run").unwrap(),
        run::Run::default()
    );
}

fn check_run_error(text: &str, expected: &str) {
    let error = run::parse(text.as_bytes(), "run.txt").unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert!(!error.hint().is_empty());
}

#[test]
fn damaged_runs() {
    check_run_error("1 Q0 a 1 1.0\n", "run.txt:1: expected 6 columns, found 5");
    check_run_error(
        "1 Q0 a 1 1,5 t\n",
        "run.txt:1: expected a number as score in column 5, found \"1,5\"",
    );
    check_run_error(
        "1 Q0 a 1 NaN t\n",
        "run.txt:1: expected a number as score in column 5, found \"NaN\"",
    );
    check_run_error(
        "1 Q0 my doc 1 1.5 t\n",
        "run.txt:1: 7 columns, and the rank \"doc\" is no number",
    );
    check_run_error(
        "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 a 2 1 t\n",
        "run.txt:3: topic 1: document a stood on line 1 already",
    );
    let missing = run::read_file(std::path::Path::new("no/such/run")).unwrap_err();
    assert!(matches!(missing, TrecError::Io { .. }));
    assert!(missing.to_string().starts_with("no/such/run: "));
}

fn write(topic: &str, docs: &[(&str, f32)]) -> Result<String, RunWriteError> {
    let mut writer = RunWriter::new(Vec::new(), "tag")?;
    writer.write_topic(topic, docs.iter().copied())?;
    Ok(String::from_utf8(writer.finish()?).unwrap())
}

#[test]
fn written_runs() {
    // 0.1 and 1/3 as the shortest decimals of their f32; ties by docid descending; −0 ties with 0.
    let docs = [
        ("a", 1.0 / 3.0),
        ("d0", -0.0),
        ("b", 0.1),
        ("e", 12.5),
        ("d1", 0.0),
        ("c", 0.1),
    ];
    let expected = "\
7 Q0 e 1 12.5 tag
7 Q0 a 2 0.33333334 tag
7 Q0 c 3 0.1 tag
7 Q0 b 4 0.1 tag
7 Q0 d1 5 0 tag
7 Q0 d0 6 0 tag
";
    assert_eq!(write("7", &docs).unwrap(), expected);
    // White space is percent-encoded, and `%` with it; other ids stay. Order is that of the ids as written.
    let expected = "1 Q0 a%62 1 1 tag\n1 Q0 a%20b%25%C2%A0c 2 1 tag\n";
    assert_eq!(
        write("1", &[("a b%\u{a0}c", 1.0), ("a%62", 1.0)]).unwrap(),
        expected
    );
}

#[test]
fn runs_that_cannot_be_written() {
    let error = |topic: &str, docs: &[(&str, f32)]| write(topic, docs).unwrap_err().to_string();
    assert_eq!(
        error("1", &[("a", f32::NAN)]),
        "topic 1: document a has the score NaN"
    );
    assert_eq!(
        error("1", &[("a", f32::INFINITY)]),
        "topic 1: document a has the score inf"
    );
    assert_eq!(
        error("1", &[("", 1.0)]),
        "topic 1: a document with an empty id"
    );
    assert_eq!(
        error("1", &[("a", 1.0), ("a", 2.0)]),
        "topic 1: document a was retrieved twice"
    );
    assert!(error("1 2", &[]).starts_with("the topic id \"1 2\" must be one word"));
    assert!(RunWriter::new(Vec::new(), "").is_err());
}

/// At the beginning of a file the mark would be passed over, and another topic be read.
#[test]
fn topic_that_begins_with_a_byte_order_mark_is_not_written() {
    let error = write("\u{feff}2", &[("a", 1.0)]).unwrap_err();
    assert!(matches!(error, RunWriteError::NotOneWord { .. }));
}

/// Readers of single and of double precision see one order, and the same ties.
#[test]
fn scores_order_alike_in_f32_and_f64() {
    let mut random = SplitMix64::new(1);
    let mut scores = vec![
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        f32::MAX,
        16_777_216.0,
        0.0,
    ];
    while scores.len() < 4000 {
        // Every score comes with its successor.
        let state = random.bits() as u32;
        let score = f32::from_bits(state);
        let next = f32::from_bits(state.wrapping_add(1));
        scores.extend([score, next].into_iter().filter(|score| score.is_finite()));
    }
    let ids: Vec<String> = (0..scores.len()).map(|id| format!("d{id:04}")).collect();
    let docs: Vec<(&str, f32)> = ids.iter().map(String::as_str).zip(scores).collect();
    let text = write("1", &docs).unwrap();
    let column = |line: &str| line.split(' ').nth(4).unwrap().to_owned();
    let printed: Vec<String> = text.lines().map(column).collect();
    for pair in printed.windows(2) {
        let single: Vec<f32> = pair.iter().map(|score| score.parse().unwrap()).collect();
        let double: Vec<f64> = pair.iter().map(|score| score.parse().unwrap()).collect();
        assert!(single[0] >= single[1], "{pair:?}");
        assert_eq!(
            single[0].partial_cmp(&single[1]),
            double[0].partial_cmp(&double[1]),
            "{pair:?}"
        );
    }
    let run = run::parse(text.as_bytes(), "run").unwrap();
    let read: Vec<&str> = run.topics["1"]
        .iter()
        .map(|doc| doc.docid.as_str())
        .collect();
    let written: Vec<&str> = text
        .lines()
        .map(|line| line.split(' ').nth(2).unwrap())
        .collect();
    assert_eq!(read, written);
}
