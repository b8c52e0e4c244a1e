//! A connection whose client must take what it asked for.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// A stream that fails when an answer has not been taken within a time, from when the client does not take it at once: one that does
/// not read would hold its answer in memory as long as it likes.
pub struct Taken {
    stream: TcpStream,
    within: Duration,
    /// Until when what is being written has to be taken; none while nothing waits.
    until: Option<Pin<Box<Sleep>>>,
}

impl Taken {
    pub fn new(stream: TcpStream, within: Duration) -> Taken {
        Taken {
            stream,
            within,
            until: None,
        }
    }

    /// What writing gave, or that it is too late.
    fn in_time(
        &mut self,
        context: &mut Context,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            return written;
        }
        let within = self.within;
        let until = self.until.get_or_insert_with(|| Box::pin(sleep(within)));
        ready!(until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Taken {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        bytes: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, bytes)
    }
}

impl AsyncWrite for Taken {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        bytes: &[io::IoSlice],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// The server asks for this when all of an answer is written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        self.until = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::runtime;

    use super::*;

    const WITHIN: Duration = Duration::from_millis(300);
    /// More than the system's buffers take.
    const ANSWER: usize = 64 << 20;

    /// Writes an answer to a client that reads `pieces` of it, with a pause before each.
    fn write(pieces: usize, pause: Duration, within: Duration) -> io::Result<()> {
        let mut runtime = runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let client = tokio::spawn(async move {
                let mut client = TcpStream::connect(address).await.unwrap();
                let mut piece = vec![0; ANSWER / 16];
                for _ in 0..pieces {
                    sleep(pause).await;
                    if client.read_exact(&mut piece).await.is_err() {
                        break;
                    }
                }
                sleep(20 * WITHIN).await;
                drop(client);
            });
            let (stream, _) = listener.accept().await.unwrap();
            let mut stream = Taken::new(stream, within);
            let written = async {
                stream.write_all(&vec![0; ANSWER]).await?;
                stream.flush().await
            };
            let written = written.await;
            client.abort();
            written
        })
    }

    /// One GET by each of four clients that do not read once held 3 GB.
    #[test]
    fn answers_that_nobody_takes_are_dropped() {
        let error = write(0, Duration::ZERO, WITHIN).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        // Nor does it help to read a little now and then.
        let error = write(16, WITHIN, WITHIN).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        write(16, Duration::ZERO, 1000 * WITHIN).unwrap();
    }
}
