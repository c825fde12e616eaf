#!/usr/bin/env python3
"""Runs the notebooks of docs/notebooks by Jupyter's nbclient, and compares what they print with what they hold.

    python3 python/notebooks.py [--write] [FILE ...]

Debian: python3-nbclient, python3-ipykernel, python3-matplotlib. With --write the files get the outputs.
"""
from __future__ import annotations

import argparse
import difflib
import os
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"


def printed(notebook) -> list[str]:
    """What the cells print, line by line; pictures are not compared."""
    lines = []
    for k, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            if "image/png" not in output.get("data", {}):
                lines += [f"cell {k}: {line}" for line in text.splitlines()]
    return lines


def execute(file: Path, write: bool = False) -> list[str]:
    """Runs a notebook in a process of its own; returns where it prints something else than it holds."""
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # words of a debugger that nobody asked for
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(file, as_version=4)
    held = printed(notebook)
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False, resources={"metadata": {"path": str(file.parent)}}).execute()
    if write:
        nbformat.write(notebook, file)
        return []
    return list(difflib.unified_diff(held, printed(notebook), f"{file.name}, as it is", "as it runs", lineterm=""))


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--write", action="store_true", help="write the outputs into the files")
    p.add_argument("files", nargs="*", type=Path)
    a = p.parse_args()
    found = [line for file in a.files or sorted(FOLDER.glob("*.ipynb")) for line in execute(file, a.write)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
