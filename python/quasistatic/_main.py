"""The command `quasistatic` of a wheel: the program beside this package, in place of this process."""
import os
import subprocess
import sys

from ._engine import program


def main() -> None:
    command = [program(), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)
