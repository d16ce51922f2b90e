//! `oware completions`: a script that completes the command line in a shell.

use super::output::Output;
use clap_complete::Shell;
use std::io::Write;

/// The arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Shell that the script is for
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  oware completions bash > ~/.local/share/bash-completion/completions/oware
  oware completions fish > ~/.config/fish/completions/oware.fish";

/// Prints the script that completes `command`.
pub(crate) fn run(
    arguments: &Arguments,
    mut command: clap::Command,
    output: &mut Output,
) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "oware", &mut script);
    output.write_all(&script)?;
    Ok(())
}
