#!/usr/bin/env bash
# Builds the program with the profile of a trial run (profile-guided optimization): the same program, faster.
#
#   contrib/pgo/build.sh [FILE|DIRECTORY …]
#
# The trial run indexes the pages given, and the built-in demo collection, with its searches and sweeps. The program is in
# target/pgo/dist/trommel then. Needs llvm-profdata of the LLVM that rustc has (rustc -vV): the rustup component
# llvm-tools, a package such as llvm-22, or one that LLVM_PROFDATA names.
set -euo pipefail
pages=()
for page in "$@"; do pages+=("$(realpath "$page")"); done
cd "$(dirname "$0")/../.."

llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
host=$(rustc -vV | sed -n 's/^host: //p')
profdata=${LLVM_PROFDATA:-}
for candidate in "$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata" "llvm-profdata-$llvm" llvm-profdata; do
  if [ -z "$profdata" ] && "$candidate" merge --version 2>/dev/null | grep -q "LLVM version $llvm\."; then
    profdata=$candidate
  fi
done
if [ -z "$profdata" ]; then
  echo "no llvm-profdata of LLVM $llvm: install it (rustup component add llvm-tools, or a package llvm-$llvm), or name it with LLVM_PROFDATA" >&2
  exit 2
fi

folder=$PWD/target/pgo
profiles=$folder/profiles trial=$folder/trial
rm -rf "$profiles" "$trial"
mkdir -p "$profiles" "$trial"

# With a target named, the flags are for the program alone, not for build scripts.
build() {
  CARGO_INCREMENTAL=0 RUSTFLAGS="${RUSTFLAGS:-} $1" \
    cargo build --locked --profile dist --package trommel --bin trommel --target "$host" --target-dir "$folder/$2"
}

echo "== the program that counts" >&2
build "-Cprofile-generate=$profiles" counting
counting=$folder/counting/$host/dist/trommel

echo "== the trial run" >&2
demo=$trial/demo
# A new name for each run: profiles of equal names are added up, one file for each process.
export LLVM_PROFILE_FILE="$profiles/%p-%m.profraw"
"$counting" demo --output "$demo" >/dev/null
for run in 1 2 3 4 5 6 7 8; do
  "$counting" index --progress none --index "$trial/index-$run" "$demo/demo.warc.gz"
done
"$counting" label --index "$trial/index-1" --extractor trommel --extractor justext
for filter in 'words >= 11' 'words >= 11 and link-density <= 0.33' 'trommel' 'unfiltered'; do
  "$counting" run --index "$trial/index-1" --filter "$filter" --topics "$demo/demo.topics.xml" >/dev/null
done
"$counting" sweep --index "$trial/index-1" --topics "$demo/demo.topics.xml" --qrels "$demo/demo.qrels.txt" --vary min-words=1..60 >/dev/null
if [ ${#pages[@]} -gt 0 ]; then
  "$counting" index --progress none --index "$trial/pages" "${pages[@]}"
fi

echo "== the program" >&2
"$profdata" merge --output "$profiles/merged.profdata" "$profiles"/*.profraw
# The threads that counted at once may have missed some.
build "-Cprofile-use=$profiles/merged.profdata" used
mkdir -p "$folder/dist"
cp "$folder/used/$host/dist/trommel" "$folder/dist/trommel"
rm -rf "$trial"
echo "$folder/dist/trommel" | sed "s|^$PWD/||"
