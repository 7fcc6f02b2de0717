"""mpi4py's windows: mpirun -n 2 python3 with_mpi4py.py. Rank 1 waits in MPI."""

import numpy as np
from mpi4py import MPI
from timing import MANY, ONES, WORDS, measured

LISTS = 20


def one_element(window, random):
    value = np.zeros(1, int)
    message = [value, 1, MPI.INT64_T]
    places = random.integers(0, WORDS, ONES).tolist()

    def gets():
        for i in places:
            window.Get(message, 1, i)
            window.Flush(1)

    def puts():
        for i in places:
            window.Put(message, 1, i)
            window.Flush(1)

    measured("get", gets, ONES)
    measured("put", puts, ONES)


def many_elements(window, random):
    values = np.zeros(MANY, int)
    lists = [random.integers(0, WORDS, MANY) for _ in range(LISTS)]
    messages = [[values[i : i + 1], 1, MPI.INT64_T] for i in range(MANY)]

    def one_by_one(transfer):
        def repeat():
            for places in lists:
                for message, i in zip(messages, places.tolist()):
                    transfer(message, 1, i)
                window.Flush(1)

        return repeat

    def as_a_type(transfer):
        def repeat():
            for places in lists:
                there = MPI.INT64_T.Create_indexed_block(1, places.tolist()).Commit()
                transfer([values, MANY, MPI.INT64_T], 1, (0, 1, there))
                window.Flush(1)
                there.Free()

        return repeat

    measured("get_1000_one_by_one", one_by_one(window.Get), LISTS)
    measured("put_1000_one_by_one", one_by_one(window.Put), LISTS)
    measured("get_1000_as_a_type", as_a_type(window.Get), LISTS)
    measured("put_1000_as_a_type", as_a_type(window.Put), LISTS)


world = MPI.COMM_WORLD
window = MPI.Win.Allocate(WORDS * 8, 8, comm=world)
window.Lock_all()
if world.rank == 0:
    random = np.random.default_rng(7)
    one_element(window, random)
    many_elements(window, random)
world.Barrier()
window.Unlock_all()
window.Free()
