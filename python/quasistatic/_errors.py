"""What can go wrong, as exceptions. A run that is not accurate is a value and none of them."""
from __future__ import annotations

from dataclasses import dataclass


class QuasistaticError(Exception):
    """The base of all of them."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a case: what was found there and what is expected."""

    line: int  #: in the text of the case, from 1; 0 where it has no place
    column: int
    path: str  #: like $.energies[2].stiffness
    text: str


class CaseError(QuasistaticError):
    """The case is wrong. `faults` has all that was found; `path` and `line` are of the first."""

    def __init__(self, message: str, faults: list[Fault]):
        super().__init__(message)
        self.faults = faults
        self.path = faults[0].path if faults else ""
        self.line = faults[0].line if faults else 0


class InputError(QuasistaticError, ValueError):
    """Arguments of a call are wrong: a path, a shape, a name."""


class MemoryLimitError(QuasistaticError, MemoryError):
    """The call would take more memory than it may."""


class CancelledError(QuasistaticError):
    """The call was cancelled."""


class SolveError(QuasistaticError):
    """Something failed that is neither of the input nor of the program: a disk, a step of a walk."""


class EngineError(QuasistaticError):
    """The engine cannot be started, has ended, or is at fault itself."""


def raised(fault: dict) -> QuasistaticError:
    """The exception for the error of an answer."""
    message = fault.get("message", "")
    kind = fault.get("kind")
    if kind == "case":
        return CaseError(message, [Fault(**f) for f in fault.get("faults", [])])
    kinds = {"input": InputError, "memory": MemoryLimitError, "cancelled": CancelledError, "failed": SolveError}
    return kinds.get(kind, EngineError)(message)
