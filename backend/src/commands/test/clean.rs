//! Which references variants are scored with: the clean ones, unless it is asked otherwise.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use shared::integrity::Integrity;
use shared::report::Surroundings;
use shared::subject::ClassItem;

use crate::cli::TestArgs;
use crate::commands::identify::for_each_line;
use crate::commands::selfcheck;
use crate::sandbox::Engines;

/// What is known of references; `None` where all are used.
pub(super) struct Clean(Option<Vec<Integrity>>);

impl Clean {
    /// What a file of `selfcheck` says of these classes, or what a check of them shows now.
    pub(super) async fn of(
        args: &TestArgs,
        engines: &Engines,
        classes: &[&ClassItem],
    ) -> Result<Self> {
        if args.all {
            return Ok(Self(None));
        }
        let names: BTreeSet<&str> = classes.iter().map(|class| class.name.as_str()).collect();
        let found = match &args.integrity {
            None => {
                let mut distinct = classes.to_vec();
                distinct.sort_by_key(|class| &class.name);
                distinct.dedup_by_key(|class| &class.name);
                selfcheck::check(engines, &args.run, args.jobs, distinct).await?
            }
            Some(path) => {
                let engine = engines.get(args.run.engine.as_deref()).await?.about();
                read(path, &names, (engine.engine, &engine.python))?
            }
        };
        Ok(Self(Some(found)))
    }

    /// What is known of a class.
    pub(super) fn known(&self, class: &str) -> Option<&Integrity> {
        self.0.as_ref()?.iter().find(|it| it.class == class)
    }

    /// What is around a class's variants; `None` where they are left out.
    pub(super) fn surroundings(&self, class: &str, with_remedies: bool) -> Option<Surroundings> {
        match self.known(class) {
            Some(it) if !it.is_clean() && !with_remedies => None,
            Some(it) => it.remedy(),
            None => Some(Surroundings::default()),
        }
    }

    /// Says which classes are left out, and so how many variants.
    pub(super) fn tell(
        &self,
        n_variants: usize,
        args: &TestArgs,
        out: &mut dyn Write,
    ) -> Result<()> {
        let known = self.0.iter().flatten();
        let left_out = known.filter(|it| self.surroundings(&it.class, args.remedies).is_none());
        let left_out: Vec<Integrity> = left_out.cloned().collect();
        if n_variants > 0 {
            writeln!(
                out,
                "{n_variants} variants left out: their {} references are not clean (--all tests them too){}",
                left_out.len(),
                selfcheck::names(&left_out)
            )?;
        }
        Ok(())
    }
}

/// The lines of a file about these classes; they have to be of the engine that tests the variants.
fn read(path: &Path, names: &BTreeSet<&str>, engine: (&str, &str)) -> Result<Vec<Integrity>> {
    let mut found = Vec::new();
    let shown = path.display();
    for_each_line(path, |number, line| {
        let read =
            line.and_then(|line| Integrity::from_json_line(line).map_err(|why| why.to_string()));
        let read = read.map_err(anyhow::Error::msg);
        let read = read.with_context(|| {
            format!("line {number} of {shown} cannot be used; make it with `ctxlab selfcheck --format jsonl`")
        })?;
        let stamp = read.report.engine.as_ref();
        let of = stamp.map_or(("", ""), |stamp| (&stamp.engine, &stamp.python));
        if of != engine {
            bail!(
                "{shown} is about {} ({}), and {} ({}) runs the variants; check the references with it",
                of.0,
                of.1,
                engine.0,
                engine.1
            );
        }
        if names.contains(read.class.as_str()) {
            found.push(read);
        }
        Ok(())
    })?;
    let mut names = names.iter();
    if let Some(missing) = names.find(|name| found.iter().all(|it| it.class != ***name)) {
        bail!("{shown} says nothing about {missing}; check the whole benchmark");
    }
    Ok(found)
}
