//! What `trommel serve` takes: many clients at once, then the same with others who hold connections open and send too much.
//!
//! `cargo bench --bench serve -- INDEX TOPICS [--clients=200] [--seconds=30]`. Server and clients share the machine's cores, so
//! the rate is that of both together; the CPU time of each is printed. All goes over loopback.
//!
//! Every client has one connection and asks as soon as it is answered: searches for a topic's title under changing
//! thresholds, pages that were found, the manifest. The second phase adds 100 connections that send a byte of their headers a second, and
//! requests that are too large (`docs/api.md` has the limits). The exit status is 1 if a well-behaved client saw anything but
//! status 200, or what is over the limits was not refused.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use trommel::text::SplitMix64;
use trommel::trec::topics;

/// Connections whose headers never end, and how long each may live: 5 s by the limit, and as much for a busy machine.
const SLOW: usize = 100;
const SLOW_LIMIT: Duration = Duration::from_secs(10);
/// Clients that ask for too much, each again and again with a pause.
const GREEDY: usize = 6;
const GREEDY_PAUSE: Duration = Duration::from_millis(100);
/// Connections at once, by the limit.
const CONNECTIONS: usize = 512;
/// When memory is read, in parts of a phase.
const READINGS: u32 = 3;
/// Longer than a request may wait for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

struct Options {
    index: PathBuf,
    topics: PathBuf,
    clients: usize,
    seconds: u32,
}

impl Options {
    /// None where nobody named an index: as a part of `cargo bench` or `cargo test --benches`.
    fn read() -> Option<Options> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let number = |name: &str, default| {
            let mut given = arguments.iter();
            let value =
                given.find_map(|a| a.strip_prefix("--")?.strip_prefix(name)?.strip_prefix('='));
            value.map_or(default, |n| n.parse().expect("a number"))
        };
        let mut paths = arguments.iter().filter(|a| !a.starts_with("--"));
        Some(Options {
            index: PathBuf::from(paths.next()?),
            topics: PathBuf::from(paths.next()?),
            clients: number("clients", 200),
            seconds: number("seconds", 30) as u32,
        })
    }
}

/// The server, ended with the value.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(options: &Options) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trommel"))
            .args(["serve", "--port", "0", "--index"])
            .arg(&options.index)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("its address");
        let address = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        assert!(!address.is_empty(), "the server says where it listens");
        Server { child, address }
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn request(&self, target: &str) -> String {
        format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address)
    }

    /// Memory that is the server's own (and not the index's files), in MiB.
    fn anonymous(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let line = |text: String| -> Option<f64> {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix("RssAnon:"))?;
            line.trim().strip_suffix(" kB")?.parse().ok()
        };
        status.ok().and_then(line).unwrap_or(f64::NAN) / 1024.0
    }

    /// CPU seconds that it has used, by the kernel's count of 100 a second.
    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let ticks = |text: String| -> Option<u32> {
            let (_, rest) = text.rsplit_once(") ")?;
            // utime and stime are fields 14 and 15 of proc(5); the third is the first after the name.
            let mut fields = rest.split(' ').skip(11).map(str::parse::<u32>);
            Some(fields.next()?.ok()? + fields.next()?.ok()?)
        };
        stat.ok()
            .and_then(ticks)
            .map_or(f64::NAN, |ticks| f64::from(ticks) / 100.0)
    }
}

