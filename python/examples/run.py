"""Runs the notebooks from their beginnings, as a reader would; with --write they are written back with what they show.

    python run.py [--write]
"""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient

HERE = pathlib.Path(__file__).parent

for path in sorted(HERE.glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(HERE)}}).execute()
    if "--write" not in sys.argv:
        print(f"{path.name}: ran")
        continue
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, path)
    print(f"{path.name}: written")
