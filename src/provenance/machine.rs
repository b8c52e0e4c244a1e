//! What a machine says of itself, for ir_metadata's `platform`.

use std::fs;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// What is known of the machine; what the system does not tell is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Machine {
    /// The processor as it calls itself.
    pub cpu: Option<String>,
    /// Its architecture: `x86_64`.
    pub architecture: String,
    /// Threads that run at the same time.
    pub cores: Option<usize>,
    /// Memory, in whole gigabytes, as ir_metadata writes it: `24 GB`.
    pub ram: Option<String>,
    /// Name and release of the kernel.
    pub kernel: String,
    /// The name of the system's distribution.
    pub distribution: Option<String>,
}

impl Machine {
    /// This machine. Only Linux tells all.
    pub fn this() -> Machine {
        let read = |path: &str| fs::read_to_string(path).ok();
        let release = read("/proc/sys/kernel/osrelease");
        let os = std::env::consts::OS;
        Machine {
            cpu: read("/proc/cpuinfo").and_then(|text| value_of(&text, "model name", ':')),
            architecture: std::env::consts::ARCH.to_owned(),
            cores: available_parallelism().ok().map(NonZeroUsize::get),
            ram: read("/proc/meminfo").and_then(|text| gigabytes(&text)),
            kernel: match release {
                Some(release) => format!("{os} {}", release.trim()),
                None => os.to_owned(),
            },
            distribution: read("/etc/os-release")
                .and_then(|text| value_of(&text, "PRETTY_NAME", '='))
                .map(|name| name.trim_matches('"').to_owned()),
        }
    }
}

/// The value of the first line with a key.
fn value_of(text: &str, key: &str, between: char) -> Option<String> {
    let pairs = text.lines().filter_map(|line| line.split_once(between));
    let mut values = pairs.filter(|(name, _)| name.trim() == key);
    values.next().map(|(_, value)| value.trim().to_owned())
}

/// The memory that `/proc/meminfo` tells in kibibytes, in gibibytes.
fn gigabytes(text: &str) -> Option<String> {
    let total = value_of(text, "MemTotal", ':')?;
    let kibibytes: u64 = total.trim_end_matches("kB").trim().parse().ok()?;
    Some(format!("{} GB", (kibibytes + (1 << 19)) >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_linux() {
        let info = "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nmodel name\t: Other\n";
        let cpu = value_of(info, "model name", ':');
        assert_eq!(cpu.as_deref(), Some("Some CPU @ 2.00GHz"));
        let memory = "MemTotal:       24689228 kB\nMemFree: 1 kB\n";
        assert_eq!(gigabytes(memory).as_deref(), Some("24 GB"));
        assert_eq!(gigabytes("MemTotal: many"), None);
        assert_eq!(gigabytes(""), None);
    }
}
