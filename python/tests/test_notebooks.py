"""The notebooks, and the Python blocks of the tutorial, run and print what they say."""
import contextlib
import importlib.util
import io
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])

import notebooks


class Notebooks(unittest.TestCase):
    @unittest.skipUnless(all(map(importlib.util.find_spec, ["nbclient", "ipykernel", "matplotlib"])), "Debian: python3-nbclient python3-ipykernel python3-matplotlib")
    def test_they_print_what_they_hold(self):
        files = sorted(notebooks.FOLDER.glob("*.ipynb"))
        self.assertEqual(len(files), 5)
        for file in files:
            with self.subTest(file.name):
                self.assertEqual(notebooks.execute(file), [])


class Tutorial(unittest.TestCase):
    def test_blocks(self):
        text = (HERE.parent.parent / "docs" / "tutorial.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertGreaterEqual(len(blocks), 4)
        names, here = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as d:
            os.chdir(d)
            try:
                for block in blocks:
                    out = io.StringIO()
                    with contextlib.redirect_stdout(out):
                        exec(block, names)
                    said = re.findall(r"print\(.*\)\s+# (.*)", block)
                    self.assertEqual(out.getvalue().splitlines(), said, block)
            finally:
                os.chdir(here)
