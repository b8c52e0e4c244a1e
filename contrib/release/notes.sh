#!/usr/bin/env bash
# Prints what CHANGELOG.md says of a version: contrib/release/notes.sh 0.1.0
set -euo pipefail
cd "$(dirname "$0")/../.."
notes=$(awk -v version="$1" '/^## \[/ { on = index($0, "## [" version "]") == 1; next } on' CHANGELOG.md)
if [ -z "${notes//[[:space:]]/}" ]; then
  echo "CHANGELOG.md has nothing of $1" >&2
  exit 2
fi
echo "$notes"
