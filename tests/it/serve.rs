//! `trommel serve`: its answers are those of the other subcommands, and whatever is wrong is told in words.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command};

use serde_json::Value;

use crate::cli::{Place, objects};
use crate::cli_sweep;

/// A server that ends with this value.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Server {
    /// Serves the index `ix` of a place, with more arguments.
    pub(crate) fn start(place: &Place, arguments: &str) -> Server {
        let line = format!("serve --index ix --port 0 {arguments}");
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut child = place.command(&words).spawn().unwrap();
        let mut url = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut url).unwrap();
        let address = url
            .trim()
            .strip_prefix("http://")
            .and_then(|it| it.strip_suffix('/'));
        let address = address
            .unwrap_or_else(|| panic!("{url:?}"))
            .parse()
            .unwrap();
        Server { child, address }
    }

    /// Sends bytes and reads all that comes until the server closes the connection.
    pub(crate) fn send(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        // A server that refuses a request early does not read its end.
        let _ = stream.write_all(request);
        answer(&mut stream)
    }

    pub(crate) fn get(&self, address: &str) -> Answer {
        let request =
            format!("GET {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        self.send(request.as_bytes())
    }

    pub(crate) fn json(&self, address: &str) -> Value {
        let answer = self.get(address);
        assert_eq!(answer.status, 200, "{address}: {}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    /// Asks for a sweep until it is done.
    pub(crate) fn swept(&self, address: &str) -> Value {
        loop {
            let answer = self.get(address);
            let value: Value = serde_json::from_str(&answer.body).unwrap();
            match answer.status {
                200 => return value,
                202 => assert!(value["done"].as_u64() <= value["of"].as_u64(), "{value}"),
                _ => panic!("{address}: {value}"),
            }
        }
    }

    /// Asks the server to end; gives its exit code.
    #[cfg(unix)]
    fn interrupt(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What comes until the connection is closed; nothing at all is status 0.
pub(crate) fn answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A connection that is reset has said what it had to.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (headers, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = headers.split(' ').nth(1);
    Answer {
        status: status.map_or(0, |status| status.parse().unwrap()),
        headers: headers.to_lowercase(),
        body: body.to_owned(),
    }
}

/// The demo's collection with its topics and judgments, served.
pub(crate) fn demo() -> (Place, Server) {
    let place = cli_sweep::place();
    let server = Server::start(&place, "--topics topics.xml --qrels qrels.txt");
    (place, server)
}

pub(crate) fn array(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value}"))
}

/// Flags to parameters: `--min-words 11 --unit block` to `&min_words=11&unit=block`.
fn parameters(flags: &str) -> String {
    let mut parameters = String::new();
    for word in flags.split_whitespace() {
        match word.strip_prefix("--") {
            Some(name) => parameters += &format!("&{}=", name.replace('-', "_")),
            None => parameters += &word.replace('+', "%2B").replace('=', "%3D"),
        }
    }
    parameters
}

#[test]
fn searches_are_those_of_the_command_line() {
    let (place, server) = demo();
    for (query, flags) in [
        ("rain barrel", ""),
        ("rain barrel", "--min-words 11"),
        (
            "rain garden tomato",
            "--min-density 5.5 --max-link-density 0.33",
        ),
        ("rain garden", "--extractor bte --model qld+rm3"),
        (
            "rain garden",
            "--unit block --stats collection --max-words 20",
        ),
        ("rain AND garden", "--min-words 5"),
        ("rain barrel", "--weights 1.5-link-density --min-words 2"),
        ("garden", "--min-words 100000"),
    ] {
        let line = format!("search --index ix --json -k 50 {flags} {query}");
        let expected = objects(&place.run(&line).out);
        let q = query.replace(' ', "+");
        let found = server.json(&format!("/api/search?q={q}&k=50{}", parameters(flags)));
        let results = array(&found["results"]);
        assert_eq!(results.len(), expected.len(), "{line}");
        assert_eq!(found["query"], query);
        for (result, expected) in results.iter().zip(&expected) {
            for key in [
                "rank",
                "docid",
                "score",
                "url",
                "title",
                "block",
                "blocks_kept",
                "blocks_total",
            ] {
                assert_eq!(result[key], expected[key], "{line}: {key}");
            }
            let parts = |piece: &Value| -> String {
                let parts = array(&piece["parts"]).iter();
                parts.map(|part| part.as_str().unwrap()).collect()
            };
            let snippet = result["snippet"].as_str().unwrap();
            assert_eq!(snippet, expected["snippet"], "{line}");
            for piece in array(&result["fragments"]) {
                assert!(snippet.contains(&parts(piece)), "{line}: {piece}");
            }
        }
        let all = place.run(&format!(
            "search --index ix --json -k 100000 {flags} {query}"
        ));
        assert_eq!(found["found"], all.out.lines().count(), "{line}");
    }
}

#[test]
fn ranks_are_compared_with_the_unfiltered_ranking() {
    let (place, server) = demo();
    let unfiltered = objects(
        &place
            .run("search --index ix --json -k 1000 rain garden")
            .out,
    );
    let rank_of = |docid: &Value| {
        let mut results = unfiltered.iter();
        let found = results.find(|it| it["docid"] == *docid);
        found.map_or(&Value::Null, |it| &it["rank"])
    };
    let mut moved = 0;
    // Twice each, so that the second answer is from what the first left.
    for filter in [
        "",
        "&min_words=11",
        "&min_words=20",
        "&min_words=11",
        "&min_words=20",
    ] {
        let found = server.json(&format!("/api/search?q=rain+garden&k=100{filter}"));
        assert_eq!(found["found_unfiltered"], unfiltered.len());
        for result in array(&found["results"]) {
            let before = rank_of(&result["docid"]);
            assert_eq!(result["rank_unfiltered"], *before, "{result}");
            assert!(before.is_u64());
            moved += usize::from(result["rank"] != *before);
        }
        assert_eq!(moved > 0, !filter.is_empty());
    }
}

#[test]
fn results_go_on_where_they_were_left() {
    let (_place, server) = demo();
    let all = server.json("/api/search?q=garden&k=20&explain=true");
    let rest = server.json("/api/search?q=garden&k=13&from=7&explain=true");
    assert_eq!(array(&all["results"])[7..], array(&rest["results"])[..]);
    let beyond = server.json("/api/search?q=garden&k=5&from=1000");
    assert!(array(&beyond["results"]).is_empty());
    let explained = &all["results"][0];
    let score = |value: &Value| value["score"].as_f64().unwrap() as f32;
    assert_eq!(score(&explained["explain"]), score(explained));
}

#[test]
fn topics_are_searched_as_in_a_run_and_have_grades() {
    let (place, server) = demo();
    let manifest = server.json("/api/manifest");
    let topics = array(&manifest["sweep"]["topics"]);
    assert!(!topics.is_empty());
    let run = place
        .run("run --index ix --topics topics.xml --min-words 11 -k 10")
        .out;
    let qrels = std::fs::read_to_string(place.path("qrels.txt")).unwrap();
    for topic in topics {
        let id = topic["id"].as_str().unwrap();
        let found = server.json(&format!("/api/search?topic={id}&min_words=11"));
        assert_eq!(found["query"], topic["query"]);
        let lines = run.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let expected: Vec<&str> = lines
            .filter(|columns| columns[0] == id)
            .map(|columns| columns[2])
            .collect();
        let results = array(&found["results"]);
        let docids: Vec<&str> = results
            .iter()
            .map(|it| it["docid"].as_str().unwrap())
            .collect();
        assert_eq!(docids, expected, "topic {id}");
        let grade = |docid: &str| {
            let mut lines = qrels
                .lines()
                .map(|line| line.split_whitespace().collect::<Vec<_>>());
            let judgment = lines.find(|columns| (columns[0], columns[2]) == (id, docid));
            judgment.map_or(Value::Null, |columns| {
                columns[3].parse::<i64>().unwrap().into()
            })
        };
        for result in results {
            assert_eq!(
                result["grade"],
                grade(result["docid"].as_str().unwrap()),
                "{result}"
            );
        }
    }
    assert!(
        server.json("/api/search?q=garden")["results"][0]
            .get("grade")
            .is_none()
    );
}

#[test]
fn pages_are_those_of_blocks() {
    let (place, server) = demo();
    let docid = server.json("/api/search?q=rain+barrel")["results"][0]["docid"].clone();
    let docid = docid.as_str().unwrap();
    let extractors = format!("bte,{COMMA}");
    let line = format!("blocks --json --extractors {extractors} demo.warc.gz#{docid}");
    let expected = objects(&place.run(&line).out);
    let page = server.json(&format!("/api/page/{docid}?min_words=11&q=rain"));
    assert_eq!(
        page,
        server.json(&format!("/api/page?docid={docid}&min_words=11&q=rain"))
    );
    let blocks = array(&page["blocks"]);
    assert_eq!(blocks.len(), expected.len());
    let mut kept = 0;
    for (block, expected) in blocks.iter().zip(&expected) {
        for key in [
            "block",
            "tag",
            "num_words",
            "num_tokens",
            "num_linked_words",
            "num_words_in_full_lines",
            "num_lines",
            "text_density",
            "link_density",
            "labels",
        ] {
            assert_eq!(block[key], expected[key], "{key} of {block}");
        }
        let parts = array(&block["parts"]).iter().map(|it| it.as_str().unwrap());
        assert_eq!(parts.clone().collect::<String>(), expected["text"]);
        // Every second part is a word of the query.
        for (at, part) in parts.enumerate().filter(|(_, part)| !part.is_empty()) {
            let word = part.to_lowercase();
            let matches = word.starts_with("rain") && !word.contains(' ');
            assert_eq!(at % 2 == 1, matches, "{part}");
        }
        let passes = expected["num_words"].as_u64().unwrap() >= 11;
        assert_eq!(block["kept"], passes, "{block}");
        kept += usize::from(passes);
    }
    assert_eq!(page["totals"]["blocks"], expected.len());
    assert_eq!(page["totals"]["blocks_kept"], kept);
    for name in ["bte", COMMA] {
        let content = |block: &&Value| block["labels"][name] == true;
        let words = expected
            .iter()
            .filter(content)
            .map(|it| it["num_words"].as_u64().unwrap());
        let totals = &page["totals"]["extractors"][name];
        assert_eq!(totals["blocks"], expected.iter().filter(content).count());
        assert_eq!(totals["words"], words.sum::<u64>());
    }
    let part = server.json(&format!(
        "/api/page/{docid}?min_words=11&q=rain&from=2&count=3"
    ));
    assert_eq!(array(&part["blocks"])[..], blocks[2..5]);
    assert_eq!(part["next"], 5);
    assert_eq!(page["next"], Value::Null);
    assert_eq!(part["totals"], page["totals"]);
    let beyond = server.json(&format!("/api/page/{docid}?from=4294967295"));
    assert!(array(&beyond["blocks"]).is_empty());
}

#[test]
fn weights_of_blocks_are_told() {
    let (_place, server) = demo();
    let docid = server.json("/api/search?q=rain+barrel")["results"][0]["docid"].clone();
    let docid = docid.as_str().unwrap();
    let page = server.json(&format!(
        "/api/page/{docid}?min_words=2&weights=link-density*2"
    ));
    assert_eq!(page["weights"], "link-density * 2");
    assert!(page.get("title_weight").is_none());
    let mut seen = Vec::new();
    for block in array(&page["blocks"]) {
        let [words, linked] =
            ["num_words", "num_linked_words"].map(|key| block[key].as_u64().unwrap());
        // Twice the quotient in hundredths, halves up.
        let hundredths = match words {
            0 | 1 => 0,
            _ => (400 * linked + words) / (2 * words),
        };
        assert_eq!(
            block["weight"].as_f64(),
            Some(hundredths as f64 / 100.0),
            "{block}"
        );
        assert_eq!(block["kept"], hundredths > 0, "{block}");
        seen.push(hundredths);
    }
    assert!(seen.contains(&0) && seen.contains(&200), "{seen:?}");
    let titles = "weights=if+tag+%3D+TITLE+then+3+else+1";
    let page = server.json(&format!("/api/page/{docid}?{titles}"));
    assert_eq!(page["title_weight"], 3);
    let told = server.json(&format!("/api/weights?{titles}"));
    assert_eq!(told["weights"], "if tag = title then 3 else 1");
    assert_eq!(told["panel"]["tags"][0]["tags"][0], "title");
    let found = server.json(&format!("/api/search?q=rain+barrel&explain=true&{titles}"));
    assert_eq!(found["weights"], told["weights"]);
    let shares = array(&found["results"][0]["explain"]["shares"]);
    assert!(shares[0]["block"].is_null() && shares[0]["weight"] == 3);
    let sum: f64 = shares.iter().map(|it| it["share"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
    let alike = server.json("/api/weights?weights=1");
    assert!(alike["weights"].is_null() && alike["panel"]["confidence_of"].is_null());
    assert!(server.json("/api/weights?weights=2")["panel"].is_null());
}

const COMMA: &str = "content-tree:n=3,base=boilerpipe-default";

/// What a histogram says a threshold keeps is what it keeps.
#[test]
fn histograms_agree_with_filters() {
    let (_place, server) = demo();
    let manifest = server.json("/api/manifest");
    let histograms = array(&manifest["histograms"]);
    assert_eq!(histograms.len(), 3);
    for histogram in histograms {
        let name = histogram["filter"].as_str().unwrap();
        let bins: Vec<u64> = array(&histogram["blocks"])
            .iter()
            .map(|it| it.as_u64().unwrap())
            .collect();
        assert_eq!(
            bins.iter().sum::<u64>(),
            manifest["blocks"].as_u64().unwrap()
        );
        let width = histogram["width"].as_f64().unwrap();
        for (at, _) in bins.iter().enumerate() {
            let passing = match name.starts_with("min_") {
                true => &bins[at..],
                false => &bins[..=at],
            };
            // Two decimals are all that a threshold here has.
            let threshold = format!("{:.2}", at as f64 * width);
            let threshold = threshold.trim_end_matches('0').trim_end_matches('.');
            let found = server.json(&format!("/api/search?q=rain&{name}={threshold}&k=1"));
            let kept = found["kept"]["blocks"].as_u64().unwrap();
            assert_eq!(passing.iter().sum::<u64>(), kept, "{name}={threshold}");
        }
    }
}

#[test]
fn sweeps_are_those_of_the_command_line() {
    let (place, server) = demo();
    for (vary, parameters, flags) in [
        ("min_words", "", "--vary min-words=0..100"),
        (
            "max_link_density",
            "&model=qld&min_words=3",
            "--vary max-link-density=0..1:0.05 --model qld --min-words 3",
        ),
        (
            "min_density",
            "&extractor=bte&stats=collection",
            "--vary min-density=0..20:0.5 --extractor bte --stats collection",
        ),
    ] {
        let line = format!("sweep --index ix --topics topics.xml --qrels qrels.txt --json {flags}");
        let expected: Value = serde_json::from_str(&place.run(&line).out).unwrap();
        let found = server.swept(&format!("/api/sweep?vary={vary}{parameters}"));
        for key in ["measures", "topics", "lines", "references"] {
            assert_eq!(found[key], expected[key], "{line}: {key}");
        }
        // Now from what was kept.
        assert_eq!(
            server
                .get(&format!("/api/sweep?vary={vary}{parameters}"))
                .status,
            200
        );
    }
}

/// Regression: pages that repeat a docid were counted in the manifest, and judgments were given to them in sweeps.
#[test]
fn repeated_docids_are_served_once() {
    let (place, server) = demo();
    let arguments = "--index ix --topics topics.xml --qrels qrels.txt";
    let twice = Server::start(&place, arguments);
    assert_eq!(
        twice.json("/api/manifest"),
        server.json("/api/manifest"),
        "the same pages twice"
    );
    let sweep = "/api/sweep?vary=max_link_density";
    let (of_twice, of_one) = (twice.swept(sweep), server.swept(sweep));
    assert_eq!(of_twice["lines"], of_one["lines"]);
    assert!(of_one["references"][0]["result"]["means"][0].as_f64() > Some(0.1));
}

#[test]
fn mistakes_are_told_in_words() {
    let (_place, server) = demo();
    for (address, status, error) in [
        ("/api/search", 400, "q: there is no query"),
        ("/api/search?q=", 400, "q: there is no query"),
        ("/api/search?q=the", 400, "the query 'the' has no word"),
        ("/api/search?q=rai*", 400, "word beginnings with *"),
        (
            "/api/search?q=rain&topic=1",
            400,
            "q and topic exclude each other",
        ),
        (
            "/api/search?topic=none",
            400,
            "topic: there is no topic 'none'",
        ),
        (
            "/api/search?q=rain&min_words=-1",
            400,
            "min_words: '-1' is no whole number",
        ),
        ("/api/search?q=rain&min_density=x", 400, "min_density: "),
        (
            "/api/search?q=rain&max_link_density=0.1.2",
            400,
            "max_link_density: ",
        ),
        (
            "/api/search?q=rain&extractor=none",
            400,
            "extractor: the index has no labels of 'none'; it has: bte",
        ),
        (
            "/api/search?q=rain&model=bm26",
            400,
            "model: 'bm26' is no ranking model",
        ),
        (
            "/api/search?q=rain&model=bm25%2Brm3:docs=101",
            400,
            "more than 100 feedback pages",
        ),
        (
            "/api/search?q=rain&k=0",
            400,
            "k: 0 is not between 1 and 100",
        ),
        ("/api/search?q=rain&k=101", 400, "k: 101 is not"),
        ("/api/search?q=rain&from=1001", 400, "from: 1001 is not"),
        (
            "/api/search?q=rain&unit=line",
            400,
            "unit: 'line' is none of page, block",
        ),
        (
            "/api/search?q=rain&explain=1",
            400,
            "explain: '1' is neither true nor false",
        ),
        (
            "/api/search?q=rain&q=snow",
            400,
            "the parameter 'q' stands twice",
        ),
        (
            "/api/search?q=rain&minwords=3",
            400,
            "there is no parameter 'minwords'",
        ),
        (
            "/api/search?q=rain&weights=2*wrods",
            400,
            "weights: there is no attribute 'wrods'\n    2*wrods\n      ^^^^^",
        ),
        (
            "/api/weights?weights=confidence(none)",
            400,
            "\n    confidence(none)\n               ^^^^",
        ),
        (
            "/api/weights?weights=1&q=rain",
            400,
            "there is no parameter 'q'",
        ),
        ("/api/page", 400, "docid: there is none"),
        ("/api/page/none", 404, "there is no page 'none'"),
        ("/api/page/%FF", 400, "docid: what the path has is no UTF-8"),
        ("/api/page/none?count=1001", 400, "count: 1001 is not"),
        ("/api/sweep", 400, "vary: nothing varies"),
        (
            "/api/sweep?vary=words",
            400,
            "vary: 'words' is none of min_words, max_words",
        ),
        (
            "/api/sweep?vary=min_words&min_words=3",
            400,
            "min-words varies and is set",
        ),
        ("/api/manifest?a=b", 400, "there is no parameter 'a'"),
        ("/api/", 404, "there is nothing at /api/"),
        ("/assets/../../Cargo.toml", 404, "there is nothing"),
        ("/assets/%2e%2e/%2e%2e/Cargo.toml", 404, "there is nothing"),
        ("//etc/passwd", 404, "there is nothing"),
    ] {
        let answer = server.get(address);
        assert_eq!(answer.status, status, "{address}: {}", answer.body);
        let problem: Value = serde_json::from_str(&answer.body).unwrap_or(Value::Null);
        let text = problem["error"].as_str().unwrap_or("");
        assert!(text.contains(error), "{address}: {}", answer.body);
        assert!(
            answer.headers.contains("content-security-policy"),
            "{}",
            answer.headers
        );
    }
    let long = "rain+".repeat(300);
    let answer = server.get(&format!("/api/search?q={long}"));
    assert_eq!(answer.status, 400);
    assert!(
        answer
            .body
            .contains("q: the query has 1500 bytes, more than 1000"),
        "{}",
        answer.body
    );
}

#[test]
fn without_topics_or_judgments() {
    let place = cli_sweep::place();
    let server = Server::start(&place, "");
    assert!(server.json("/api/manifest")["sweep"].is_null());
    let answer = server.get("/api/sweep?vary=min_words");
    assert_eq!(answer.status, 404);
    assert!(
        answer.body.contains("--topics and --qrels"),
        "{}",
        answer.body
    );
    assert!(server.get("/api/search?topic=1").body.contains("--topics"));
    let server = Server::start(&place, "--topics topics.xml");
    let sweep = &server.json("/api/manifest")["sweep"];
    assert!(!array(&sweep["topics"]).is_empty() && array(&sweep["measures"]).is_empty());
    assert_eq!(
        server.json("/api/search?topic=1")["results"][0]["grade"],
        Value::Null
    );
}

/// Docids, titles and texts that mean something to a browser, an address or a terminal come as they are.
#[test]
fn hostile_texts() {
    let place = Place::empty();
    let docids = [
        "<script>alert(1)</script>",
        "a/b/../c?d#e&f=g%2fh",
        "..",
        "\u{1b}[31mred\u{202e}",
        "\"><img src=x onerror=alert(1)>",
        "ein Wort mit Leerzeichen",
    ];
    let lines = docids.map(|docid| {
        let html = "<title>&lt;script>alert(2)&lt;/script></title><p>barrel &lt;img src=x onerror=alert(3)> \u{7}";
        serde_json::json!({"docid": docid, "html": html, "url": "javascript:alert(4)"}).to_string()
    });
    place.write("pages.jsonl", lines.join("\n"));
    place.check("index --index ix pages.jsonl", 0, "", "6 pages");
    let server = Server::start(&place, "");
    let answer = server.get("/api/search?q=barrel");
    assert!(
        answer
            .headers
            .contains("content-type: application/json\r\n")
    );
    assert!(answer.headers.contains("x-content-type-options: nosniff"));
    let found: Value = serde_json::from_str(&answer.body).unwrap();
    for docid in docids {
        let mut results = array(&found["results"]).iter();
        assert!(results.any(|it| it["docid"] == docid), "{docid}");
        let encoded: String = docid.bytes().map(|byte| format!("%{byte:02X}")).collect();
        for address in [
            format!("/api/page/{encoded}"),
            format!("/api/page?docid={encoded}"),
        ] {
            let page = server.json(&address);
            assert_eq!(page["docid"], docid);
            assert_eq!(page["title"], "<script>alert(2)</script>");
            assert_eq!(page["url"], "javascript:alert(4)");
        }
    }
}

#[test]
fn ends_when_asked_and_says_what_is_wrong_at_start() {
    let (place, server) = demo();
    let port = server.address.port();
    let line = format!("serve --index ix --port {port}");
    place.check(&line, 2, "", "--port 0, any that is free");
    place.check("serve --index none", 2, "", "none");
    place.check("serve --index ix --qrels qrels.txt", 2, "", "--topics");
    place.check(
        "serve --index ix --topics topics.xml --topic-field none --port 0",
        2,
        "",
        "no field 'none'",
    );
    #[cfg(unix)]
    {
        let mut server = server;
        // A connection that lies idle does not hold up the end.
        let idle = TcpStream::connect(server.address).unwrap();
        assert_eq!(server.get("/").status, 200);
        assert_eq!(server.interrupt(), Some(0));
        drop(idle);
    }
}
