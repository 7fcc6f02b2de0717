"""shmem4py: oshrun -n 2 python3 with_shmem4py.py. PE 1 waits in OpenSHMEM."""

import numpy as np
from shmem4py import shmem
from timing import ONES, WORDS, measured

array = shmem.zeros(WORDS, int)
shmem.barrier_all()
if shmem.my_pe() == 0:
    value = np.zeros(1, int)
    places = np.random.default_rng(7).integers(0, WORDS, ONES).tolist()

    def gets():
        for i in places:
            shmem.get(value, array[i : i + 1], 1)

    def puts():
        for i in places:
            shmem.put(array[i : i + 1], value, 1)
            shmem.quiet()

    measured("get", gets, ONES)
    measured("put", puts, ONES)
shmem.barrier_all()
