//! Shards: an index in several directories, each built of some of the files, by whoever comes to it.
//!
//! `DIR/shard-3-of-8` holds the third of eight shards. It is built under another name, `DIR/.shard-3-of-8.ID`, and gets its own when
//! it is finished: so it is there or it is not, whoever is killed when, and of two who build it at the same time one wins.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, thread};

use trommel_archive::Input;

use crate::build::options::BuildOptions;
use crate::build::progress::Progress;
use crate::build::run::{BuildReport, build, build_locked};
use crate::build::state::State;
use crate::format::error::IndexError;
use crate::format::file::{entries, sync_directory};
use crate::format::lock::{self, lock};
use crate::format::manifest::MANIFEST;

/// Which of how many shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `count`.
    pub number: u32,
    /// How many there are.
    pub count: u32,
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `3/8`.
    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || format!("'{text}' is no shard: write 3/8 for the third of eight");
        let (number, count) = text.split_once('/').ok_or_else(wrong)?;
        let number = number.parse().map_err(|_| wrong())?;
        let count = count.parse().map_err(|_| wrong())?;
        match (1..=count).contains(&number) {
            true => Ok(Shard { number, count }),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl Shard {
    /// Name of its directory.
    pub fn name(&self) -> String {
        format!("shard-{}-of-{}", self.number, self.count)
    }

    /// Reads what [`Shard::name`] wrote.
    pub fn of_name(name: &str) -> Option<Shard> {
        let (number, count) = name.strip_prefix("shard-")?.split_once("-of-")?;
        format!("{number}/{count}").parse().ok()
    }

    /// The files of the shard: consecutive ones, so that shards in order have the files in order, and of about as many bytes in
    /// each. Files of unknown size count as one byte.
    pub fn files<'a>(&self, inputs: &'a [Input]) -> &'a [Input] {
        let size = |input: &Input| u128::from(input.size.unwrap_or(1).max(1));
        let total: u128 = inputs.iter().map(size).sum();
        let mut before = 0;
        // The shard of a file is that of its middle, which ascends from file to file.
        let shards = inputs.iter().map(|input| {
            let middle = 2 * before + size(input);
            before += size(input);
            middle * u128::from(self.count) / (2 * total)
        });
        let shards: Vec<u128> = shards.collect();
        let own = u128::from(self.number - 1);
        let start = shards.partition_point(|shard| *shard < own);
        let end = shards.partition_point(|shard| *shard <= own);
        &inputs[start..end]
    }
}

/// What building a shard came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardReport {
    /// Its directory.
    pub directory: PathBuf,
    /// It was there, of the same options and files.
    pub already_built: bool,
    /// What is in it.
    pub report: BuildReport,
}

/// Builds a shard of the inputs in its directory below `directory`. `attempt` tells this attempt from others at the same shard that
/// may be under way; with [`BuildOptions::resume`] one that was interrupted is gone on with: that of the same name, else the one that
/// came furthest. A shard without files or pages is an index without pages.
///
/// # Errors
/// Those of [`build`]; [`IndexError::Changed`] if the shard is there and of other options or files, [`IndexError::Busy`] if an
/// attempt of the same name is under way.
pub fn build_shard(
    directory: &Path,
    shard: Shard,
    attempt: &str,
    inputs: &[Input],
    options: &BuildOptions,
    progress: &Progress,
) -> Result<ShardReport, IndexError> {
    let inputs = shard.files(inputs);
    let options = BuildOptions {
        allow_empty: true,
        ..options.clone()
    };
    let place = directory.join(shard.name());
    let report = |report: BuildReport, already_built: bool| ShardReport {
        directory: place.clone(),
        already_built,
        report,
    };
    // Resuming a finished build only looks whether it is this one.
    let finished = || {
        let options = BuildOptions {
            resume: true,
            ..options.clone()
        };
        Ok(report(build(&place, inputs, &options, progress)?, true))
    };
    if place.join(MANIFEST).exists() {
        return finished();
    }
    let prefix = format!(".{}.", shard.name());
    // Nobody else may tidy up here before the directory has its name.
    let (staged, lock) = stage(directory, &prefix, attempt, options.resume)?;
    let built = build_locked(&staged, inputs, &options, progress, &lock, None)?;
    match fs::rename(&staged, &place) {
        Ok(()) => {
            sync_directory(directory)?;
            Ok(report(built, false))
        }
        // Another attempt was first.
        Err(_) if place.join(MANIFEST).exists() => {
            fs::remove_dir_all(&staged).map_err(IndexError::io(&staged))?;
            finished()
        }
        Err(error) => Err(IndexError::io(&place)(error)),
    }
}

/// Where a shard is, or the attempt at it that [`build_shard`] would go on with: that of the same name, else the one that came
/// furthest; none if there is none.
pub(crate) fn furthest(
    directory: &Path,
    shard: Shard,
    attempt: &str,
) -> Result<Option<PathBuf>, IndexError> {
    let place = directory.join(shard.name());
    if place.join(MANIFEST).exists() {
        return Ok(Some(place));
    }
    let prefix = format!(".{}.", shard.name());
    let staged = directory.join(format!("{prefix}{attempt}"));
    let is_attempt = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.starts_with(&prefix))
    };
    let attempts = entries(directory)?.into_iter().filter(is_attempt);
    Ok(attempts.max_by_key(|path| (*path == staged, pages(path))))
}

