//! Bytes as a page, with limits that small inputs run into and with the default ones: the page and what every segmenter makes
//! of it hang together.
#![no_main]

use trommel::html::{self, Charset, Limits};
use trommel_fuzz::whole_page::check_page;

fn small() -> Limits {
    Limits::default()
        .with_bytes(4096)
        .with_depth(24)
        .with_attributes(4)
        .with_nodes(400)
        .with_work(1 << 13)
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for limits in [small(), Limits::default()] {
        let page = html::parse(data, Charset::Auto, None, &limits);
        check_page("page", &page, &limits);
    }
});
