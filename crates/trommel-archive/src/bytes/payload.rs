//! HTTP payloads: transfer and content encodings undone, whatever their labels claim.
//!
//! Crawlers store bodies decoded under headers that say otherwise (all of ClueWeb09, parts of
//! others), servers label gzip as deflate, and others label nothing: what the bytes are decides,
//! and a label is no more than a hint. Bytes that are text and not encoded are kept as they are. A
//! label that names another encoding than the bytes have goes to the ledger.
//!
//! Damage inside an encoding keeps what came out before it, if that is text. Of a body that is
//! neither text nor decodes to any there is no page: as one it would be junk.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::Decompress;
use zstd::stream::raw::Decoder;

use super::member::{Frame, Member, Progress};
use crate::head::header::{Fields, line};
use crate::ledger::Reason;

/// Content encodings undone one after the other; more than this are not found in good faith.
const MAX_LAYERS: usize = 4;
/// RFC 9659 §3: the window of a `zstd` payload is at most 8 MB.
const MAX_ZSTD_WINDOW_LOG: u32 = 23;
/// Bytes of a chunk's size line (RFC 9112 §7.1), extensions included.
const MAX_SIZE_LINE: usize = 1024;
/// Bytes decompressed in one step.
const STEP: usize = 64 * 1024;
/// Bytes that binary data is told by: the "resource header" of the WHATWG MIME Sniffing Standard
/// §5.2.
const SNIFF: usize = 1445;
/// Of this many bytes of text at most one is a "binary data byte" of that standard (§3), NUL aside,
/// of which UTF-16 is full. The standard lets none pass; pages have stray ones, and of compressed
/// bytes every tenth is one.
const BINARY_SHARE: usize = 20;

/// A decoded payload.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Payload {
    pub(crate) bytes: Vec<u8>,
    /// An encoding ended, or broke, before its end.
    pub(crate) cut: bool,
    /// What was wrong, for the ledger.
    pub(crate) damage: Option<(Reason, String)>,
}

/// Why a payload gives no page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Decoded, it is larger than the limit.
    TooLarge,
    /// It is no text and does not decode to any.
    Undecodable(String),
}

/// The payload of a response, its encodings undone.
pub(crate) fn payload(fields: &Fields, body: &[u8], limit: u64) -> Result<Payload, Failure> {
    let list = |name: &str| -> Vec<String> {
        fields
            .all(name)
            .flat_map(|value| value.split(','))
            .map(|word| word.trim().to_ascii_lowercase())
            .filter(|word| !word.is_empty())
            .collect()
    };
    let chunked = list("transfer-encoding")
        .iter()
        .any(|word| word == "chunked");
    decode(body, chunked, &list("content-encoding"), limit)
}

