"""The demo collection, and the command line that its figures are compared with."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trommel

@dataclass(frozen=True)
class Program:
    """The command line."""

    path: str

    def __call__(self, *arguments: Any) -> str:
        """Runs it, and gives what it printed."""
        words = [self.path, *map(str, arguments)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session of Spark; tests that need it are skipped where Spark or Java is not installed."""
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("skipped: Spark needs a Java runtime")
    # Its workers are to be this Python, which has the package.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> trommel.Demo:
    return trommel.demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def index(demo: trommel.Demo, tmp_path_factory: pytest.TempPathFactory) -> trommel.Index:
    directory = tmp_path_factory.mktemp("index") / "ix"
    return trommel.index(demo.pages, directory, extractors=["trommel", "justext"])


@pytest.fixture(scope="session")
def index_path(index: trommel.Index) -> str:
    return index._paths[0]


@pytest.fixture(scope="session")
def program() -> Program:
    """Runs the command line; tests that need it are skipped where it is not built."""
    built = Path(__file__).parents[2] / "target" / "debug" / "trommel"
    found = os.environ.get("TROMMEL_BIN") or (str(built) if built.exists() else shutil.which("trommel"))
    if found is None:
        pytest.skip("skipped: no trommel program; build it, or name it by TROMMEL_BIN")
    return Program(str(Path(found).resolve()))
