//! Topics, qrels and runs: formats, damage, and the order of written runs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use trommel::trec::{GradeMap, GradeRule, RunWriteError, RunWriter, TrecError, qrels, run, topics};

/// Expects topics written as `id|name=text|…`, one a line.
fn check_topics(text: &str, expected: &[&str]) {
    let found: Vec<String> = topics::parse(text, "topics")
        .unwrap()
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
    .unwrap();
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
    check_topics_error("<topics></topics>", "topics.txt: no topics found");
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
        "{\"title\": \"x\"}\n",
        "topics.txt:1: a topic without an id",
    );
    let error = topics::parse("{\"id\": 1}\n{]\n", "t").unwrap_err();
    assert!(
        error.to_string().starts_with("t:2: not a JSON object: "),
        "{error}"
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
    let mut state = 1u32;
    let mut scores = vec![
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        f32::MAX,
        16_777_216.0,
        0.0,
    ];
    while scores.len() < 4000 {
        // Linear congruential generator of Numerical Recipes; every score comes with its successor.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
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
