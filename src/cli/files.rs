//! Files that a command writes besides its output, opened before the work starts.
//!
//! An existing file is refused unless the command is told to replace it. `-`, or a path such as
//! `/dev/stdout` that is the standard output, means standard output, and then the command prints nothing
//! else there.

use super::failure::WrongUsage;
use super::output::Output;
use anyhow::Context;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Whether a path of an option means standard output.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-") || is_same_file_as_output(path)
}

#[cfg(unix)]
fn is_same_file_as_output(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let output = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    match (output.and_then(|output| output.metadata()), fs::metadata(path)) {
        (Ok(output), Ok(named)) => identity(output) == identity(named),
        _ => false,
    }
}

/// Other systems have no path for it.
#[cfg(not(unix))]
const fn is_same_file_as_output(_: &Path) -> bool {
    false
}

/// Refuses paths of which two are the same: one would overwrite the other.
pub(crate) fn distinct(paths: &[Option<&PathBuf>]) -> Result<(), WrongUsage> {
    let paths: Vec<_> = paths.iter().flatten().collect();
    for (at, path) in paths.iter().enumerate() {
        let is_output = is_standard_output(path);
        let is_same = |other: &&PathBuf| other == *path || is_output && is_standard_output(other);
        if paths[..at].iter().any(|other| is_same(other)) {
            return Err(WrongUsage(format!("{} is named twice", path.display())));
        }
    }
    Ok(())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// The file that a link leads to, which is replaced instead of the link; any other path as it is.
fn target_of(path: &Path) -> PathBuf {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    is_file.then(|| fs::canonicalize(path).ok()).flatten().unwrap_or_else(|| path.to_owned())
}

/// Opens a file for writing. One that is there is refused, unless `replaces`; a device or a pipe is
/// written to.
fn open(path: &Path, replaces: bool) -> anyhow::Result<File> {
    let is_special = fs::metadata(path).is_ok_and(|found| !found.is_file());
    let mut options = File::options();
    if replaces || is_special {
        options.write(true).create(true).truncate(true);
    } else {
        options.write(true).create_new(true);
    }
    options.open(path).map_err(|error| refusal(error, path))
}

fn refusal(error: io::Error, path: &Path) -> anyhow::Error {
    if error.kind() == ErrorKind::AlreadyExists {
        anyhow::anyhow!("{} is there already: --force replaces it", path.display())
    } else {
        anyhow::Error::new(error).context(cannot_write(path))
    }
}

/// A file to which lines are added as they come.
pub(crate) struct Log {
    path: PathBuf,
    /// `None` for standard output.
    file: Option<File>,
}

impl Log {
    /// Opens the file. An existing one is emptied if `replaces`, and refused if not.
    pub(crate) fn open(path: &Path, replaces: bool) -> anyhow::Result<Self> {
        let is_output = is_standard_output(path);
        let file = if is_output { None } else { Some(open(path, replaces)?) };
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes a text through to the file.
    pub(crate) fn add(&mut self, text: &str) -> anyhow::Result<()> {
        let written = match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()),
            None => {
                let mut output = io::stdout().lock();
                output.write_all(text.as_bytes()).and_then(|()| output.flush())
            }
        };
        written.with_context(|| cannot_write(&self.path))
    }
}

/// A file that gets its name when it is whole. If the command fails before, nothing is left.
pub(crate) struct WholeFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    StandardOutput,
    /// A device or a pipe: it is written to and not replaced.
    Special(File),
    /// The file under its temporary name; without a file when it was published.
    Temporary(Option<File>, PathBuf),
}

impl WholeFile {
    /// Prepares the file. An existing one is replaced in the end if `replaces`, and refused if not.
    pub(crate) fn prepare(path: &Path, replaces: bool) -> anyhow::Result<Self> {
        let file = target_of(path);
        let there = fs::symlink_metadata(&file).ok();
        let target = if is_standard_output(path) {
            Target::StandardOutput
        } else if there.as_ref().is_some_and(|there| !there.is_file()) {
            Target::Special(open(path, replaces)?)
        } else if there.is_some() && !replaces {
            return Err(refusal(ErrorKind::AlreadyExists.into(), path));
        } else {
            let mut temporary = file.as_os_str().to_owned();
            temporary.push(".tmp");
            let temporary = PathBuf::from(temporary);
            let created = File::create(&temporary).map_err(|error| refusal(error, path))?;
            Target::Temporary(Some(created), temporary)
        };
        Ok(Self { path: file, target })
    }

    pub(crate) const fn is_standard_output(&self) -> bool {
        matches!(self.target, Target::StandardOutput)
    }

    /// Writes the contents and gives the file its name.
    pub(crate) fn write<T>(
        mut self,
        output: &mut Output,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let path = &self.path;
        match &mut self.target {
            Target::StandardOutput => {
                let mut out = BufWriter::with_capacity(1 << 20, output.raw());
                let result = write(&mut out)?;
                out.flush().context("cannot write to standard output")?;
                Ok(result)
            }
            Target::Special(file) => write_through(file, path, write),
            Target::Temporary(file, temporary) => {
                let mut taken = file.take().context("the file was written before")?;
                let result = write_through(&mut taken, path, write).and_then(|result| {
                    fs::rename(&*temporary, path).with_context(|| cannot_write(path))?;
                    Ok(result)
                });
                if result.is_err() {
                    // If it cannot be removed, it stays.
                    let _ = fs::remove_file(temporary);
                }
                result
            }
        }
    }
}

fn write_through<T>(
    file: &mut File,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let result = write(&mut out)?;
    out.flush().with_context(|| cannot_write(path))?;
    Ok(result)
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Target::Temporary(Some(_), temporary) = &self.target {
            // If it cannot be removed, it stays.
            let _ = fs::remove_file(temporary);
        }
    }
}