/// Undoes the encodings of `body`: chunks if `chunked`, then `encodings` from last to first.
fn decode(
    body: &[u8],
    chunked: bool,
    encodings: &[String],
    limit: u64,
) -> Result<Payload, Failure> {
    let mut payload = Payload::default();
    let mut current: Option<Vec<u8>> = if chunked {
        dechunk(body, &mut payload)
    } else {
        None
    };
    // What a label like `utf-8` or `none` says is that there is none.
    let declared = encodings.iter().rev();
    let mut labels = declared.filter_map(|name| Codec::of_label(name)).fuse();
    for _ in 0..MAX_LAYERS {
        let label = labels.next();
        let input = current.as_deref().unwrap_or(body);
        // An encoding that is not told of at all is no lie: servers store files that are
        // compressed.
        let told = !encodings.is_empty();
        match undo(label, told, input, limit, &mut payload)? {
            Some(output) => current = Some(output),
            None if label.is_none() => break,
            None => {}
        }
    }
    payload.bytes = current.unwrap_or_else(|| body.to_vec());
    if payload.bytes.len() as u64 > limit {
        Err(Failure::TooLarge)
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
            let detail = format!("the body ends inside a chunk, after {} bytes", output.len());
            payload.damage = Some((Reason::BadTransferEncoding, detail));
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

/// A content encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Codec {
    Gzip,
    Zlib,
    /// Deflate without the wrapping of zlib, which some servers send as `deflate`.
    Deflate,
    Brotli,
    Zstd,
}

impl Codec {
    /// The encoding that a label of HTTP names.
    fn of_label(label: &str) -> Option<Self> {
        match label {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Zlib),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zlib | Self::Deflate => "deflate",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }

    /// The encoding that bytes begin with beyond doubt: no page begins like that.
    fn of_magic(input: &[u8]) -> Option<Self> {
        match input {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    fn decode(self, input: &[u8], limit: u64) -> Result<Decoded, Failure> {
        let inflate = |zlib| Some(Member::Inflate(Box::new(Decompress::new(zlib))));
        let member = match self {
            Self::Gzip => return gunzip(input, limit),
            Self::Brotli => return run(unbrotli(), input, limit),
            Self::Zlib => inflate(true),
            Self::Deflate => inflate(false),
            Self::Zstd => unzstd(),
        };
        match member {
            Some(mut member) => run(|input, output| member.run(input, output), input, limit),
            None => Ok(Decoded::default()),
        }
    }
}

/// What came out of a decoder.
#[derive(Debug, Default)]
struct Decoded {
    output: Vec<u8>,
    /// It came to a proper end.
    whole: bool,
    /// Bytes of the input up to there.
    used: usize,
}

/// Undoes one content encoding, which is the one that the bytes have, whatever `label` says. None:
/// the bytes are not encoded, and are to be kept as they are.
fn undo(
    label: Option<Codec>,
    told: bool,
    input: &[u8],
    limit: u64,
    payload: &mut Payload,
) -> Result<Option<Vec<u8>>, Failure> {
    let Some((codec, decoded)) = recognise(label, input, limit)? else {
        if label.is_none() || !is_binary(input) {
            return Ok(None);
        }
        let label = label.map_or("", Codec::label);
        let detail = format!("labelled {label}, and neither that nor text");
        return Err(Failure::Undecodable(detail));
    };
    let name = codec.label();
    let lie = match label.map(Codec::label) {
        Some(label) if label != name => format!("labelled {label}, and is {name}"),
        None if told => format!("no label says that it is {name}"),
        _ => String::new(),
    };
    if !decoded.whole {
        if decoded.output.is_empty() || is_binary(&decoded.output) {
            return Err(Failure::Undecodable(format!(
                "{name} payload does not decompress"
            )));
        }
        payload.cut = true;
        let after = if lie.is_empty() { "" } else { "; " };
        let detail = format!(
            "{name} payload breaks off after {} decoded bytes{after}{lie}",
            decoded.output.len()
        );
        payload.damage = Some((Reason::BadContentEncoding, detail));
    } else if !lie.is_empty() {
        payload
            .damage
            .get_or_insert((Reason::EncodingMismatch, lie));
    }
    Ok(Some(decoded.output))
}

/// The encoding that bytes have, and what they decode to.
fn recognise(
    label: Option<Codec>,
    input: &[u8],
    limit: u64,
) -> Result<Option<(Codec, Decoded)>, Failure> {
    if let Some(codec) = Codec::of_magic(input) {
        return Ok(Some((codec, codec.decode(input, limit)?)));
    }
    let Some(label) = label.filter(|_| !looks_like_markup(input)) else {
        return Ok(None);
    };
    // These have no magic worth the name, and text can begin like any: a stream that is whole
    // proves itself, and others are believed where the bytes are no text, but what comes out is.
    // What the label says is tried first.
    let mut codecs = [Codec::Zlib, Codec::Deflate, Codec::Brotli];
    if label == Codec::Brotli {
        codecs.rotate_right(1);
    }
    for codec in codecs
        .into_iter()
        .filter(|codec| *codec != Codec::Zlib || is_zlib(input))
    {
        let decoded = codec.decode(input, limit);
        // Of bytes that are something else a decoder can make anything, and any amount.
        let decoded = match decoded {
            Err(_) if codec.label() != label.label() => continue,
            decoded => decoded?,
        };
        let rest = input.get(decoded.used..).unwrap_or_default();
        let proven = decoded.whole && rest.trim_ascii().is_empty();
        if proven && (codec.label() == label.label() || is_binary(input)) {
            return Ok(Some((codec, decoded)));
        }
        let likely = match codec.label() == label.label() {
            true => !decoded.output.is_empty() && !is_binary(&decoded.output),
            false => looks_like_markup(&decoded.output),
        };
        if likely && is_binary(input) {
            return Ok(Some((codec, decoded)));
        }
    }
    Ok(None)
}

/// Runs a decoder over all the input, as far as it goes.
fn run(
    mut step: impl FnMut(&[u8], &mut [u8]) -> Progress,
    input: &[u8],
    limit: u64,
) -> Result<Decoded, Failure> {
    let mut decoded = Decoded::default();
    let mut room = vec![0; STEP];
    loop {
        let rest = input.get(decoded.used..).unwrap_or_default();
        let Progress {
            consumed,
            produced,
            outcome,
        } = step(rest, &mut room);
        decoded.used += consumed;
        let part = room.get(..produced).unwrap_or_default();
        decoded.output.extend_from_slice(part);
        if decoded.output.len() as u64 > limit {
            return Err(Failure::TooLarge);
        }
        match outcome {
            Ok(true) => {
                decoded.whole = true;
                return Ok(decoded);
            }
            Ok(false) if consumed + produced > 0 => {}
            _ => return Ok(decoded),
        }
    }
}

/// A brotli stream.
fn unbrotli() -> impl FnMut(&[u8], &mut [u8]) -> Progress {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new_strict(alloc(), alloc(), alloc());
    let mut total = 0;
    move |input, output| {
        let (mut left, mut consumed) = (input.len(), 0);
        let (mut room, mut produced) = (output.len(), 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut consumed,
            input,
            &mut room,
            &mut produced,
            output,
            &mut total,
            &mut state,
        );
        let outcome = match result {
            BrotliResult::ResultSuccess => Ok(true),
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => Ok(false),
            BrotliResult::ResultFailure => Err(()),
        };
        Progress {
            consumed,
            produced,
            outcome,
        }
    }
}

/// A zstd frame with a window within the bounds.
fn unzstd() -> Option<Member> {
    let mut decoder = Decoder::new().ok()?;
    let limit = zstd::zstd_safe::DParameter::WindowLogMax(MAX_ZSTD_WINDOW_LOG);
    decoder.set_parameter(limit).ok()?;
    Some(Member::Zstd(Box::new(Frame::new(decoder))))
}

/// All gzip members; anything else after one is ignored, as browsers do.
fn gunzip(input: &[u8], limit: u64) -> Result<Decoded, Failure> {
    let mut all = Decoded {
        whole: true,
        ..Decoded::default()
    };
    loop {
        let rest = input.get(all.used..).unwrap_or_default();
        if Codec::of_magic(rest) != Some(Codec::Gzip) {
            return Ok(all);
        }
        let left = limit.saturating_sub(all.output.len() as u64);
        let mut member = Member::gzip();
        let member = run(|input, output| member.run(input, output), rest, left)?;
        all.output.extend_from_slice(&member.output);
        all.used += member.used;
        if !member.whole {
            all.whole = false;
            return Ok(all);
        }
    }
}

/// A zlib header (RFC 1950 §2.2).
fn is_zlib(input: &[u8]) -> bool {
    matches!(input, [method, flags, ..] if method & 0x0f == 8 && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0)
}

/// Whether bytes are no text in any of the encodings of the web.
fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(SNIFF)];
    let is_marked = matches!(head, [0xfe, 0xff, ..] | [0xff, 0xfe, ..]);
    let binary = |byte: &&u8| matches!(byte, 1..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    let count = head.iter().filter(binary).count();
    !is_marked && count * BINARY_SHARE > head.len()
}

/// Markup, UTF-16 and UTF-32 included.
fn looks_like_markup(input: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let text = marks.iter().find_map(|mark| input.strip_prefix(*mark));
    let blank = |byte: &&u8| **byte == 0 || byte.is_ascii_whitespace();
    text.unwrap_or(input).iter().find(|byte| !blank(byte)) == Some(&b'<')
}
