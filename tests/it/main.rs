//! The one integration-test binary; each module holds the tests of one part.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::print_stdout)]

mod boilerpipe_reference;
mod equivalence;
mod support;
