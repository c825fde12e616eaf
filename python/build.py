#!/usr/bin/env python3
"""Makes the wheels: the package with the program of each target beside it, cross-compiled.

    python3 python/build.py [--target linux-amd64 ...] [DIR]

A wheel is a zip with metadata (PEP 427); the same sources make the same bytes.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import os
import subprocess
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
VERSION = "0.1.0"
LIMIT = 25e6  # [byte] of a wheel; of the six that of macOS on amd64 is the largest
# Go's target, and the tags under which pip looks for it. The program is static, so that glibc and
# musl are one to it; of macOS 12 is the oldest that Go supports.
TARGETS = {
    "linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}


def compiled(target: str, to: Path) -> None:
    system, machine = target.split("-")
    env = {**os.environ, "GOOS": system, "GOARCH": machine, "CGO_ENABLED": "0"}
    flags = ["-trimpath", "-ldflags=-s -w"]
    if machine == "arm64":  # without fused multiply-add: the same bytes in all tables as on amd64
        flags.append("-gcflags=all=-d=fmahash=qn")
    subprocess.run(["go", "build", *flags, "-o", str(to), "./cmd/quasistatic"], cwd=HERE.parent, env=env, check=True)


def wheel(target: str, folder: Path) -> Path:
    """Makes the wheel of one target and returns its file."""
    tags = TARGETS[target]
    info = f"quasistatic-{VERSION}.dist-info"
    files = {f"quasistatic/{p.name}": p.read_bytes() for p in sorted((HERE / "quasistatic").glob("*")) if p.suffix == ".py" or p.name == "py.typed"}
    name = "quasistatic.exe" if target.startswith("windows") else "quasistatic"
    with tempfile.TemporaryDirectory() as scratch:
        compiled(target, Path(scratch) / name)
        files[f"quasistatic/bin/{name}"] = (Path(scratch) / name).read_bytes()
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = "".join(["Wheel-Version: 1.0\nGenerator: python/build.py\nRoot-Is-Purelib: false\n", *(f"Tag: py3-none-{t}\n" for t in tags.split("."))]).encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nquasistatic = quasistatic._main:main\n"
    files[f"{info}/RECORD"] = record(files, info).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"quasistatic-{VERSION}-py3-none-{tags}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/bin/" in name else 0o100644) << 16
            z.writestr(entry, data)
    if path.stat().st_size > LIMIT:
        raise SystemExit(f"{path} has {path.stat().st_size / 1e6:.1f} MB, more than {LIMIT / 1e6:.0f}")
    return path


def metadata() -> str:
    lines = ["Metadata-Version: 2.1", "Name: quasistatic", f"Version: {VERSION}",
             "Summary: Contact with dry friction, quasi-static and dynamic, certified on every run",
             "Requires-Python: >=3.9", "Requires-Dist: numpy>=1.22", "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (HERE / "README.md").read_text(encoding="utf-8")


def record(files: dict[str, bytes], info: str) -> str:
    def line(name: str, data: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(data)}\n"

    return "".join(line(n, d) for n, d in files.items()) + f"{info}/RECORD,,\n"


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--target", action="append", choices=list(TARGETS), help="one of the targets; all without this")
    p.add_argument("folder", nargs="?", default="dist", type=Path)
    a = p.parse_args()
    for target in a.target or TARGETS:
        path = wheel(target, a.folder)
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