fn main() -> ExitCode {
    let Some(options) = Options::read() else {
        println!("no index: cargo bench --bench serve -- INDEX TOPICS");
        return ExitCode::SUCCESS;
    };
    let server = Server::start(&options);
    let queries: Vec<String> = topics::read_file(&options.topics)
        .expect("topics")
        .topics
        .iter()
        .map(|topic| topic.text("title").expect("a title").to_owned())
        .collect();
    let docids = found(&server, &queries);
    println!(
        "{} clients, {} s a phase; {} queries, {} pages; {} cores for server and clients\n",
        options.clients,
        options.seconds,
        queries.len(),
        docids.len(),
        thread::available_parallelism().map_or(0, usize::from)
    );
    let mut good = true;
    for hostile in [false, true] {
        good &= phase(&server, &options, &queries, &docids, hostile);
    }
    good &= crowd(&server);
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Docids that the queries find.
fn found(server: &Server, queries: &[String]) -> Vec<String> {
    let mut stream = server.connect().expect("a connection");
    let mut docids = Vec::new();
    for query in queries {
        let target = format!("/api/search?literal=true&q={}", encoded(query));
        let answer = ask(&mut stream, &server.request(&target)).expect("an answer");
        assert_eq!(
            answer.status,
            200,
            "{}",
            String::from_utf8_lossy(&answer.body)
        );
        let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
        let results = body["results"].as_array().expect("results");
        docids.extend(
            results
                .iter()
                .filter_map(|one| Some(one["docid"].as_str()?.to_owned())),
        );
    }
    docids
}

/// What came of the requests of one client or of all.
#[derive(Default)]
struct Tally {
    /// Milliseconds of those that were answered with 200.
    times: Vec<f64>,
    /// All others by what came of them.
    others: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.times.extend(other.times);
        for (what, count) in other.others {
            *self.others.entry(what).or_default() += count;
        }
    }

    fn other(&mut self, what: impl Into<String>) {
        *self.others.entry(what.into()).or_default() += 1;
    }

    fn others(&self) -> String {
        let mut text = String::new();
        for (what, count) in &self.others {
            let _ = write!(
                text,
                "{}{what}: {count}",
                if text.is_empty() { "" } else { ", " }
            );
        }
        if text.is_empty() {
            "none".to_owned()
        } else {
            text
        }
    }
}

/// One phase: well-behaved clients, and with `hostile` the others. Prints what came of them; false if something was not as it has to be.
fn phase(
    server: &Server,
    options: &Options,
    queries: &[String],
    docids: &[String],
    hostile: bool,
) -> bool {
    let length = Duration::from_secs(options.seconds.into());
    println!(
        "{}",
        if hostile {
            "\n## With slow and greedy clients\n"
        } else {
            "## Well-behaved clients\n"
        }
    );
    println!("| second | server's anonymous memory, MiB |\n|---|---|");
    println!("| 0 | {:.1} |", server.anonymous());
    let cpu = (server.cpu(), own_cpu());
    let over = AtomicBool::new(false);
    let begin = Instant::now();
    let (all, slow, greedy) = thread::scope(|scope| {
        let spawn = |n: usize| {
            let over = &over;
            let work = move || client(server, queries, docids, n as u64, over);
            thread::Builder::new()
                .stack_size(256 << 10)
                .spawn_scoped(scope, work)
                .expect("a thread")
        };
        let clients: Vec<_> = (0..options.clients).map(spawn).collect();
        let slow = hostile.then(|| scope.spawn(|| slow(server, &over)));
        let greedy: Vec<_> = (0..if hostile { GREEDY } else { 0 })
            .map(|n| {
                scope.spawn({
                    let over = &over;
                    move || greedy(server, n, over)
                })
            })
            .collect();
        for reading in 1..=READINGS {
            thread::sleep((length * reading / READINGS).saturating_sub(begin.elapsed()));
            println!(
                "| {} | {:.1} |",
                options.seconds * reading / READINGS,
                server.anonymous()
            );
        }
        over.store(true, Relaxed);
        let mut all = Tally::default();
        clients
            .into_iter()
            .for_each(|one| all.add(one.join().expect("a client")));
        let mut refused = Tally::default();
        greedy
            .into_iter()
            .for_each(|one| refused.add(one.join().expect("a greedy client")));
        (
            all,
            slow.map(|one| one.join().expect("the slow ones")),
            refused,
        )
    });
    let seconds = begin.elapsed().as_secs_f64();
    let mut times = all.times.clone();
    times.sort_by(f64::total_cmp);
    let share = |share: f64| match times.len() {
        0 => f64::NAN,
        n => times[(share * (n - 1) as f64).round() as usize],
    };
    println!(
        "\n| requests | a second | p50 ms | p95 ms | p99 ms | not 200 | CPU s of the server | of the clients |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    println!(
        "| {} | {:.0} | {:.0} | {:.0} | {:.0} | {} | {:.1} | {:.1} |",
        times.len(),
        times.len() as f64 / seconds,
        share(0.5),
        share(0.95),
        share(0.99),
        all.others(),
        server.cpu() - cpu.0,
        own_cpu() - cpu.1
    );
    let mut good = !times.is_empty() && all.others.is_empty();
    if let Some((ended, longest)) = slow {
        println!(
            "\nslow: {} connections ended by the server, the longest after {:.1} s: {}",
            ended.times.len(),
            longest.as_secs_f64(),
            ended.others()
        );
        println!("greedy: {}", greedy.others());
        good &= !ended.times.is_empty() && longest < SLOW_LIMIT;
        // Anything but an answer, or the end of the connection.
        good &= !greedy.others.keys().any(|what| {
            what.contains("status 2") || what.contains("timed out") || what.contains("would block")
        });
    }
    good
}

