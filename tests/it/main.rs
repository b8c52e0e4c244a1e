//! The one integration-test binary; each module holds the tests of one part.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout
)]

mod analyzers;
mod apart;
mod attributes;
mod bags;
mod boilerpipe_causes;
mod boilerpipe_reference;
mod boolean;
mod brute;
mod build;
mod cache;
mod check;
mod cli;
mod cli_features;
mod cli_sweep;
mod cli_weights;
mod collection;
mod collection_bombs;
mod collection_damage;
mod collection_edges;
mod collection_formats;
mod collection_parquet;
mod collection_samples;
mod compare;
mod confidences;
mod cross_validation;
mod damage;
mod demo;
mod demo_made;
mod demo_source;
mod documents;
mod equivalence;
mod eval_agreement;
mod eval_trec_files;
mod experiments;
mod export;
mod extract_structure;
mod extractors_boilerpipe;
mod extractors_bte;
mod extractors_external;
mod extractors_fusion;
mod extractors_gold;
mod extractors_goldminer;
mod extractors_justext;
mod extractors_learnt;
mod extractors_onion;
mod extractors_robust;
mod extractors_tree;
mod extractors_web2text;
mod hostile;
mod hostile_pages;
mod html;
mod imports;
mod irds;
mod justext_causes;
mod kill;
mod labelling;
mod labels;
mod layers;
mod made;
mod models;
mod mutation;
mod names;
mod news;
mod oracle;
mod outputs;
mod own_remover;
mod page_postings;
mod plain_tantivy;
mod progress;
mod resume;
mod score;
mod segmenters;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_limits;
mod shards;
mod significance;
mod stats;
mod support;
mod sweep;
mod sweep_report;
mod syntax;
mod terms;
mod verify;
mod weights;
mod whole_page;
mod words;
