"""A program of all structures, whose result is the same wherever its ranks are."""

import numpy as np

import far


def offset(x):
    return x + 100


def main(world):
    size, rank = world.size, world.rank
    right = (rank + 1) % size
    numbers = far.Array(world, 10 * size, np.int32)
    if rank == 0:
        numbers[:] = np.arange(10 * size)
    world.barrier()
    numbers.add_at([0, 10 * size - 1, 0], 1)
    numbers.fetch_add(3, rank)
    world.barrier()
    expected = np.arange(10 * size)
    expected[0] += 2 * size
    expected[-1] += size
    expected[3] += size * (size - 1) // 2
    assert numbers[:].tolist() == expected.tolist()

    cached = far.CachedArray(world, 64, np.int64, chunk=16)
    cached.add_at(np.arange(64), 1)
    grid = far.Matrix(world, 6, 8, np.float64)
    grid.accumulate(np.s_[1:5, 2:7], np.ones((4, 5)))
    world.barrier()
    assert cached.sum() == 64 * size and grid.sum() == 20 * size

    counts = far.HashMap(world, key=np.int64, value=np.int64)
    counts.add(np.arange(20) % 7, 1)
    words = far.HashMap(world, key=str, value=str)
    words[f"rank {rank}"] = str(rank)
    world.barrier()
    assert counts[0] == 3 * size and counts.size() == 7
    assert words[f"rank {right}"] == str(right)

    queue = far.Queue(world, 2 * size, dtype=np.int64, host=size - 1)
    queue.push(rank)
    lock = far.Lock(world)
    both = far.RWLock(world)
    with lock:
        numbers[0] = numbers[0] + 1
    with both.writing():
        numbers[1] = numbers[1] + 1
    with both.reading():
        assert 2 <= numbers[1] <= 1 + size
    world.barrier()
    assert numbers[0] == 3 * size and numbers[1] == 1 + size
    assert sorted(world.allgather_object(queue.pop())) == list(range(size))

    assert world.rpc(right, offset, rank).result() == rank + 100
    assert world.rpc(right, offset, rank, inline=True).result() == rank + 100
    assert world.split(rank % 2).allreduce(1) == (size + 1 - rank % 2) // 2
    words.free()
    total = world.allreduce(int(numbers.sum()))
    if rank == 0:
        print("good", total // size)


far.run(main)
