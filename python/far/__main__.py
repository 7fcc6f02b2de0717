"""python -m far --cmake-dir: where C++ programs find the libfar of this package."""

import argparse
import os
import sys

import far
from far import _far


def folder(*names):
    """A folder beside the library, as text."""
    library = os.path.realpath(_far.library_path())
    path = os.path.join(os.path.dirname(library), *names)
    if not os.path.isdir(path):
        sys.exit(f"far: {library} is not installed, there is no {path}: cmake --install its build")
    return path


def main():
    parser = argparse.ArgumentParser(
        prog="python -m far", description="Where C++ programs find the libfar of this package."
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--version", action="version", version=far.__version__)
    what.add_argument(
        "--cmake-dir", action="store_const", dest="names", const=("cmake", "far"),
        help="the folder with farConfig.cmake: cmake -Dfar_DIR=$(python -m far --cmake-dir)",
    )
    what.add_argument(
        "--pkg-config-dir", action="store_const", dest="names", const=("pkgconfig",),
        help="the folder with far.pc: PKG_CONFIG_PATH=$(python -m far --pkg-config-dir)",
    )
    print(folder(*parser.parse_args().names))


main()
