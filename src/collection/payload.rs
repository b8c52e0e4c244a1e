//! HTTP payloads: transfer and content encodings undone, whatever their labels claim.
//!
//! Crawlers store bodies decoded under headers that say otherwise (all of ClueWeb09, parts of others), so a label is
//! no more than a hint: bytes that cannot be what the label says are kept as they are. Damage inside an encoding
//! keeps what came out before it.

use std::io::Read;

use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};

use super::header::line;
use super::ledger::Reason;

/// Content encodings undone one after the other; more than this are not found in good faith.
const MAX_LAYERS: usize = 4;
/// RFC 9659 §3: the window of a `zstd` payload is at most 8 MB.
const MAX_ZSTD_WINDOW_LOG: u32 = 23;
/// Bytes of a chunk's size line (RFC 9112 §7.1), extensions included.
const MAX_SIZE_LINE: usize = 1024;

/// A decoded payload.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Payload {
    pub(super) bytes: Vec<u8>,
    /// An encoding ended, or broke, before its end.
    pub(super) cut: bool,
    /// What was wrong, for the ledger.
    pub(super) damage: Option<(Reason, String)>,
}

/// The decoded payload is larger than the limit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// Undoes the encodings of `body`: chunks if `chunked`, then `encodings` from last to first.
pub(super) fn decode(
    body: &[u8],
    chunked: bool,
    encodings: &[String],
    limit: u64,
) -> Result<Payload, TooLarge> {
    let mut payload = Payload::default();
    let mut current: Option<Vec<u8>> = if chunked {
        dechunk(body, &mut payload)
    } else {
        None
    };
    let declared = encodings.iter().rev().map(String::as_str).take(MAX_LAYERS);
    for name in declared {
        let input = current.as_deref().unwrap_or(body);
        if let Some(output) = undo(name, input, limit, &mut payload)? {
            current = Some(output);
        }
    }
    // Compressed and not labelled so: a page cannot begin with this magic.
    let input = current.as_deref().unwrap_or(body);
    if encodings.is_empty()
        && let Some(output) = undo("gzip", input, limit, &mut payload)?
    {
        current = Some(output);
    }
    payload.bytes = current.unwrap_or_else(|| body.to_vec());
    if payload.bytes.len() as u64 > limit {
        Err(TooLarge)
    } else {
        Ok(payload)
    }
}

/// Joins chunks. None: the body is not chunked.
fn dechunk(body: &[u8], payload: &mut Payload) -> Option<Vec<u8>> {
    let (mut size, mut rest) = chunk_size(body)?;
    let mut output = Vec::with_capacity(body.len());
    loop {
        if size == 0 {
            return Some(output);
        }
        let Some((chunk, after)) = rest.split_at_checked(size) else {
            output.extend_from_slice(rest);
            payload.cut = true;
            return Some(output);
        };
        output.extend_from_slice(chunk);
        let after = after.strip_prefix(b"\r").unwrap_or(after);
        let after = after.strip_prefix(b"\n").unwrap_or(after);
        if after.trim_ascii().is_empty() {
            return Some(output); // the last chunk, of size 0, is missing: nothing of the page is
        }
        match chunk_size(after) {
            Some(next) => (size, rest) = next,
            None => {
                let detail = format!(
                    "no chunk size at byte {} of the body",
                    body.len() - after.len()
                );
                payload.damage = Some((Reason::BadTransferEncoding, detail));
                output.extend_from_slice(after);
                return Some(output);
            }
        }
    }
}

/// The size that a chunk begins with, and its data.
fn chunk_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (text, length) = line(&bytes[..bytes.len().min(MAX_SIZE_LINE)])?;
    let digits = text.split(|byte| *byte == b';').next()?.trim_ascii();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let size = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((size, &bytes[length..]))
}

/// Undoes one content encoding. None: the bytes are not encoded so, and are to be kept as they are.
fn undo(
    name: &str,
    input: &[u8],
    limit: u64,
    payload: &mut Payload,
) -> Result<Option<Vec<u8>>, TooLarge> {
    let (output, whole) = match name {
        "gzip" | "x-gzip" if input.starts_with(&[0x1f, 0x8b]) => gunzip(input, limit)?,
        "deflate" if is_zlib(input) => read(ZlibDecoder::new(input), limit)?,
        // Neither raw deflate nor brotli has a magic, and text can begin like either: only a stream that is whole
        // proves itself.
        "deflate" if !looks_like_markup(input) => {
            all_or_nothing(read(DeflateDecoder::new(input), limit)?)
        }
        "br" if !looks_like_markup(input) => all_or_nothing(read(
            brotli_decompressor::Decompressor::new(input, 4096),
            limit,
        )?),
        "zstd" if input.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => {
            let decoder = zstd::stream::read::Decoder::with_buffer(input);
            let limited = decoder.and_then(|mut decoder| {
                decoder.window_log_max(MAX_ZSTD_WINDOW_LOG)?;
                Ok(decoder)
            });
            match limited {
                Ok(decoder) => read(decoder, limit)?,
                Err(_) => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    if output.is_empty() && !whole {
        // No page begins as zstd does, so it is one, but one that is broken or asks for too much memory.
        if name == "zstd" {
            payload.cut = true;
            let detail = "zstd payload does not decompress".to_owned();
            payload
                .damage
                .get_or_insert((Reason::BadContentEncoding, detail));
        }
        return Ok(None);
    }
    if !whole {
        payload.cut = true;
        let detail = format!(
            "{name} payload breaks off after {} decoded bytes",
            output.len()
        );
        payload
            .damage
            .get_or_insert((Reason::BadContentEncoding, detail));
    }
    Ok(Some(output))
}

/// All gzip members; anything else after one is ignored, as browsers do.
fn gunzip(input: &[u8], limit: u64) -> Result<(Vec<u8>, bool), TooLarge> {
    let mut output = Vec::new();
    let mut rest = input;
    while rest.starts_with(&[0x1f, 0x8b]) {
        let mut decoder = GzDecoder::new(rest);
        let left = limit.saturating_sub(output.len() as u64);
        let (part, whole) = read(&mut decoder, left)?;
        output.extend_from_slice(&part);
        if !whole {
            return Ok((output, false));
        }
        rest = decoder.into_inner();
    }
    Ok((output, true))
}

/// Reads all that a decoder gives, and whether it came to a proper end.
fn read(decoder: impl Read, limit: u64) -> Result<(Vec<u8>, bool), TooLarge> {
    let mut output = Vec::new();
    let whole = decoder
        .take(limit.saturating_add(1))
        .read_to_end(&mut output)
        .is_ok();
    if output.len() as u64 > limit {
        Err(TooLarge)
    } else {
        Ok((output, whole))
    }
}

fn all_or_nothing((output, whole): (Vec<u8>, bool)) -> (Vec<u8>, bool) {
    if whole {
        (output, true)
    } else {
        (Vec::new(), false)
    }
}

/// A zlib header (RFC 1950 §2.2).
fn is_zlib(input: &[u8]) -> bool {
    matches!(input, [method, flags, ..] if method & 0x0f == 8 && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0)
}

fn looks_like_markup(input: &[u8]) -> bool {
    input
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(input)
        .trim_ascii_start()
        .starts_with(b"<")
}
