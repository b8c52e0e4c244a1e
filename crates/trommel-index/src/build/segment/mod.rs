//! Writes the blocks of a segment: the files that tantivy would write, byte for byte, without its documents and tables.
//!
//! Terms are made and numbered where a text is cut into words, so that nothing is looked up twice; [`postings`] and [`fast_fields`]
//! gather what tantivy's serializers write at the end. tantivy's store, which has to be there, is left without documents: texts are
//! in a file of their own ([`crate::format::texts`]).

mod fast_fields;
mod postings;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use tantivy::directory::TerminatingWrite;
use tantivy::fieldnorm::FieldNormsSerializer;
use tantivy::index::SegmentComponent;
use tantivy::postings::InvertedIndexSerializer;
use tantivy::store::StoreWriter;
use tantivy::{Directory, Index, TantivyError};
use trommel_page::{Block, DensityUnit};
use trommel_text::{Analyzer, TermMaker};

use self::fast_fields::FastFields;
use self::postings::Postings;
use crate::build::settle::{settings, settle};
use crate::build::texts::TextWriter;
use crate::format::error::IndexError;
use crate::format::part;
use crate::format::schema::{self, BlockFields};

/// A segment that is being written.
pub(crate) struct SegmentWriter {
    path: PathBuf,
    segment: tantivy::Segment,
    fields: BlockFields,
    terms: TermMaker,
    postings: Postings,
    fast_fields: FastFields,
    texts: TextWriter,
    blocks: u32,
}

impl SegmentWriter {
    /// Begins a segment of a part. Texts that came before are remembered in so many bytes.
    pub fn create(
        directory: &Path,
        number: usize,
        (analyzer, unit): (Analyzer, DensityUnit),
        memory: usize,
    ) -> Result<SegmentWriter, IndexError> {
        let path = part::blocks(directory, number);
        std::fs::create_dir_all(&path).map_err(IndexError::io(&path))?;
        let texts = TextWriter::create(directory, number, memory);
        let texts = texts.map_err(IndexError::io(directory))?;
        let (schema, fields) = schema::block_schema();
        let begin = || {
            let index = Index::builder()
                .schema(schema)
                .settings(settings())
                .create_in_dir(&path)?;
            Ok::<_, TantivyError>(index.new_segment())
        };
        let segment = begin().map_err(IndexError::tantivy(&path))?;
        Ok(SegmentWriter {
            path,
            segment,
            fields,
            terms: TermMaker::new(analyzer),
            postings: Postings::default(),
            fast_fields: FastFields::new(unit),
            texts,
            blocks: 0,
        })
    }

    /// Adds a block. Gives its length in indexed terms.
    pub fn add(&mut self, block: &Block) -> Result<u32, IndexError> {
        let mut num_terms = 0;
        self.terms.number(&block.text, |term| {
            num_terms += u32::from(term.is_some());
            self.postings.add(term);
        });
        self.postings.end_block();
        self.fast_fields.add(block, num_terms);
        let stored = self.texts.add(&block.text);
        stored.map_err(IndexError::io(&self.path))?;
        self.blocks += 1;
        Ok(num_terms)
    }

    /// Ends the page whose blocks were added.
    pub fn end_page(&mut self) -> Result<(), IndexError> {
        self.texts.end_page().map_err(IndexError::io(&self.path))
    }

    /// Blocks that were added.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        let terms = self.terms.vocabulary().memory() + self.postings.memory();
        terms + self.fast_fields.memory() + self.texts.memory()
    }

    /// Writes everything to disk.
    pub fn finish(self) -> Result<(), IndexError> {
        let path = self.path.clone();
        self.write().map_err(IndexError::tantivy(&path))?;
        settle(&path)
    }

    fn write(self) -> Result<(), TantivyError> {
        self.texts.finish()?;
        let segment = self.segment.with_max_doc(self.blocks);
        let settings = segment.index().settings();
        let store = StoreWriter::new(
            segment.open_write(SegmentComponent::Store)?,
            settings.docstore_compression,
            settings.docstore_blocksize,
            settings.docstore_compress_dedicated_thread,
        )?;
        store.close()?;
        let norms = segment.open_write(SegmentComponent::FieldNorms)?;
        FieldNormsSerializer::from_write(norms)?.close()?;
        let mut inverted = InvertedIndexSerializer::open(&segment)?;
        if self.postings.total() > 0 {
            let total = self.postings.total();
            let mut field = inverted.new_field(self.fields.terms, total, None)?;
            self.postings.write(self.terms.vocabulary(), &mut field)?;
            field.close()?;
        }
        inverted.close()?;
        drop(self.postings);
        let mut file = segment.open_write(SegmentComponent::FastFields)?;
        self.fast_fields.write(&mut file)?;
        file.terminate()?;
        list(&segment)
    }
}

/// Lists the only segment of an index, as tantivy does.
fn list(segment: &tantivy::Segment) -> Result<(), TantivyError> {
    let index = segment.index();
    let mut lists = index.load_metas()?;
    lists.segments = vec![segment.meta().clone()];
    let mut bytes = serde_json::to_vec_pretty(&lists).map_err(io::Error::from)?;
    bytes.push(b'\n');
    index.directory().sync_directory()?;
    index
        .directory()
        .atomic_write(Path::new("meta.json"), &bytes)?;
    index.directory().sync_directory()?;
    Ok(())
}
