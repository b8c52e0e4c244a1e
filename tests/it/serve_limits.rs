//! `trommel serve` against clients that mean harm, or are broken: refused, while others are served.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use trommel::serve::limits;

use crate::cli_sweep;
use crate::serve::{Answer, Server, answer};

fn server() -> (crate::cli::Place, Server) {
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
    for host in [
        "Host: evil.example\r\n",
        "Host:\r\n",
        "",
        "Host: localhost.evil.example\r\n",
        "Host: evil.example\r\nHost: localhost\r\n",
    ] {
        let Answer { status, body, .. } = ask(host);
        assert!(status == 403 || status == 400, "{host}: {status} {body}");
        assert!(!body.contains("<html"), "{host}: {body}");
    }
    let absolute = "GET http://evil.example/api/manifest HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(absolute.as_bytes()).status, 403);
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
