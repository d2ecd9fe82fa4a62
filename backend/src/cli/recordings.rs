//! `ctxlab recordings`.

use std::path::PathBuf;

use clap::Subcommand;

/// What to do with recordings of models.
#[derive(Debug, Subcommand)]
#[command(after_long_help = RECORDINGS_HELP)]
pub enum RecordingsCommand {
    /// List the models whose answers are recorded
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write recordings into a bundle
    Export {
        /// The bundle: JSON lines, gzip-compressed where its name ends in .gz; `-` writes to standard output
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Of this model only
        #[arg(long)]
        model: Option<String>,
    },
    /// Take in the recordings of a bundle; those that are there already stay
    Import {
        /// The bundle: JSON lines, or these gzip-compressed; `-` reads standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

const RECORDINGS_HELP: &str = "\
A recording is a question and its reply. It is found by the SHA-256 of the model's name, the messages and \
the sampling options, whoever provided the model. Keys are in no recording.";
