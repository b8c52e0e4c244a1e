//! The directory of a ZIP file (PKWARE APPNOTE 6.3), as far as WACZ needs it: where the data of its files are.
//!
//! Everything that the directory says of a file is compared with what stands in front of the file's data, so that a
//! directory that is believed is right. Sizes and offsets are read in 64 bits where they do not fit into 32.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// First bytes of a file in a ZIP file; a ZIP file begins with them.
pub(crate) const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";

/// Sizes of the fixed parts of these.
pub(crate) const LOCAL_SIZE: usize = 30;
const CENTRAL_SIZE: usize = 46;
const END_SIZE: usize = 22;
const END_64_SIZE: usize = 56;
const LOCATOR_64_SIZE: usize = 20;
/// The extra field that holds 64-bit sizes.
const ZIP64: u16 = 1;
/// Files taken, so that a directory made to exhaust memory cannot.
const MAX_FILES: usize = 65_536;

/// A file inside a ZIP file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Where its data begin, and how long they are as stored.
    pub(crate) begin: u64,
    pub(crate) length: u64,
    pub(crate) crc: u32,
    pub(crate) method: Method,
}

/// How a file is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Stored,
    Deflated,
    /// Encrypted, or a number of APPNOTE §4.4.5.
    Other(&'static str, u16),
}

