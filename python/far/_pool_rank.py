"""A rank of a far.Pool: python -m far._pool_rank SOCKET"""

import pickle
import sys
from multiprocessing.connection import Client

import cloudpickle

import far
from far._run import one_line


def outcome_of(message, world):
    sys.path[:], call = pickle.loads(message)
    try:
        function, args, kwargs = pickle.loads(call)
        return True, function(world, *args, **kwargs)
    except Exception as failure:  # noqa: BLE001 - it belongs to the caller
        return False, failure


def main(world):
    world.kept = {}
    with Client(sys.argv[1]) as line:
        line.send(world.rank)
        while True:
            try:
                message = line.recv_bytes()
            except EOFError:
                return
            is_done, value = outcome_of(message, world)
            try:
                answer = cloudpickle.dumps((is_done, value))
            except Exception as failure:  # noqa: BLE001 - whatever pickling raises
                what = one_line(failure if is_done else value)
                answer = cloudpickle.dumps((False, far.Error(f"cannot be sent: {what}")))
            line.send_bytes(answer)


far.run(main)
