"""The engine: one process of `quasistatic serve --stdio`, and the frames to and from it."""
from __future__ import annotations

import atexit
import itertools
import json
import os
import queue
import shutil
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Mapping

import numpy as np

from ._errors import EngineError, raised

PROTOCOL = 1
_LEAD = struct.Struct("<IQ")
_TYPES = {"f8": np.dtype("<f8"), "i8": np.dtype("<i8")}
_POLL = 0.1 if sys.platform == "win32" else None  # [s] a wait there cannot be interrupted, elsewhere it can


def program() -> str:
    """The program that is started: $QUASISTATIC_PROGRAM, that of the wheel, or the one on the path."""
    name = "quasistatic.exe" if sys.platform == "win32" else "quasistatic"
    wheel = Path(__file__).parent / "bin" / name
    found = os.environ.get("QUASISTATIC_PROGRAM") or (str(wheel) if wheel.exists() else shutil.which("quasistatic"))
    if not found:
        raise EngineError("the program quasistatic is neither in this package nor on the path; set QUASISTATIC_PROGRAM to it")
    return found


def _plain(value: Any) -> Any:
    """What JSON does not know: numpy's arrays and numbers, paths."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{type(value).__name__} cannot be part of a case")


class Engine:
    """A process that answers calls. Threads may share one; a fork gets its own."""

    def __init__(self, path: str | None = None, memory: str | None = None):
        command = [path or program(), "serve", "--stdio"] + (["--memory", memory] if memory else [])
        try:
            # A group of its own: Ctrl-C is for Python, which cancels the call.
            group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if sys.platform == "win32" else {"start_new_session": True}
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **group)
        except OSError as e:
            raise EngineError(f"{command[0]} cannot be started: {e}") from e
        self.pid = os.getpid()
        self._ids = itertools.count(1)
        self._write = threading.Lock()
        self._waiting: dict[int, queue.SimpleQueue] = {}
        self._ended = False
        threading.Thread(target=self._read, daemon=True, name="quasistatic").start()
        atexit.register(self.close)
        try:
            hello, _ = self.call("hello")
        except EngineError as e:
            self.close()
            raise EngineError(f"{command[0]} does not answer: {e}") from e
        if hello["protocol"] != PROTOCOL:
            self.close()
            raise EngineError(f"{command[0]} speaks protocol {hello['protocol']}, this package {PROTOCOL}")
        self.version: str = hello["version"]

    def call(self, name: str, args: Mapping[str, Any] | None = None, arrays: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, np.ndarray]]:
        """Makes a call and returns its result and its arrays. Ctrl-C cancels it."""
        number = next(self._ids)
        answer: queue.SimpleQueue = queue.SimpleQueue()
        self._waiting[number] = answer
        try:
            self._send(number, name, args, arrays)
            head, body = self._wait(answer)
        except KeyboardInterrupt:
            self._send(next(self._ids), "cancel", {"id": number}, None)
            raise
        finally:
            self._waiting.pop(number, None)
        if head.get("error"):
            raise raised(head["error"])
        return head.get("result"), body

    def close(self) -> None:
        """Ends the process, and what it computes."""
        atexit.unregister(self.close)
        if self.pid != os.getpid():  # of a parent: its process is not ours
            return
        p = self._process
        try:
            p.stdin.close()  # its end
            p.wait(2)
        except (OSError, subprocess.TimeoutExpired):
            p.kill()
            p.wait()

    def alive(self) -> bool:
        """Whether it can still be asked, from this process."""
        return self.pid == os.getpid() and not self._ended and self._process.poll() is None

    def _send(self, number: int, name: str, args: Mapping[str, Any] | None, arrays: Mapping[str, Any] | None) -> None:
        if not self.alive():
            raise EngineError("the engine has ended")
        heads, parts = [], []
        for key, value in (arrays or {}).items():
            a = np.asarray(value)
            kind = "i8" if a.dtype.kind in "iu" and key in ("indptr", "indices") else "f8"
            a = np.ascontiguousarray(a, _TYPES[kind])
            heads.append({"name": key, "type": kind, "shape": np.shape(value)})
            parts.append(a.reshape(-1).view(np.uint8).data)
        head = json.dumps({"id": number, "call": name, "args": args or {}, "arrays": heads}, default=_plain, allow_nan=False).encode()
        try:
            with self._write:
                stdin = self._process.stdin
                for part in (_LEAD.pack(len(head), sum(len(p) for p in parts)) + head, *parts):
                    view = memoryview(part)
                    while len(view):
                        view = view[stdin.write(view):]
        except (OSError, ValueError) as e:  # ValueError: a pipe that was closed
            raise EngineError("the engine has ended") from e

    def _wait(self, answer: queue.SimpleQueue) -> tuple[dict, dict]:
        while True:
            try:
                got = answer.get(timeout=_POLL)
            except queue.Empty:
                continue
            if got is None:
                raise EngineError(f"the engine has ended (exit code {self._process.poll()})")
            return got

    def _read(self) -> None:
        out = self._process.stdout
        try:
            while True:
                head_length, body_length = _LEAD.unpack(_exactly(out, _LEAD.size))
                head = json.loads(bytes(_exactly(out, head_length)))
                body = _exactly(out, body_length)
                waiting = self._waiting.get(head["id"])
                if waiting is not None:
                    waiting.put((head, _arrays(head.get("arrays") or [], body)))
        except (EOFError, OSError, ValueError):
            pass
        self._ended = True
        out.close()
        for waiting in list(self._waiting.values()):
            waiting.put(None)


def _exactly(stream: Any, n: int) -> bytearray:
    data = bytearray(n)
    view = memoryview(data)
    while len(view):
        got = stream.readinto(view)
        if not got:
            raise EOFError
        view = view[got:]
    return data


def _arrays(heads: list[dict], body: bytearray) -> dict[str, np.ndarray]:
    found, at = {}, 0
    for h in heads:
        kind = _TYPES[h["type"]]
        shape = h["shape"] or ()
        n = int(np.prod(shape, dtype=np.int64))
        found[h["name"]] = np.frombuffer(body, kind, n, at).reshape(shape)
        at += n * kind.itemsize
    return found


_default: Engine | None = None
_starting = threading.Lock()


def engine() -> Engine:
    """The engine that all calls share; it is started when it is first needed, and again if it has ended."""
    global _default
    with _starting:
        if _default is None or not _default.alive():
            _default = Engine()
        return _default
