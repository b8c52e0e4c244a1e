#!/usr/bin/env bash
# Makes what a release has for a platform: the program in the profile `dist`, completions, manual pages, licences, in one archive.
#
#   contrib/release/archive.sh [TARGET]
#
# TARGET is a triple of Rust's, this machine's if none is named. The archive is in target/release-archives then.
set -euo pipefail
cd "$(dirname "$0")/../.."
host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
folder=${CARGO_TARGET_DIR:-target}
name=trommel-$version-$target
archives=$folder/release-archives place=$folder/release-archives/$name

if [ "$target" = "$host" ]; then
  cargo build --locked --profile dist --package trommel --bin trommel
  built=$folder/dist
else
  cargo build --locked --profile dist --package trommel --bin trommel --target "$target"
  built=$folder/$target/dist
fi
exe=
case $target in *windows*) exe=.exe ;; esac

rm -rf "$place"
mkdir -p "$place/completions"
cp "$built/trommel$exe" LICENSE NOTICE README.md CHANGELOG.md "$place"
# What is written by the program is written by one that runs here.
program=$built/trommel$exe
if ! "$program" --version >/dev/null 2>&1; then
  cargo build --locked --package trommel --bin trommel
  program=$folder/debug/trommel
fi
for shell in bash zsh fish elvish powershell; do
  "$program" completions "$shell" > "$place/completions/trommel.$shell"
done
"$program" man "$place/man"

case $target in
  *windows*) (cd "$archives" && rm -f "$name.zip" && { command -v zip >/dev/null && zip -qr "$name.zip" "$name" || 7z a "$name.zip" "$name" >/dev/null; }) ;;
  *) tar -C "$archives" -czf "$archives/$name.tar.gz" "$name" ;;
esac
rm -rf "$place"
ls "$archives"/"$name".*
