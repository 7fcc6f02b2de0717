"""A rank that `far.run(main, ranks=N)` has started: python -m far._worker FOLDER"""

import os
import pickle
import sys

import cloudpickle

import far


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "main"), "rb") as file:
        sys.path[:] = pickle.load(file)
        function = pickle.load(file)

    def keep(world, name, value):
        path = os.path.join(folder, f"{name}.{world.rank}")
        with open(path, "wb") as file:
            try:
                # A tuple, so that None is a result, too.
                file.write(cloudpickle.dumps((value,)))
            except Exception as failure:  # noqa: BLE001 - whatever pickling raises
                file.write(cloudpickle.dumps((far.Error(f"cannot be sent: {failure}"),)))

    def body(world):
        try:
            result = function(world)
        except BaseException as failure:
            keep(world, "failure", failure)
            raise
        keep(world, "result", result)

    far.run(body)


main()
