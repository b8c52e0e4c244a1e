//! Parquet files: one page a row, in columns named as the keys of [`super::jsonl`].
//!
//! | column | what |
//! |---|---|
//! | `docid`, `id`, `_id`, `docno`, `doc_id`, `pid` or `ClueWeb22-ID` | the identifier, text or numbers; whole ones are written without a point |
//! | `html` | the page as markup: text, or bytes in whatever charset they say they are; or |
//! | `text`, `contents` or `Clean-Text` | its text, without markup |
//! | `title` | the title of a text; markup has its own |
//! | `url` or `URL` | its address |
//! | `date` | text, a date, or a time |
//! | `language`, `Language` or `lang` | the language of a text |
//!
//! Columns inside of others, and all others, are not read. Of several columns for one thing the first in the table counts that
//! has a value in the row. The offset of a page is the number of its row, from 0.
//!
//! A row group is decoded column by column, page by page; where one does not decode, the rest of its row group is lost, said
//! so in the ledger with the number of rows, and reading goes on with the next group. Where pages have check sums (CRC-32) they are
//! compared. A page of a Parquet file is decompressed
//! whole: writers make them of about 1 MB, the format allows 2 GB.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, FileReader, Length};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::record::Field;
use parquet::schema::types::ColumnDescPtr;

use super::fields::Fields;
use crate::ledger::{Item, Reason, Skipped};
use crate::options::Options;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Docid,
    Html,
    Text,
    Title,
    Url,
    Date,
    Language,
}

/// The names of columns, those that come first in front.
const COLUMNS: &[(&str, Holds)] = &[
    ("docid", Holds::Docid),
    ("id", Holds::Docid),
    ("_id", Holds::Docid),
    ("docno", Holds::Docid),
    ("doc_id", Holds::Docid),
    ("pid", Holds::Docid),
    ("ClueWeb22-ID", Holds::Docid),
    ("html", Holds::Html),
    ("text", Holds::Text),
    ("contents", Holds::Text),
    ("Clean-Text", Holds::Text),
    ("title", Holds::Title),
    ("url", Holds::Url),
    ("URL", Holds::Url),
    ("date", Holds::Date),
    ("language", Holds::Language),
    ("Language", Holds::Language),
    ("lang", Holds::Language),
];

/// The years 0000 to 9999 in seconds since 1970-01-01: other times are not written out.
const SECONDS: std::ops::Range<i64> = -62_167_219_200..253_402_300_800;

/// A file that gives no bytes beyond its end, and asks for no memory to hold them.
struct Bounded {
    file: File,
    length: u64,
}

impl Bounded {
    fn reader(&self, start: u64, length: u64) -> parquet::errors::Result<io::Take<File>> {
        if start
            .checked_add(length)
            .is_none_or(|end| end > self.length)
        {
            let range = format!("bytes {start} to {} + {length}", start);
            let what = format!("{range} of a file of {} bytes", self.length);
            return Err(ParquetError::EOF(what));
        }
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        Ok(file.take(length))
    }
}