/// Asks until it is over.
fn client(
    server: &Server,
    queries: &[String],
    docids: &[String],
    n: u64,
    over: &AtomicBool,
) -> Tally {
    let mut random = SplitMix64::new(n);
    let mut tally = Tally::default();
    let mut stream = None;
    while !over.load(Relaxed) {
        let target = target(&mut random, queries, docids);
        let begin = Instant::now();
        let answer = match stream.take().map_or_else(|| server.connect(), Ok) {
            Ok(mut open) => {
                let answer = ask(&mut open, &server.request(&target));
                if answer.as_ref().is_ok_and(|answer| !answer.last) {
                    stream = Some(open);
                }
                answer
            }
            Err(error) => Err(error),
        };
        match answer {
            Ok(answer) if answer.status == 200 && answer.body.starts_with(b"{") => {
                tally.times.push(begin.elapsed().as_secs_f64() * 1000.0);
            }
            Ok(answer) => tally.other(format!("status {}", answer.status)),
            Err(error) => tally.other(error.kind().to_string()),
        }
    }
    tally
}

/// Nine searches, a page, and once in a while the manifest.
fn target(random: &mut SplitMix64, queries: &[String], docids: &[String]) -> String {
    let query = encoded(&queries[random.below(queries.len())]);
    match random.below(20) {
        0 => "/api/manifest".to_owned(),
        1 | 2 => format!(
            "/api/page?docid={}&min_words={}",
            encoded(&docids[random.below(docids.len())]),
            random.below(60)
        ),
        3 | 4 => format!("/api/search?literal=true&q={query}"),
        5..=8 => format!(
            "/api/search?literal=true&q={query}&max_link_density=0.{:02}",
            random.below(100)
        ),
        _ => format!(
            "/api/search?literal=true&q={query}&min_words={}",
            random.below(101)
        ),
    }
}

/// Holds connections by sending a byte a second. Gives those that the server ended, and how long the longest lived.
fn slow(server: &Server, over: &AtomicBool) -> (Tally, Duration) {
    let mut tally = Tally::default();
    let mut longest = Duration::ZERO;
    let mut open: Vec<(TcpStream, Instant, u64)> = Vec::new();
    while !over.load(Relaxed) {
        while open.len() < SLOW {
            match server.connect() {
                Ok(mut stream) => {
                    let start = format!("GET / HTTP/1.1\r\nHost: {}\r\nX-Slow: ", server.address);
                    let _ = stream.write_all(start.as_bytes());
                    stream.set_nonblocking(true).expect("a mode");
                    open.push((stream, Instant::now(), 0));
                }
                Err(error) => {
                    tally.other(error.kind().to_string());
                    break;
                }
            }
        }
        open.retain_mut(|(stream, begin, sent)| {
            let age = begin.elapsed();
            longest = longest.max(age);
            let mut answer = [0; 256];
            let end = match stream.read(&mut answer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if age.as_secs() > *sent {
                        *sent += 1;
                        let _ = stream.write(b"x");
                    }
                    return true;
                }
                Err(error) => error.kind().to_string(),
                Ok(0) => "closed".to_owned(),
                Ok(n) => String::from_utf8_lossy(&answer[..n])
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            };
            tally.times.push(age.as_secs_f64() * 1000.0);
            tally.other(end);
            false
        });
        thread::sleep(Duration::from_millis(50));
    }
    (tally, longest)
}

