#!/usr/bin/env python3
"""Makes the WACZ files beside it with Python's zipfile, an implementation that is not ours."""
import gzip, io, os, zipfile


def record(docid, html):
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html.encode()
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{docid}>\r\nContent-Length: {len(http)}\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"


def member(data):
    return gzip.compress(data, mtime=0)


class Pipe(io.RawIOBase):
    """A file that cannot be sought in: zipfile then puts sizes behind the data."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


FILES = [
    ("datapackage.json", b'{"profile": "data-package", "wacz_version": "1.1.1"}', zipfile.ZIP_DEFLATED),
    ("archive/a.warc.gz", member(record("a1", "<p>one")) + member(record("a2", "<p>two")), zipfile.ZIP_STORED),
    ("indexes/index.cdx.gz", member(b"org,example)/ 2020 {}\n"), zipfile.ZIP_STORED),
    ("archive/b.warc", record("b1", "<p>three") + record("b2", "<p>four" * 100), zipfile.ZIP_DEFLATED),
    ("pages/pages.jsonl", b'{"format": "json-pages-1.0"}\n', zipfile.ZIP_DEFLATED),
]


def write(name, pipe=False, zip64=False):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "wb") as file:
        with zipfile.ZipFile(Pipe(file) if pipe else file, "w") as archive:
            for path, data, method in FILES:
                info = zipfile.ZipInfo(path)
                info.compress_type = method
                with archive.open(info, "w", force_zip64=zip64) as out:
                    out.write(data)


write("plain.wacz")
write("descriptors.wacz", pipe=True)
write("zip64.wacz", zip64=True)
