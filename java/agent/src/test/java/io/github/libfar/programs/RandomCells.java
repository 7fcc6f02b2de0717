package io.github.libfar.programs;

import java.util.Arrays;
import java.util.Random;

/**
 * A random program without data races: cells under locks, counters of a thread's own, barriers.
 * What it prints depends on the seed and the number of threads alone.
 */
public final class RandomCells {
  private static final int ROUNDS = 6;

  private static final class Cell {
    private int number;
    private long large;
    private double real;
    private byte small;
    private Object boxed;
    private final int[] counts = new int[7];
    private Cell next;

    void change(int amount) {
      number += amount;
      large += (long) amount << 33;
      real += 0.5 * amount;
      small += (byte) amount;
      counts[amount % counts.length]++;
      if (amount % 10 != 3) return;
      final Cell made = new Cell();
      made.number = 1 + (next == null ? 0 : next.number);
      made.boxed = made.number % 2 == 0 ? "even" : Integer.valueOf(made.number);
      made.next = next;
      next = made;
    }

    @Override
    public String toString() {
      long hash = 0;
      for (Cell c = next; c != null; c = c.next) hash = hash * 7 + c.number + c.boxed.hashCode();
      return number + " " + large + " " + real + " " + small + Arrays.toString(counts) + hash;
    }
  }

  private static final Cell[] CELLS = new Cell[24];
  private static final Object[] LOCKS = new Object[5];
  private static final Object BARRIER = new Object();
  private static long[][] own;
  private static long[][] seen;
  private static volatile int phase;
  private static int arrived;

  private static void await(int threads) throws InterruptedException {
    synchronized (BARRIER) {
      final int mine = phase;
      if (++arrived == threads) {
        arrived = 0;
        phase = mine + 1;
        BARRIER.notifyAll();
      }
      while (phase == mine) BARRIER.wait();
    }
  }

  private static void work(int me, int threads, long seed) throws InterruptedException {
    final Random random = new Random(seed * 31 + me);
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < 40; i++) {
        final int lock = random.nextInt(LOCKS.length);
        final int amount = random.nextInt(100);
        synchronized (LOCKS[lock]) {
          for (int k = lock; k < CELLS.length; k += LOCKS.length) CELLS[k].change(amount);
        }
        own[i % own.length][me] += amount;
      }
      await(threads);
      long hash = 0;
      for (long[] row : own) {
        for (long v : row) hash = hash * 31 + v;
      }
      seen[round][me] = hash;
      await(threads);
    }
  }

  public static void main(String[] args) throws Exception {
    final long seed = args.length > 0 ? Long.parseLong(args[0]) : 1;
    final int n = 5;
    for (int k = 0; k < CELLS.length; k++) CELLS[k] = new Cell();
    for (int k = 0; k < LOCKS.length; k++) LOCKS[k] = k % 2 == 0 ? new Object() : CELLS[k];
    own = new long[9][n];
    seen = new long[ROUNDS][n];
    final Thread[] threads = new Thread[n];
    for (int t = 0; t < n; t++) {
      final int me = t;
      threads[t] = new Thread(() -> {
        try {
          work(me, n, seed);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    for (Cell c : CELLS) System.out.println(c);
    System.out.println(Arrays.deepToString(seen));
  }
}
