//! `oware man`: the manual pages, made from the same text as `--help`.

use super::output::Output;
use anyhow::Context;
use clap_mangen::Man;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Write all pages, one per command, into this folder, which must be there
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  oware man | man -l -                                  read the page
  oware man --to /usr/local/share/man/man1              install the pages of all commands";

/// Prints the page of `command`, or writes the pages of it and its subcommands.
pub(crate) fn run(
    arguments: &Arguments,
    mut command: clap::Command,
    output: &mut Output,
) -> anyhow::Result<()> {
    // With the subcommands that clap adds.
    command.build();
    if let Some(folder) = &arguments.to {
        return clap_mangen::generate_to(command, folder)
            .with_context(|| format!("cannot write the manual pages to {}", folder.display()));
    }
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    output.write_all(&page)?;
    Ok(())
}
