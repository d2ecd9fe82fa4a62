//! CtxLab's pure domain: the same values in a browser, on a server and in tests.
//!
//! ```text
//! benchmark file ── dataset::read ──> Dataset { classes, subjects }
//!                                       │
//!            subject.source + context ──┴─> perturb::Method::analyze
//!                                            │ apply(rule, options)
//!                                            v
//!                       Perturbation { sites, masked }   and why each node was taken or left
//!                                            │
//!          Variant (a model's reply) ── identify::examine ──> what became of each site
//!          TestReport ───────────────── identify::decide ───> Case, or why it is none
//!
//!     Case + Sample + TestReport ─────────── judge::judge ──> Judgement
//! ```
//!
//! In reading order: [`text`] (spans and edits), [`logprobs`] (tokens of a reply), [`syntax`] (Python as a
//! tree, and its scopes), [`subject`] and [`dataset`] (what a benchmark holds), [`perturb`] (the ten rules),
//! [`obfuscate`] (names hidden and given back), [`diff`] (what corresponds between two programs),
//! [`variant`], [`report`] and [`case`] (the nouns of step 4), [`llm`] (asking a model), [`harness`] (running tests: what goes in and
//! what comes out), [`relation`] and [`kill`] (which tests speak of a method, and which kill its variants),
//! [`integrity`] (whether a reference can judge), [`identify`] (which variants are bugs of that kind, and
//! how many bug sites a reply resolves), [`prompt`] (what a model is asked), [`predictions`] and [`run`]
//! (what a model replied), [`baseline`] (answers without a model), [`judge`] (what an answer is worth),
//! [`api`] (what crosses the wire).
//!
//! Nothing here reads a file, a clock or the environment, and nothing panics on user text.
#![warn(missing_docs)]

pub mod text;

pub mod logprobs;

pub mod syntax;

pub mod subject;

pub mod dataset;

pub mod perturb;

pub mod obfuscate;

pub mod diff;

pub mod variant;

pub mod llm;

pub mod relation;

pub mod report;

pub mod harness;

pub mod integrity;

pub mod kill;

pub mod case;

pub mod identify;

pub mod prompt;

pub mod predictions;

pub mod run;

pub mod baseline;

pub mod judge;

pub mod api;
