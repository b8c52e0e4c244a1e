//! Accepts connections, within limits of number and time.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{self, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::limits;
use super::options::ServeOptions;
use super::router::router;
use super::site::Site;
use super::taken::Taken;

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("{host}:{port}: {source}")]
    Listen {
        /// As it was given.
        host: String,
        /// As it was given.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// Threads or sockets cannot be had.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The index cannot be read.
    #[error("{0}")]
    Index(String),
}

/// What is sent where there is no place for a connection.
const REFUSED: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
    connection: close\r\ncontent-length: 40\r\n\r\n{\"error\":\"too many connections at once\"}";
/// How long no connection is accepted after one could not be: there may be no descriptors left.
const PAUSE: Duration = Duration::from_millis(100);

/// A server that listens, and does not answer yet.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    router: Router,
}

impl Server {
    /// Listens on an address; port 0 is any that is free. What comes is answered from [`Server::run`] on.
    ///
    /// # Errors
    /// The address cannot be listened on; the index cannot be read.
    pub fn listen(options: ServeOptions, host: &str, port: u16) -> Result<Server, ServeError> {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(options.threads.get())
            .enable_all()
            .build()?;
        let listen = |source| ServeError::Listen {
            host: host.to_owned(),
            port,
            source,
        };
        let listener = runtime
            .block_on(TcpListener::bind((host, port)))
            .map_err(listen)?;
        let site = Site::new(options).map_err(|problem| ServeError::Index(problem.error))?;
        Ok(Server {
            runtime,
            listener,
            router: router(site),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The operating system's.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        Ok(self.listener.local_addr()?)
    }

    /// Answers requests until the process is asked to end, by Ctrl-C or a signal; then ends what is under way.
    ///
    /// # Errors
    /// None yet; there may be some.
    pub fn run(self) -> Result<(), ServeError> {
        let Server {
            runtime,
            listener,
            router,
        } = self;
        runtime.block_on(serve(&listener, &router, end_asked_for()));
        // A search that is still computing is not waited for.
        runtime.shutdown_background();
        Ok(())
    }
}

async fn serve(listener: &TcpListener, router: &Router, end: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let refusals = Arc::new(Semaphore::new(limits::REFUSALS));
    let (ending, ended) = watch::channel(());
    let mut end = pin!(end);
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        match (stream, Arc::clone(&places).try_acquire_owned()) {
            (Err(_), _) => sleep(PAUSE).await,
            (Ok((stream, _)), Err(_)) => refuse(stream, &refusals),
            (Ok((stream, _)), Ok(place)) => {
                let connection = answer(stream, router.clone(), ended.clone());
                tokio::spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
        }
    }
    drop(ending);
    let all = u32::try_from(limits::CONNECTIONS).unwrap_or(u32::MAX);
    // Those that do not end in time end with the runtime.
    let _ = timeout(limits::LAST_ANSWER, places.acquire_many(all)).await;
}

/// Answers the requests of a connection, one after another, until its time or the server's is up.
async fn answer(stream: TcpStream, router: Router, mut ended: watch::Receiver<()>) {
    // Answers are written whole: waiting for more to send would only delay them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEADERS)
        .max_buf_size(limits::HEADER_BYTES)
        .serve_connection(
            TokioIo::new(Taken::new(stream, limits::ANSWER)),
            TowerToHyperService::new(router),
        );
    let mut connection = pin!(connection);
    tokio::select! {
        // Whoever breaks off has no use for an error.
        _ = &mut connection => return,
        () = sleep(limits::CONNECTION) => {}
        _ = ended.changed() => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(limits::LAST_ANSWER, connection).await;
}

/// Says that there are too many, if the connection takes it at once. What the client has sent is read for a moment: a connection that
/// is closed with something unread is reset, and the client may lose the answer.
fn refuse(mut stream: TcpStream, places: &Arc<Semaphore>) {
    let _ = stream.try_write(REFUSED);
    let Ok(place) = Arc::clone(places).try_acquire_owned() else {
        return;
    };
    tokio::spawn(async move {
        let drain = async {
            let mut bytes = [0; 1 << 10];
            let _ = stream.shutdown().await;
            while matches!(stream.read(&mut bytes).await, Ok(1..)) {}
        };
        let _ = timeout(limits::REFUSAL, drain).await;
        drop(place);
    });
}

/// Ends when the process is asked to end.
async fn end_asked_for() {
    let interrupt = async {
        // Without a handler the signal ends the process as ever.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupt => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}
