"""What readability-lxml keeps of pages: python3 readability_lxml.py HTML_DIR > OUT.jsonl

A line a page, {"docid": "page", "text": "..."}, in the order of their names; the docid is the file's name without its
extension. Pages are decoded as UTF-8 with replacement characters. A page of which nothing is kept has an empty text, and a
line on standard error says why.
"""

import json
import logging
import re
import sys
from pathlib import Path

from lxml import html
from readability import Document

# XML knows none of these, and lxml refuses strings that have them.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def kept(markup):
    summary = Document(CONTROLS.sub(" ", markup)).summary(html_partial=True)
    if not summary.strip():
        return ""
    # A line a piece of text, so that the last word of a paragraph does not run into the first of the next one.
    return "\n".join(piece.strip() for piece in html.fromstring(summary).itertext() if piece.strip())


def main():
    logging.disable(logging.CRITICAL)
    for page in sorted(Path(sys.argv[1]).iterdir()):
        markup = page.read_bytes().decode("utf-8", errors="replace")
        try:
            text = kept(markup)
        except Exception as error:  # a page that the library cannot read is a page without text
            print(f"{page.stem}: {error}", file=sys.stderr)
            text = ""
        print(json.dumps({"docid": page.stem, "text": text}, ensure_ascii=False))


if __name__ == "__main__":
    main()