/// Pages that an attempt has finished.
fn pages(attempt: &Path) -> u64 {
    match State::read(attempt) {
        Ok(Some(state)) => state.counts.pages,
        _ if attempt.join(MANIFEST).exists() => u64::MAX,
        _ => 0,
    }
}

/// How often a directory is asked for that another may have in hand for a moment, to see whether it can be removed.
const TRIES: u32 = 20;

/// How long to wait in between.
const PAUSE: Duration = Duration::from_millis(50);

/// The directory in which something is made before it gets its name, `prefix` and then `attempt`, and the lock on it. What dead
/// attempts of this prefix have left is removed, unless it is to be gone on with.
pub(crate) fn stage(
    directory: &Path,
    prefix: &str,
    attempt: &str,
    resume: bool,
) -> Result<(PathBuf, File), IndexError> {
    fs::create_dir_all(directory).map_err(IndexError::io(directory))?;
    let staged = directory.join(format!("{prefix}{attempt}"));
    let mut dead = dead_attempts(directory, prefix)?;
    if resume {
        dead.sort_by_key(|(path, _)| (*path == staged, pages(path)));
        if let Some((path, lock)) = dead.pop_if(|(path, _)| *path == staged || !staged.exists()) {
            fs::rename(&path, &staged).map_err(IndexError::io(&path))?;
            remove_attempts(dead)?;
            return Ok((staged, lock));
        }
    }
    remove_attempts(dead)?;
    let mut tries = 0;
    loop {
        fs::create_dir_all(&staged).map_err(IndexError::io(&staged))?;
        tries += 1;
        match lock(&staged) {
            Ok(lock) => return Ok((staged, lock)),
            Err(error) if tries == TRIES => return Err(error),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

/// Attempts that nobody is at, with the locks on them: whoever is alive holds the lock.
fn dead_attempts(directory: &Path, prefix: &str) -> Result<Vec<(PathBuf, File)>, IndexError> {
    let mut dead = Vec::new();
    for entry in fs::read_dir(directory).map_err(IndexError::io(directory))? {
        let path = entry.map_err(IndexError::io(directory))?.path();
        let file = path.file_name().map(|name| name.to_string_lossy());
        let is_attempt = file.is_some_and(|file| file.starts_with(prefix));
        // One without a lock has just begun. It may also have just been finished or removed.
        if is_attempt
            && path.join(lock::FILE).exists()
            && let Ok(lock) = lock(&path)
        {
            dead.push((path, lock));
        }
    }
    Ok(dead)
}

fn remove_attempts(attempts: Vec<(PathBuf, File)>) -> Result<(), IndexError> {
    for (path, _lock) in attempts {
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(IndexError::io(&path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The index directories that paths name: a directory that holds shards and is no index itself stands for all of them, in order.
///
/// # Errors
/// [`IndexError::MissingShards`] if some are not there.
pub fn directories(paths: &[PathBuf]) -> Result<Vec<PathBuf>, IndexError> {
    let mut directories = Vec::new();
    for path in paths {
        let mut shards = match path.join(MANIFEST).exists() {
            true => Vec::new(),
            false => shards_in(path),
        };
        shards.sort_by_key(|shard| (shard.count, shard.number));
        let Some(last) = shards.last() else {
            directories.push(path.clone());
            continue;
        };
        let counts = shards.iter().filter(|shard| shard.count != last.count);
        let wanted = (1..=last.count).map(|number| Shard { number, ..*last });
        let missing: Vec<String> = wanted
            .filter(|shard| !shards.contains(shard))
            .map(|shard| shard.name())
            .chain(counts.map(|shard| format!("(and it has a {})", shard.name())))
            .collect();
        if !missing.is_empty() {
            return Err(IndexError::MissingShards {
                path: path.clone(),
                missing,
            });
        }
        directories.extend(shards.iter().map(|shard| path.join(shard.name())));
    }
    Ok(directories)
}

/// The finished shards in a directory.
fn shards_in(path: &Path) -> Vec<Shard> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let shards = names.filter_map(|name| Shard::of_name(name.to_str()?));
    shards
        .filter(|shard| path.join(shard.name()).join(MANIFEST).exists())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(sizes: &[u64]) -> Vec<Input> {
        let input = |(at, size): (usize, &u64)| Input {
            path: None,
            name: format!("{at}").into(),
            size: Some(*size),
            relative: None,
            record: None,
        };
        sizes.iter().enumerate().map(input).collect()
    }

    /// Every file is in one shard, in order, and shards are about even.
    #[test]
    fn shards_part_the_files() {
        for sizes in [
            &[][..],
            &[5],
            &[0, 0, 0],
            &[1, 1, 1, 1, 1, 1],
            &[100, 1, 1, 1, 100, 1, 50, 50],
        ] {
            let inputs = inputs(sizes);
            for count in 1..10 {
                let shards = (1..=count).map(|number| Shard { number, count });
                let parted: Vec<&[Input]> = shards.map(|shard| shard.files(&inputs)).collect();
                assert_eq!(parted.concat(), inputs, "{sizes:?} in {count}");
            }
        }
        let inputs = inputs(&[10; 40]);
        for number in 1..=8 {
            let shard = Shard { number, count: 8 };
            assert_eq!(shard.files(&inputs).len(), 5);
        }
    }

    #[test]
    fn names_are_read_back() {
        let shard: Shard = "3/8".parse().unwrap();
        assert_eq!(shard.name(), "shard-3-of-8");
        assert_eq!(Shard::of_name(&shard.name()), Some(shard));
        for wrong in ["", "3", "0/8", "9/8", "a/8", "3/0", "-1/2", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
