//! Ctrl-C in a job that can be gone on with.

use std::{process, thread};

/// What a shell gives as the status of a program that SIGINT has ended.
const INTERRUPTED: i32 = 130;

/// When the process is interrupted, says this on standard error, and ends it: as sudden an end as any other. Where signals cannot be
/// waited for, an interruption says nothing.
pub fn say(text: String) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build();
    let Ok(runtime) = runtime else { return };
    thread::spawn(move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            anstream::eprintln!("\n{text}");
            process::exit(INTERRUPTED);
        }
    });
}
