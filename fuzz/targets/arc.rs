//! Bytes as a ARC file.
#![no_main]

use trommel::collection::Format;

libfuzzer_sys::fuzz_target!(|data: &[u8]| trommel_fuzz::read(Format::Arc, data));