impl Length for Bounded {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Bounded {
    type T = io::BufReader<io::Take<File>>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        let left = self.length.saturating_sub(start);
        Ok(io::BufReader::new(self.reader(start, left)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        let mut bytes = Vec::new();
        self.reader(start, length as u64)?.read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(ParquetError::EOF("the file has become shorter".to_owned()));
        }
        Ok(bytes.into())
    }
}

/// Where a column stands and what it holds.
struct Column {
    index: usize,
    holds: Holds,
    descriptor: ColumnDescPtr,
}

/// The rows of a group that are still to be read.
struct Group {
    columns: Vec<ColumnReader>,
    number: usize,
    left: u64,
}

/// Why a Parquet file cannot be read.
pub(crate) enum Refusal {
    /// It is damaged.
    Damaged(String),
    /// No column holds pages; the names of those that it has.
    NoPages(String),
}

/// Reads the rows of one file.
pub(crate) struct Rows {
    /// The file from its beginning to its end, for its hash: it is read as far as the row groups that were.
    stored: Box<dyn Read + Send>,
    position: u64,
    file: Arc<str>,
    options: Options,
    reader: SerializedFileReader<Bounded>,
    columns: Vec<Column>,
    /// Which columns would have identifiers if they were of another type, in words, where no other has any.
    unfit: String,
    current: Option<Group>,
    /// The number of the next row group.
    next: usize,
    /// The number of the next row.
    row: u64,
    ended: bool,
}

impl Rows {
    /// `seekable` is the file that `stored` gives the bytes of.
    pub(crate) fn new(
        stored: Box<dyn Read + Send>,
        seekable: File,
        file: Arc<str>,
        options: &Options,
    ) -> Result<Self, Refusal> {
        let length = seekable.metadata().map_or(0, |data| data.len());
        let bounded = Bounded {
            file: seekable,
            length,
        };
        let reader = guarded(|| SerializedFileReader::new(bounded)).map_err(Refusal::Damaged)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let found = schema.columns().iter().enumerate();
        let mut columns: Vec<(usize, Column)> = found
            .filter_map(|(index, descriptor)| {
                let known = COLUMNS.iter().position(|(name, holds)| {
                    [*name] == descriptor.path().parts() && fits(*holds, descriptor)
                })?;
                let column = Column {
                    index,
                    holds: COLUMNS[known].1,
                    descriptor: Arc::clone(descriptor),
                };
                Some((known, column))
            })
            .collect();
        columns.sort_by_key(|(known, _)| *known);
        let columns: Vec<Column> = columns.into_iter().map(|(_, column)| column).collect();
        let pages = |column: &Column| matches!(column.holds, Holds::Html | Holds::Text);
        let fields = schema.root_schema().get_fields();
        if !columns.iter().any(pages) {
            let names = fields.iter().map(|field| match holds(field.name()) {
                Some(Holds::Html | Holds::Text) => format!("{} ({})", field.name(), type_of(field)),
                _ => field.name().to_owned(),
            });
            return Err(Refusal::NoPages(names.collect::<Vec<_>>().join(", ")));
        }
        let has_docids = columns.iter().any(|it| it.holds == Holds::Docid);
        let unfit = fields.iter().filter(|field| {
            let is_docid = holds(field.name()) == Some(Holds::Docid);
            is_docid && !has_docids
        });
        let unfit = unfit.map(|field| {
            let (name, of) = (field.name(), type_of(field));
            format!("the column {name} is of the type {of}, and text or numbers are wanted")
        });
        let unfit = unfit.collect::<Vec<_>>().join("; ");
        Ok(Self {
            stored,
            position: 0,
            file,
            options: options.clone(),
            reader,
            columns,
            unfit,
            current: None,
            next: 0,
            row: 0,
            ended: false,
        })
    }

    /// How much of the file has been used, in bytes.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// The next page or ledger line.
    pub(crate) fn next(&mut self) -> Option<Item> {
        loop {
            let Some(group) = &mut self.current else {
                match self.begin()? {
                    Ok(group) => self.current = Some(group),
                    Err(line) => return Some(line),
                }
                continue;
            };
            if group.left == 0 {
                self.current = None;
                continue;
            }
            let (number, left) = (group.number, group.left);
            return Some(match guarded(|| read_row(group, &self.columns)) {
                Ok(fields) => {
                    group.left -= 1;
                    self.row += 1;
                    self.item(fields)
                }
                Err(detail) => {
                    self.current = None;
                    self.lost(number, left, &detail)
                }
            });
        }
    }

    /// Begins the next row group: none after the last one.
    fn begin(&mut self) -> Option<Result<Group, Item>> {
        let number = self.next;
        if number == self.reader.num_row_groups() {
            // What follows the last one is read for the hash alone.
            let ended = std::mem::replace(&mut self.ended, true);
            return (!ended).then(|| self.pass(u64::MAX)).flatten().map(Err);
        }
        self.next += 1;
        let metadata = self.reader.metadata().row_group(number);
        let rows = u64::try_from(metadata.num_rows()).unwrap_or_default();
        if let Some(line) = self.pass(end_of(metadata)) {
            self.next = self.reader.num_row_groups();
            return Some(Err(line));
        }
        let columns = guarded(|| {
            let group = self.reader.get_row_group(number)?;
            let columns = self.columns.iter();
            columns
                .map(|column| {
                    check(group.metadata().column(column.index))?;
                    group.get_column_reader(column.index)
                })
                .collect::<Result<Vec<_>, _>>()
        });
        Some(match columns {
            Ok(columns) => Ok(Group {
                columns,
                number,
                left: rows,
            }),
            Err(detail) => Err(self.lost(number, rows, &detail)),
        })
    }

