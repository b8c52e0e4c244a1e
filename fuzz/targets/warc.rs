//! Bytes as a WARC file, and as a WET file.
#![no_main]

use trommel::collection::Format;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    trommel_fuzz::read(Format::Warc, data);
    trommel_fuzz::read(Format::Wet, data);
});
