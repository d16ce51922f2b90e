//! `oware completions`: a script that completes the command line in a shell.

use super::output::Output;
use clap::{Arg, Command, ValueHint};
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
    command: Command,
    output: &mut Output,
) -> anyhow::Result<()> {
    let mut command = hinted(command);
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "oware", &mut script);
    output.write_all(&script)?;
    Ok(())
}

/// A command and its subcommands with a hint for each value: shells offer files only where files are
/// meant.
fn hinted(command: Command) -> Command {
    let hinted_arg = |arg: Arg| {
        let hint = hint_of(&arg);
        if arg.get_action().takes_values() { arg.value_hint(hint) } else { arg }
    };
    command.mut_args(hinted_arg).mut_subcommands(hinted)
}

fn hint_of(arg: &Arg) -> ValueHint {
    let name = arg.get_value_names().and_then(|names| names.first()).map(|name| name.as_str());
    match name {
        Some("FILE") => ValueHint::FilePath,
        Some("DIR") => ValueHint::DirPath,
        Some("COMMAND") => ValueHint::CommandString,
        _ => ValueHint::Other,
    }
}
