#!/usr/bin/env python3
"""Peak memory of a command: anonymous (what --memory bounds) and resident with mapped files, sampled from /proc (Linux).

usage: benches/memory.py COMMAND ARGUMENT...
The command's output goes where it would; a line with the peaks, in MB of 10^6 bytes, and the times goes to standard error.
"""
import resource, subprocess, sys, time

FIELDS = ("RssAnon", "VmRSS")


def sample(pid):
    """Bytes of each field; nothing when the process has gone."""
    try:
        with open(f"/proc/{pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status)
        return [int(lines[field].split()[0]) * 1024 for field in FIELDS]
    except (OSError, KeyError):
        return None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    start = time.monotonic()
    process = subprocess.Popen(sys.argv[1:])
    peaks = [0, 0]
    while process.poll() is None:
        found = sample(process.pid)
        peaks = [max(pair) for pair in zip(peaks, found)] if found else peaks
        time.sleep(0.002)
    wall = time.monotonic() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    anonymous, resident = (peak / 1e6 for peak in peaks)
    print(
        f"peak anonymous {anonymous:.0f} MB, resident {resident:.0f} MB; "
        f"CPU {used.ru_utime + used.ru_stime:.1f} s, wall {wall:.1f} s",
        file=sys.stderr,
    )
    sys.exit(process.returncode)


if __name__ == "__main__":
    main()
