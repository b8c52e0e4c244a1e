import json
import sys

try:
    import ir_datasets
except ImportError:
    sys.exit("ir_datasets is not there: install it (pip install ir_datasets), or name a Python that has it by TROMMEL_PYTHON")

what, name = sys.argv[1:]
dataset = ir_datasets.load(name)
if what == "topics":
    for query in dataset.queries_iter():
        fields = {key: value for key, value in query._asdict().items() if isinstance(value, str)}
        fields.setdefault("title", query.default_text())
        print(json.dumps(fields))
else:
    for qrel in dataset.qrels_iter():
        under = getattr(qrel, "subtopic_id", None) or getattr(qrel, "iteration", None) or "0"
        print(qrel.query_id, under, qrel.doc_id, qrel.relevance)
