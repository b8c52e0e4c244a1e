"""Texts as pages that hold nothing else: python3 as_pages.py OUT.jsonl DIR

Writes DIR/DOCID.html for each line of OUT.jsonl. `trommel score --pages DIR --extractors keep-everything` then measures the texts
as they are, where `--extractors external:NAME=OUT.jsonl` measures what of the page's own text they are aligned to.
"""

import html
import json
import sys
from pathlib import Path


def main():
    lines, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for line in lines.read_text(encoding="utf-8").split("\n"):
        if line:
            page = json.loads(line)
            text = html.escape(page["text"])
            markup = f"<!DOCTYPE html>\n<title></title>\n<pre>\n{text}</pre>\n"
            (folder / f"{page['docid']}.html").write_text(markup, encoding="utf-8")


if __name__ == "__main__":
    main()
