"""Search web archives without the boilerplate.

Pages are cut into text blocks, blocks are measured and indexed, and a search keeps only the blocks that pass a filter chosen at search
time, as if nothing else had ever been indexed.

>>> import trommel
>>> page = "<ul><li><a href=/>Home</a></ul><p>A rain barrel under the downspout keeps water for the dry weeks of summer."
>>> trommel.extract(page, extractor="min-words-10")
'A rain barrel under the downspout keeps water for the dry weeks of summer.'
"""

from ._trommel import Page, ParseError, TrommelError, TrommelWarning, __version__
from .evaluation import Comparison, Evaluation, compare, evaluate
from .indexes import Index, Statistics, index, label, merge
from .inputs import Demo, demo, read_qrels, read_run, read_topics, write_run
from .pages import Ledger, Reader, blocks, extract, read
from .sweep import Sweep
from .table import Table

__all__ = [
    "Comparison",
    "Demo",
    "Evaluation",
    "Index",
    "Ledger",
    "Page",
    "ParseError",
    "Reader",
    "Statistics",
    "Sweep",
    "Table",
    "TrommelError",
    "TrommelWarning",
    "__version__",
    "blocks",
    "compare",
    "demo",
    "evaluate",
    "extract",
    "index",
    "label",
    "merge",
    "read",
    "read_qrels",
    "read_run",
    "read_topics",
    "write_run",
]