    /// Reads the file on to an offset. Gives what went wrong.
    fn pass(&mut self, to: u64) -> Option<Item> {
        let wanted = to.saturating_sub(self.position);
        match io::copy(&mut (&mut self.stored).take(wanted), &mut io::sink()) {
            Ok(read) => {
                self.position += read;
                None
            }
            Err(error) => {
                let line = self.line(None, Reason::ReadError, error.to_string());
                Some(Item::Skipped(line))
            }
        }
    }

    /// The page of the row before [`Self::row`].
    fn item(&self, fields: Fields) -> Item {
        let most = usize::try_from(self.options.max_record_bytes).unwrap_or(usize::MAX);
        let offset = self.row - 1;
        let large = [&fields.html, &fields.text];
        let large = large.into_iter().flatten().any(|bytes| bytes.len() > most);
        let made = match large {
            true => Err((
                Reason::TooLarge,
                fields.docid,
                format!("a row of more than {most} bytes"),
            )),
            false => fields.document(&self.file, offset, &self.options),
        };
        match made {
            Ok(document) => Item::Document(document),
            Err((reason, docid, mut detail)) => {
                if reason == Reason::NoDocid && !self.unfit.is_empty() {
                    detail = format!("{detail}; {}", self.unfit);
                }
                Item::Skipped(Skipped {
                    offset,
                    ..self.line(docid, reason, detail)
                })
            }
        }
    }

    /// The rest of a row group cannot be read.
    fn lost(&mut self, number: usize, rows: u64, detail: &str) -> Item {
        let what = format!("row group {number}: {detail}; {rows} rows are lost");
        let mut line = self.line(None, Reason::CorruptMember, what);
        line.records = rows.max(1);
        self.row = self.row.saturating_add(rows);
        Item::Skipped(line)
    }

    fn line(&self, docid: Option<String>, reason: Reason, detail: String) -> Skipped {
        Skipped {
            file: Arc::clone(&self.file),
            offset: self.row,
            docid,
            reason,
            records: 1,
            detail,
        }
    }
}

/// What a column of a name holds.
fn holds(name: &str) -> Option<Holds> {
    let known = COLUMNS.iter().find(|(known, _)| *known == name);
    known.map(|(_, holds)| *holds)
}

/// The type of a column in words.
fn type_of(field: &parquet::schema::types::Type) -> String {
    match (
        field.is_primitive(),
        field.get_basic_info().logical_type_ref(),
    ) {
        (false, _) => "several values in one".to_owned(),
        (true, Some(logical)) => format!("{}, {logical:?}", field.get_physical_type()),
        (true, None) => field.get_physical_type().to_string(),
    }
}

/// Whether a column of a known name can hold what it says.
fn fits(holds: Holds, column: &ColumnDescPtr) -> bool {
    let text = matches!(
        column.physical_type(),
        Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY
    );
    let text = text && column.converted_type() != ConvertedType::DECIMAL;
    let whole = matches!(column.physical_type(), Type::INT32 | Type::INT64);
    // A column of whole numbers with a null in it is one of doubles where pandas has written it.
    let number = matches!(column.physical_type(), Type::FLOAT | Type::DOUBLE);
    let once = column.max_rep_level() == 0
        && column.self_type().get_basic_info().repetition() != Repetition::REPEATED;
    once && match holds {
        Holds::Docid => text || whole || number,
        Holds::Date => text || whole || column.physical_type() == Type::INT96,
        _ => text,
    }
}

/// Where the data of a row group end in the file, in bytes.
fn end_of(group: &RowGroupMetaData) -> u64 {
    let end = |column: &ColumnChunkMetaData| {
        let first = column
            .dictionary_page_offset()
            .unwrap_or(i64::MAX)
            .min(column.data_page_offset());
        u64::try_from(first.saturating_add(column.compressed_size())).unwrap_or_default()
    };
    group.columns().iter().map(end).max().unwrap_or_default()
}

/// Places before the beginning of the file: the library takes it that there are none.
fn check(column: &ColumnChunkMetaData) -> Result<(), ParquetError> {
    let dictionary = column.dictionary_page_offset().unwrap_or(0);
    let places = [
        column.data_page_offset(),
        column.compressed_size(),
        dictionary,
    ];
    match places.iter().any(|place| *place < 0) {
        true => Err(ParquetError::General("a negative offset".to_owned())),
        false => Ok(()),
    }
}

/// Reads one row of all columns.
fn read_row(group: &mut Group, columns: &[Column]) -> Result<Fields, ParquetError> {
    let mut fields = Fields::default();
    for (reader, column) in group.columns.iter_mut().zip(columns) {
        let Some(value) = read_value(reader, &column.descriptor)? else {
            continue;
        };
        let words = |value: Vec<u8>| String::from_utf8_lossy(&value).into_owned();
        match column.holds {
            Holds::Html if fields.html.is_none() => {
                let is_text = column.descriptor.converted_type() == ConvertedType::UTF8;
                fields.charset = is_text.then_some("utf-8");
                fields.html = Some(value);
            }
            Holds::Html => {}
            Holds::Text => {
                fields.text.get_or_insert(value);
            }
            Holds::Docid => {
                fields.docid.get_or_insert_with(|| words(value));
            }
            Holds::Title => {
                fields.title.get_or_insert_with(|| words(value));
            }
            Holds::Url => {
                fields.url.get_or_insert_with(|| words(value));
            }
            Holds::Date => {
                fields.date.get_or_insert_with(|| words(value));
            }
            Holds::Language => {
                fields.language.get_or_insert_with(|| words(value));
            }
        }
    }
    Ok(fields)
}

/// The value of the next row of a column, if it has one.
fn read_value(
    reader: &mut ColumnReader,
    descriptor: &ColumnDescPtr,
) -> Result<Option<Vec<u8>>, ParquetError> {
    let written = |field: Option<Field>| field.map(|field| field.to_string().into_bytes());
    Ok(match reader {
        ColumnReader::ByteArrayColumnReader(reader) => {
            one(reader)?.map(|value| value.data().to_vec())
        }
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            one(reader)?.map(|value| value.data().to_vec())
        }
        ColumnReader::Int32ColumnReader(reader) => {
            let number = one(reader)?;
            written(number.map(|number| match descriptor.converted_type() {
                ConvertedType::DATE if !SECONDS.contains(&(i64::from(number) * 86_400)) => {
                    Field::Int(number)
                }
                ConvertedType::DATE => Field::Date(number),
                ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 => {
                    Field::UInt(number.cast_unsigned())
                }
                _ => Field::Int(number),
            }))
        }
        ColumnReader::Int64ColumnReader(reader) => {
            written(one(reader)?.map(|number| whole_number(number, descriptor)))
        }
        ColumnReader::DoubleColumnReader(reader) => one(reader)?.and_then(shortest),
        ColumnReader::FloatColumnReader(reader) => one(reader)?.map(f64::from).and_then(shortest),
        ColumnReader::Int96ColumnReader(reader) => {
            written(one(reader)?.map(|time| of_millis(time.to_millis())))
        }
        _ => None,
    })
}

