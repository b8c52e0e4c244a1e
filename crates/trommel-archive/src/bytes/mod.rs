//! Stored bytes on their way to records: read and hashed ([`stored`], [`digest`]), decompressed member by member past damage
//! ([`member`], [`source`]), held as a view of them ([`window`]); and the encodings of single pages ([`payload`]).

pub(crate) mod digest;
pub(crate) mod member;
pub(crate) mod payload;
pub(crate) mod source;
pub(crate) mod stored;
pub(crate) mod window;
pub(crate) mod zip;
