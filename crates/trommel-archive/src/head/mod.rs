//! What stands before a page's bytes: heads of WARC, ARC and TREC web records and of HTTP messages. Functions of bytes alone.

pub(crate) mod header;
pub(crate) mod http;
pub(crate) mod trecdoc;
pub(crate) mod url_line;