/// A number as it is written, a whole one without a point; none for what is no number.
fn shortest(number: f64) -> Option<Vec<u8>> {
    number.is_finite().then(|| number.to_string().into_bytes())
}

/// A number of 64 bits, which may be a time.
fn whole_number(number: i64, descriptor: &ColumnDescPtr) -> Field {
    let unit = match (descriptor.logical_type_ref(), descriptor.converted_type()) {
        (Some(LogicalType::Timestamp(time)), _) => Some(time.unit),
        (None, ConvertedType::TIMESTAMP_MILLIS) => Some(TimeUnit::MILLIS),
        (None, ConvertedType::TIMESTAMP_MICROS) => Some(TimeUnit::MICROS),
        _ => None,
    };
    match unit {
        Some(TimeUnit::MILLIS) => of_millis(number),
        Some(TimeUnit::MICROS) => of_millis(number.div_euclid(1_000)),
        Some(TimeUnit::NANOS) => of_millis(number.div_euclid(1_000_000)),
        None if descriptor.converted_type() == ConvertedType::UINT_64 => {
            Field::ULong(number.cast_unsigned())
        }
        None => Field::Long(number),
    }
}

fn of_millis(millis: i64) -> Field {
    match SECONDS.contains(&millis.div_euclid(1_000)) {
        true => Field::TimestampMillis(millis),
        false => Field::Long(millis),
    }
}

/// The next value of a column of any type; none where it is null.
fn one<T: DataType>(reader: &mut ColumnReaderImpl<T>) -> Result<Option<T::T>, ParquetError> {
    let (mut levels, mut values) = (Vec::with_capacity(1), Vec::with_capacity(1));
    match reader.read_records(1, Some(&mut levels), None, &mut values)? {
        (0, ..) => Err(ParquetError::EOF("a column ends too soon".to_owned())),
        _ => Ok(values.pop()),
    }
}

/// What the Parquet library makes of a file. It is not sure to give an error for each damage: some make it panic.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("the file is damaged so that the Parquet library fails on it".to_owned()),
    }
}