/// The files whose names pass `wanted`, in the order of their data.
///
/// # Errors
/// What is wrong, in words. A read error says so as well.
pub(crate) fn directory(
    file: &mut (impl Read + Seek),
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Part>, String> {
    let failed = |error: io::Error| error.to_string();
    let size = file.seek(SeekFrom::End(0)).map_err(failed)?;
    let (begin, length) = end(file, size)?;
    file.seek(SeekFrom::Start(begin)).map_err(failed)?;
    let mut entries = Vec::new();
    let mut directory = BufReader::new(file.by_ref()).take(length);
    while directory.limit() > 0 {
        entries.push(entry(&mut directory)?);
        if entries.len() > MAX_FILES {
            return Err(format!("its directory has more than {MAX_FILES} files"));
        }
    }
    drop(directory);
    entries.sort_by_key(|entry| entry.header);
    let mut free = 0;
    let mut parts = Vec::new();
    for entry in entries {
        let part = part(file, &entry)?;
        let end = part.begin.checked_add(part.length);
        if entry.header < free || end.is_none_or(|end| end > begin) {
            return Err(format!("{} lies over something else", part.name));
        }
        free = part.begin + part.length;
        parts.push(part);
    }
    // A damaged name must not make a file look as if it were not wanted, so all were compared.
    parts.retain(|part| wanted(&part.name));
    Ok(parts)
}

/// Where the directory begins and how long it is.
fn end(file: &mut (impl Read + Seek), size: u64) -> Result<(u64, u64), String> {
    let missing = || "its directory is missing".to_owned();
    // The end record is the last thing in the file but for a comment of at most 65,535 bytes.
    let tail = size.min((END_SIZE + usize::from(u16::MAX) + LOCATOR_64_SIZE) as u64);
    let tail_begin = size - tail;
    let bytes = read(file, tail_begin, tail as usize)?;
    let at = memchr::memmem::rfind_iter(&bytes, END)
        .find(|&at| {
            let record = bytes.get(at..at + END_SIZE).unwrap_or_default();
            u16_at(record, 20)
                .is_some_and(|comment| at + END_SIZE + usize::from(comment) == bytes.len())
        })
        .ok_or_else(missing)?;
    let record = &bytes[at..];
    let (length, begin) = (u32_at(record, 12), u32_at(record, 16));
    let (length, begin) = length.zip(begin).ok_or_else(missing)?;
    let count = u16_at(record, 10).ok_or_else(missing)?;
    let (mut begin, mut length) = (u64::from(begin), u64::from(length));
    if count == u16::MAX || begin == u64::from(u32::MAX) || length == u64::from(u32::MAX) {
        let locator = at
            .checked_sub(LOCATOR_64_SIZE)
            .and_then(|at| bytes.get(at..));
        let locator = locator.filter(|locator| locator.starts_with(LOCATOR_64));
        if let Some(offset) = locator.and_then(|locator| u64_at(locator, 8)) {
            let record = read(file, offset, END_64_SIZE)?;
            let place = u64_at(&record, 48).zip(u64_at(&record, 40));
            (begin, length) = place
                .filter(|_| record.starts_with(END_64))
                .ok_or_else(missing)?;
        }
    }
    let fits = begin
        .checked_add(length)
        .is_some_and(|end| end <= tail_begin + at as u64);
    fits.then_some((begin, length)).ok_or_else(missing)
}

/// A line of the directory.
struct Entry {
    name: String,
    flags: u16,
    method: u16,
    crc: u32,
    length: u64,
    /// Where the header in front of its data is.
    header: u64,
}

/// Flags (APPNOTE §4.4.4): encrypted; sizes stand behind the data.
const ENCRYPTED: u16 = 1;
const SIZES_BEHIND: u16 = 1 << 3;

fn entry(directory: &mut impl Read) -> Result<Entry, String> {
    let damaged = || "its directory is damaged".to_owned();
    let mut fixed = [0; CENTRAL_SIZE];
    directory.read_exact(&mut fixed).map_err(|_| damaged())?;
    let small = |at| u16_at(&fixed, at).ok_or_else(damaged);
    let large = |at| u32_at(&fixed, at).ok_or_else(damaged);
    if !fixed.starts_with(CENTRAL) {
        return Err(damaged());
    }
    let mut rest = |length: u16| {
        let mut bytes = vec![0; usize::from(length)];
        directory.read_exact(&mut bytes).map_err(|_| damaged())?;
        Ok::<_, String>(bytes)
    };
    let (name, extra) = (rest(small(28)?)?, rest(small(30)?)?);
    rest(small(32)?)?;
    // Of the three values those are in the extra field that do not fit, in this order.
    let mut wide = zip64(&extra);
    let mut value = |narrow: u32| match narrow {
        u32::MAX => wide.next().ok_or_else(damaged),
        narrow => Ok(u64::from(narrow)),
    };
    value(large(24)?)?;
    let (length, header) = (value(large(20)?)?, value(large(42)?)?);
    Ok(Entry {
        name: String::from_utf8_lossy(&name).into_owned(),
        flags: small(8)?,
        method: small(10)?,
        crc: large(16)?,
        length,
        header,
    })
}

/// The numbers in the extra field of 64-bit values.
fn zip64(mut extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut values = Vec::new();
    while let (Some(kind), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let end = 4 + usize::from(length);
        if kind == ZIP64 {
            let field = extra.get(4..end).unwrap_or_default();
            values = (0..field.len() / 8)
                .filter_map(|n| u64_at(field, 8 * n))
                .collect();
        }
        extra = extra.get(end..).unwrap_or_default();
    }
    values.into_iter()
}

/// Looks at the header in front of a file's data.
fn part(file: &mut (impl Read + Seek), entry: &Entry) -> Result<Part, String> {
    let differs = || {
        format!(
            "its directory and the header of {} do not agree",
            entry.name
        )
    };
    let fixed = read(file, entry.header, LOCAL_SIZE)?;
    let small = |at| u16_at(&fixed, at).ok_or_else(differs);
    let (name, extra) = (small(26)?, small(28)?);
    let rest = read(
        file,
        entry.header + LOCAL_SIZE as u64,
        usize::from(name) + usize::from(extra),
    )?;
    let length = match u32_at(&fixed, 18) {
        // The second of the two that the field has here.
        Some(u32::MAX) => zip64(&rest[usize::from(name)..]).nth(1),
        length => length.map(u64::from),
    };
    let agree = fixed.starts_with(LOCAL)
        && String::from_utf8_lossy(&rest[..usize::from(name)]) == entry.name
        && small(8)? == entry.method
        && small(6)? == entry.flags
        && (entry.flags & SIZES_BEHIND != 0 || length == Some(entry.length));
    if !agree {
        return Err(differs());
    }
    Ok(Part {
        name: entry.name.clone(),
        begin: entry.header + (LOCAL_SIZE + rest.len()) as u64,
        length: entry.length,
        crc: entry.crc,
        method: match entry.method {
            _ if entry.flags & ENCRYPTED != 0 => Method::Other("encrypted", entry.method),
            0 => Method::Stored,
            8 => Method::Deflated,
            other => Method::Other("compressed by method", other),
        },
    })
}

fn read(file: &mut (impl Read + Seek), at: u64, length: usize) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; length];
    let read = file
        .seek(SeekFrom::Start(at))
        .and_then(|_| file.read_exact(&mut bytes));
    read.map_err(|_| "its directory points to where nothing is".to_owned())?;
    Ok(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}
