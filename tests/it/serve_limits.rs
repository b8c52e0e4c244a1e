//! `trommel serve` against clients that mean harm, or are broken: refused, while others are served.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use trommel::serve::limits;

use crate::cli::Place;
use crate::cli_sweep;
use crate::serve::{Answer, Server, answer, array};

fn server() -> (Place, Server) {
    let place = cli_sweep::place();
    let server = Server::start(&place, "--allow-host search.example");
    (place, server)
}

#[track_caller]
fn check_served(server: &Server) {
    let begun = Instant::now();
    assert_eq!(server.get("/api/search?q=rain&min_words=5").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn requests_for_other_hosts() {
    let (_place, server) = server();
    let ask = |host: &str| {
        server.send(format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n").as_bytes())
    };
    for host in [
        "Host: localhost\r\n",
        "Host: 127.0.0.1:1\r\n",
        "Host: [::1]\r\n",
        "host: SEARCH.example:80\r\n",
    ] {
        assert_eq!(ask(host).status, 200, "{host}");
    }
    for (host, expected) in [
        ("Host: evil.example\r\n", 403),
        ("Host:\r\n", 403),
        ("Host: localhost.evil.example\r\n", 403),
        ("", 400),
        ("Host: evil.example\r\nHost: localhost\r\n", 400),
        ("Host: localhost\r\nHost: localhost\r\n", 400),
        ("Host: local\u{e9}\r\n", 400),
    ] {
        let Answer { status, body, .. } = ask(host);
        assert_eq!(status, expected, "{host}: {body}");
        assert!(body.starts_with("{\"error\":"), "{host}: {body}");
    }
    let absolute = "GET http://evil.example/api/manifest HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(absolute.as_bytes()).status, 403);
}

/// The page of another site could have a browser start sweeps here.
#[test]
fn requests_that_other_sites_start() {
    let (_place, server) = server();
    for (address, header, status) in [
        ("/api/manifest", "Sec-Fetch-Site: same-origin", 200),
        ("/api/manifest", "Sec-Fetch-Site: none", 200),
        ("/api/manifest", "Sec-Fetch-Site: cross-site", 403),
        ("/api/manifest", "Sec-Fetch-Site: same-site", 403),
        ("/api/manifest", "Origin: http://localhost", 200),
        ("/api/manifest", "Origin: http://evil.example", 403),
        ("/api/manifest", "Origin: null", 403),
        ("/assets/style.css", "Sec-Fetch-Site: cross-site", 403),
        ("/", "Sec-Fetch-Site: cross-site", 403),
        (
            "/",
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document",
            200,
        ),
        (
            "/api/sweep?vary=min_words",
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document",
            403,
        ),
    ] {
        let request = format!(
            "GET {address} HTTP/1.1\r\nHost: localhost\r\n{header}\r\nConnection: close\r\n\r\n"
        );
        let answer = server.send(request.as_bytes());
        assert_eq!(answer.status, status, "{address} {header}: {}", answer.body);
        if status == 403 {
            assert!(answer.body.contains("another site"), "{}", answer.body);
        }
    }
}

/// One GET for such a page once gave 360 MB.
#[test]
fn a_page_of_the_querys_words_alone_is_answered_in_parts() {
    let place = Place::empty();
    let paragraph = format!("<p>{}</p>", "ab ".repeat(10_000));
    let html = paragraph.repeat(100);
    let line = serde_json::json!({"docid": "a", "html": html, "title": "ab ".repeat(10_000)});
    place.write("a.jsonl", line.to_string());
    place.check("index --index ix a.jsonl", 0, "", "1 page");
    let server = Server::start(&place, "");
    let (mut from, mut answers) = (0, 0);
    loop {
        let address = format!("/api/page?docid=a&count=1000&q=ab&from={from}");
        let answer = server.get(&address);
        assert_eq!(answer.status, 200);
        let most = limits::ANSWER_BYTES + 4 * limits::BLOCK_BYTES;
        assert!(answer.body.len() <= most, "{} bytes", answer.body.len());
        let page: Value = serde_json::from_str(&answer.body).unwrap();
        for block in array(&page["blocks"]) {
            assert_eq!(block["block"], from);
            assert_eq!(block["cut"], true);
            let parts = array(&block["parts"]).iter();
            let text: String = parts.map(|it| it.as_str().unwrap()).collect();
            assert_eq!(text.len(), limits::BLOCK_BYTES);
            from += 1;
        }
        answers += 1;
        match page["next"].as_u64() {
            Some(next) => assert_eq!(next, from),
            None => break,
        }
    }
    assert_eq!(from, 100);
    assert!(answers > 1);
}

/// Results are long where titles are, and where a word never ends.
#[test]
fn long_results_are_answered_in_parts() {
    let place = Place::empty();
    let lines = (0..60).map(|page| {
        let html = format!(
            "<title>{}</title><p>barrel{}</p>",
            "title ".repeat(10_000),
            " barrel".repeat(3) + &"x".repeat(60_000)
        );
        serde_json::json!({"docid": format!("p{page}"), "html": html}).to_string() + "\n"
    });
    place.write("a.jsonl", lines.collect::<String>());
    place.check("index --index ix a.jsonl", 0, "", "60 pages");
    let server = Server::start(&place, "");
    let mut docids = Vec::new();
    let mut from = Some(0);
    let mut answers = 0;
    while let Some(next) = from {
        let answer = server.get(&format!("/api/search?q=barrel&k=100&from={next}"));
        assert!(answer.body.len() <= limits::ANSWER_BYTES + 8 * limits::BLOCK_BYTES);
        let found: Value = serde_json::from_str(&answer.body).unwrap();
        let results = array(&found["results"]).iter();
        docids.extend(results.map(|it| it["docid"].to_string()));
        from = found["next"].as_u64();
        answers += 1;
    }
    assert!(answers > 1);
    docids.sort();
    docids.dedup();
    assert_eq!(docids.len(), 60);
}

/// A sweep of two seconds a step once held up all others for minutes.
#[test]
fn sweeps_can_be_broken_off() {
    let place = cli_sweep::place();
    let server = Server::start(&place, "--topics topics.xml --qrels qrels.txt");
    let slow = "/api/sweep?vary=min_words&model=qld%2Brm3:docs=100,terms=100";
    let quick = "/api/sweep?vary=max_link_density";
    let state = |answer: &Answer| -> Value {
        let value: Value = serde_json::from_str(&answer.body).unwrap();
        value["state"].clone()
    };
    let delete = |address: &str, more: &str| {
        server.send(
            format!(
                "DELETE {address} HTTP/1.1\r\nHost: localhost\r\n{more}Connection: close\r\n\r\n"
            )
            .as_bytes(),
        )
    };
    assert_eq!(state(&delete(slow, "")), "not running");
    assert_eq!(state(&server.get(slow)), "running");
    assert_eq!(state(&server.get(quick)), "waiting");
    assert_eq!(delete(slow, "Sec-Fetch-Site: cross-site\r\n").status, 403);
    assert_eq!(state(&delete(quick, "")), "not running");
    assert_eq!(state(&delete(slow, "")), "ending");
    server.swept(quick);
    // Nothing is left of the other one.
    assert_eq!(state(&server.get(slow)), "running");
    assert_eq!(server.get("/api/sweep?vary=nothing").status, 400);
    assert_eq!(delete("/api/sweep?vary=nothing", "").status, 400);
}

#[test]
fn sweeps_of_too_much_work_are_refused() {
    let place = cli_sweep::place();
    let topics: String = (0..60).map(|topic| format!("t{topic}:rain\n")).collect();
    place.write("many.txt", topics);
    place.write("many.qrels", "t0 0 demo-plot-0004 1\n");
    let server = Server::start(&place, "--topics many.txt --qrels many.qrels");
    let answer = server.get("/api/sweep?vary=min_words&model=bm25%2Brm3:docs=100,terms=100");
    assert_eq!(answer.status, 400);
    let says = "102 steps × 60 topics × 201 (by the model) are 1230120, more than 1000000";
    assert!(answer.body.contains(says), "{}", answer.body);
    server.swept("/api/sweep?vary=max_link_density");
}

#[test]
fn requests_that_are_none() {
    let (_place, server) = server();
    let head = "Host: localhost\r\n";
    for (request, status) in [
        (
            format!("POST /api/search?q=rain HTTP/1.1\r\n{head}Content-Length: 0\r\n\r\n"),
            405,
        ),
        (format!("DELETE / HTTP/1.1\r\n{head}\r\n"), 405),
        (format!("POST /api/sweep HTTP/1.1\r\n{head}\r\n"), 405),
        (format!("OPTIONS * HTTP/1.1\r\n{head}\r\n"), 405),
        (
            format!("GET / HTTP/1.1\r\n{head}Content-Length: 5\r\n\r\nhello"),
            413,
        ),
        (
            format!("GET / HTTP/1.1\r\n{head}Content-Length: 99999999999\r\n\r\n"),
            413,
        ),
        (
            format!(
                "GET / HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
            ),
            413,
        ),
        (
            format!("GET /{} HTTP/1.1\r\n{head}\r\n", "a".repeat(100_000)),
            431,
        ),
        (
            format!(
                "GET / HTTP/1.1\r\n{head}X-Long: {}\r\n\r\n",
                "a".repeat(100_000)
            ),
            431,
        ),
        (
            format!("GET / HTTP/1.1\r\n{head}{}\r\n", "X: y\r\n".repeat(1000)),
            431,
        ),
        ("hello\r\n\r\n".to_owned(), 400),
        ("\u{16}\u{3}\u{1}\r\n\r\n".to_owned(), 400),
    ] {
        let answer = server.send(request.as_bytes());
        let shown: String = request.chars().take(60).collect();
        assert_eq!(answer.status, status, "{shown}: {}", answer.headers);
    }
    let answer = server.send(
        format!("HEAD /api/search?q=rain HTTP/1.1\r\n{head}Connection: close\r\n\r\n").as_bytes(),
    );
    assert_eq!((answer.status, answer.body.as_str()), (200, ""));
    check_served(&server);
}

/// Clients that send their headers byte by byte, or nothing: their connections are closed, and others are served meanwhile.
#[test]
fn slow_clients() {
    let (_place, server) = server();
    let begun = Instant::now();
    let mut silent: Vec<TcpStream> = Vec::new();
    let mut slow: Vec<TcpStream> = Vec::new();
    for _ in 0..100 {
        silent.push(TcpStream::connect(server.address).unwrap());
        slow.push(TcpStream::connect(server.address).unwrap());
    }
    let mut idle = TcpStream::connect(server.address).unwrap();
    idle.write_all(b"GET /api/search?q=rain HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    let mut request = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
        .iter()
        .chain(b"a".iter().cycle());
    while begun.elapsed() < limits::HEADERS + Duration::from_secs(2) {
        let byte = [*request.next().unwrap()];
        for stream in &mut slow {
            // Once it is closed there is nothing to write to.
            let _ = stream.write_all(&byte);
        }
        check_served(&server);
        sleep(Duration::from_millis(200));
    }
    for mut stream in silent.into_iter().chain(slow) {
        let timeout = Some(Duration::from_secs(5));
        stream.set_read_timeout(timeout).unwrap();
        let mut rest = Vec::new();
        // Nothing more comes, or the connection is gone; one that were open still would time out.
        match stream.read_to_end(&mut rest) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}"),
        }
        let text = String::from_utf8(rest).unwrap();
        assert!(
            text.is_empty() || text.starts_with("HTTP/1.1 408"),
            "{text}"
        );
    }
    // One that lies idle after an answer is closed too.
    let answer = answer(&mut idle);
    assert_eq!(answer.status, 200);
    check_served(&server);
}

#[test]
fn too_many_connections() {
    let (_place, server) = server();
    let connect = || {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(5)))
            .unwrap();
        stream
            .write_all(b"GET /api/manifest HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (stream, String::from_utf8(status.to_vec()).unwrap())
    };
    let mut held = Vec::new();
    for _ in 0..limits::CONNECTIONS {
        let (stream, status) = connect();
        assert_eq!(status, "HTTP/1.1 200");
        held.push(stream);
    }
    // A client that has sent its request hears of it all the same.
    let mut stream = TcpStream::connect(server.address).unwrap();
    let _ = stream.write_all(b"GET /api/manifest HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let refused = answer(&mut stream);
    assert_eq!(refused.status, 503, "{}", refused.headers);
    let problem: serde_json::Value = serde_json::from_str(&refused.body).unwrap();
    assert_eq!(problem["error"], "too many connections at once");
    let length = format!("content-length: {}", refused.body.len());
    assert!(refused.headers.contains(&length), "{}", refused.headers);
    drop(held);
    let begun = Instant::now();
    while server.get("/api/manifest").status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(10));
        sleep(Duration::from_millis(10));
    }
}