/// Asks for too much again and again; what comes of it is counted by kind.
fn greedy(server: &Server, n: usize, over: &AtomicBool) -> Tally {
    let host = &server.address;
    let large = "x".repeat(1_000_000);
    let (kind, request) = match n % GREEDY {
        0 => (
            "headers of 20 KB",
            format!(
                "GET / HTTP/1.1\r\nHost: {host}\r\nX-Large: {}\r\n\r\n",
                &large[..20_000]
            ),
        ),
        1 => (
            "headers of 1 MB",
            format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Large: {large}\r\n\r\n"),
        ),
        2 => (
            "address of 100 KB",
            format!(
                "GET /api/search?q={} HTTP/1.1\r\nHost: {host}\r\n\r\n",
                &large[..100_000]
            ),
        ),
        3 => (
            "body of 1 MB",
            format!(
                "GET /api/manifest HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000\r\n\r\n{large}"
            ),
        ),
        4 => (
            "body of 1 MB, posted",
            format!(
                "POST /api/search?q=a HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000\r\n\r\n{large}"
            ),
        ),
        _ => (
            "body of 1 MB in chunks",
            format!(
                "GET /api/manifest HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nF4240\r\n{large}\r\n0\r\n\r\n"
            ),
        ),
    };
    let mut tally = Tally::default();
    while !over.load(Relaxed) {
        let answer = server.connect().and_then(|mut stream| {
            // A server that has refused may close before all is sent.
            let _ = stream.write_all(request.as_bytes());
            receive(&mut stream)
        });
        tally.other(match answer {
            Ok(answer) => format!("{kind}: status {}", answer.status),
            Err(error) => format!("{kind}: {}", error.kind()),
        });
        thread::sleep(GREEDY_PAUSE);
    }
    tally
}

/// Opens more connections than there may be at once, then sees that others are answered when they have gone.
fn crowd(server: &Server) -> bool {
    let mut open = Vec::new();
    let mut tally = Tally::default();
    for _ in 0..CONNECTIONS + 40 {
        match server.connect() {
            Ok(mut stream) => {
                stream
                    .set_read_timeout(Some(Duration::from_millis(1)))
                    .expect("a time");
                match receive(&mut stream) {
                    Ok(answer) => tally.other(format!("status {}", answer.status)),
                    Err(error)
                        if matches!(
                            error.kind(),
                            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                        ) =>
                    {
                        tally.other("open")
                    }
                    Err(error) => tally.other(error.kind().to_string()),
                }
                open.push(stream);
            }
            Err(error) => tally.other(error.kind().to_string()),
        }
    }
    println!(
        "\n{} idle connections at once: {}",
        open.len(),
        tally.others()
    );
    drop(open);
    let begin = Instant::now();
    let answered = loop {
        let answer = server
            .connect()
            .and_then(|mut stream| ask(&mut stream, &server.request("/api/manifest")));
        match answer {
            Ok(answer) if answer.status == 200 => break true,
            _ if begin.elapsed() > PATIENCE => break false,
            _ => thread::sleep(Duration::from_millis(20)),
        }
    };
    println!(
        "answered again after {:.2} s",
        begin.elapsed().as_secs_f64()
    );
    let held = tally.others.get("open").copied().unwrap_or_default();
    answered && held <= CONNECTIONS
}

struct Answer {
    status: u16,
    body: Vec<u8>,
    /// The server closes the connection.
    last: bool,
}

fn ask(stream: &mut TcpStream, request: &str) -> io::Result<Answer> {
    stream.write_all(request.as_bytes())?;
    receive(stream)
}

/// Reads an answer with a length, as all of the server's have.
fn receive(stream: &mut TcpStream) -> io::Result<Answer> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 << 10];
    let ended = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let strange = || io::Error::from(io::ErrorKind::InvalidData);
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        match stream.read(&mut buffer)? {
            0 => return Err(ended()),
            n => bytes.extend_from_slice(&buffer[..n]),
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let status = text
        .get(9..12)
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(strange)?;
    let header = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
    };
    let length = header("content-length")
        .map_or(Some(0), |length| length.parse().ok())
        .ok_or_else(strange)?;
    let last = header("connection") == Some("close");
    let mut body = bytes.split_off(head + 4);
    while body.len() < length {
        match stream.read(&mut buffer)? {
            0 => return Err(ended()),
            n => body.extend_from_slice(&buffer[..n]),
        }
    }
    Ok(Answer { status, body, last })
}

/// A text as the value of a parameter.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                encoded.push(byte.into())
            }
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
        encoded
    })
}

/// CPU seconds that this process has used.
fn own_cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
