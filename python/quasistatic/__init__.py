"""Contact with dry friction, certified: the engine `quasistatic` from Python.

>>> import quasistatic as qs
>>> run = qs.run("grazing")
>>> run.certified, run["trajectory"]["x:p"][-1]
"""
from ._case import Case, Gradient, Sweep, grad, schema, sweep, value_and_grad
from ._contact import ContactSolution, LCPSolution, contact, lcp, solve
from ._engine import Engine, engine, program
from ._errors import CancelledError, CaseError, EngineError, Fault, InputError, MemoryLimitError, QuasistaticError, SolveError
from ._run import Event, Fact, Run, Table, cases, read, run

__version__ = "0.1.0"
__all__ = [
    "CancelledError", "Case", "CaseError", "ContactSolution", "Engine", "EngineError", "Event", "Fact", "Fault", "Gradient",
    "InputError", "LCPSolution", "MemoryLimitError", "QuasistaticError", "Run", "SolveError", "Sweep", "Table", "cases",
    "contact", "engine", "grad", "lcp", "program", "read", "run", "schema", "solve", "sweep", "value_and_grad",
]
