"""A wheel is what pip reads, the same each time, and not larger than it may be; what is compiled is replaced here."""
import os
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))
import build  # noqa: E402


class Wheels(unittest.TestCase):
    def made(self, target: str, size: int) -> Path:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        program = os.urandom(size) if size > 100 else b"program"
        with mock.patch.object(build, "compiled", lambda _, to: to.write_bytes(program)):
            return build.wheel(target, Path(folder))

    def test_content(self):
        for target in build.TARGETS:
            path = self.made(target, 7)
            self.assertEqual(path.read_bytes(), self.made(target, 7).read_bytes())
            with zipfile.ZipFile(path) as z:
                listed = [line.split(",")[0] for line in z.read("quasistatic-0.1.0.dist-info/RECORD").decode().splitlines()]
                self.assertEqual(sorted(listed), sorted(z.namelist()))
                program = next(i for i in z.infolist() if "/bin/" in i.filename)
            self.assertEqual(program.filename.endswith(".exe"), target.startswith("windows"))
            self.assertTrue(program.external_attr >> 16 & 0o111)

    def test_limit(self):
        self.assertEqual(build.LIMIT, 25e6)
        with mock.patch.object(build, "LIMIT", 100_000):
            self.made("linux-amd64", 50_000)
            with self.assertRaisesRegex(SystemExit, "MB, more than"):
                self.made("linux-amd64", 100_000)


if __name__ == "__main__":
    unittest.main()
