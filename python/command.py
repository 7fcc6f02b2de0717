#!python
# The command `far` of an environment: the one in the package, which this finds without importing it.
import importlib.util
import os
import sys

found = importlib.util.find_spec("far")
if found is None or found.origin is None:
    sys.exit("far: the Python package libfar is not installed here; install it again: pip install libfar")
program = os.path.join(os.path.dirname(found.origin), "bin", "far")
os.execv(program, [program, *sys.argv[1:]])
