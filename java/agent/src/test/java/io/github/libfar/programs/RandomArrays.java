package io.github.libfar.programs;

import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * A random program without data races: arrays of numbers that one thread writes for many phases, or
 * each thread a part of, or who is in a monitor; now and then others read them. What it prints
 * depends on the seed and the number of threads alone.
 */
public final class RandomArrays {
  private static final int PHASES = 150;
  private static final int THREADS = 5;

  private static final double[][] ROWS = new double[6][];
  private static final byte[][] BYTES = new byte[4][];
  private static final int[][] COUNTS = new int[3][40];
  private static final int LAST = BYTES.length - 1;
  private static volatile int written;
  private static final long[] seen = new long[THREADS];
  private static final CyclicBarrier BARRIER = new CyclicBarrier(THREADS);

  private static long hash(double[] row) {
    long hash = 1;
    for (double v : row) hash = hash * 31 + Double.doubleToLongBits(v);
    return hash;
  }

  private static long hash(byte[] bytes) {
    long hash = 1;
    for (byte v : bytes) hash = hash * 31 + v;
    return hash;
  }

  /** All of it, by its owner. */
  private static void write(double[] row, int phase) {
    for (int i = phase % 3; i < row.length; i += 2) row[i] = row[i] * .5 + i + phase;
  }

  /** Every fifth element, of each thread. */
  private static void writePart(byte[] bytes, int me, int phase) {
    for (int i = me; i < bytes.length; i += THREADS) bytes[i] += (byte) (i + phase);
  }

  private static void writeOften(byte[] bytes, int me, int phase) {
    for (int n = 0; n < 200; n++) writePart(bytes, me, phase + n);
  }

  private static long hashPart(byte[] bytes, int me) {
    long hash = 1;
    for (int i = me; i < bytes.length; i += THREADS) hash = hash * 31 + bytes[i];
    return hash;
  }

  /**
   * Thread k writes its part, while the next one reads what it has written itself; the one after that
   * waits until thread k is done, and reads its part.
   */
  private static long passOn(int k, int me, int phase) {
    final byte[] bytes = BYTES[k];
    if (me == (k + 1) % THREADS) return hashPart(bytes, me);
    if (me == k) {
      writeOften(bytes, me, phase);
      if (k == LAST) written = phase + 1;
    } else if (k == LAST && me == (k + 2) % THREADS) {
      while (written <= phase) Thread.onSpinWait();
      return hashPart(bytes, k);
    }
    return 0;
  }

  private static void phase(int me, int phase, Random plan, Random own) {
    long hash = 0;
    for (int k = 0; k < ROWS.length; k++) {
      // The owner changes every 30 phases.
      final int owner = (k + phase / 30) % THREADS;
      final boolean isRead = plan.nextInt(12) == 0;
      final int reader = plan.nextInt(THREADS);
      if (isRead) {
        if (me == reader || me == owner) hash = hash * 7 + hash(ROWS[k]);
      } else if (me == owner) {
        write(ROWS[k], phase);
      }
    }
    for (int k = 0; k < BYTES.length; k++) {
      final int what = plan.nextInt(6);
      final int one = plan.nextInt(THREADS);
      if (what == 0) hash = hash * 7 + hash(BYTES[k]);
      if (what == 1) writePart(BYTES[k], me, phase);
      if (what > 1 && me == (what == 2 ? one : k)) writePart(BYTES[k], me, phase);
      if (what == 3) hash = hash * 7 + passOn(k, me, phase);
    }
    for (int n = 0; n < 3; n++) {
      final int[] counts = COUNTS[own.nextInt(10) == 0 ? own.nextInt(COUNTS.length) : me % 3];
      synchronized (counts) {
        counts[own.nextInt(counts.length)] += phase;
      }
    }
    seen[me] = seen[me] * 31 + hash;
  }

  private static void work(int me, long seed) throws InterruptedException, BrokenBarrierException {
    final Random plan = new Random(seed);
    final Random own = new Random(seed * 31 + me);
    for (int phase = 0; phase < PHASES; phase++) {
      phase(me, phase, plan, own);
      BARRIER.await();
    }
  }

  public static void main(String[] args) throws Exception {
    final long seed = args.length > 0 ? Long.parseLong(args[0]) : 1;
    for (int k = 0; k < ROWS.length; k++) ROWS[k] = new double[k * k * 1000 + 3];
    for (int k = 0; k < BYTES.length; k++) BYTES[k] = new byte[k * 5000 + 13];
    final Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      final int me = t;
      threads[t] = new Thread(() -> {
        try {
          work(me, seed);
        } catch (InterruptedException | BrokenBarrierException e) {
          throw new IllegalStateException(e);
        }
      });
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    for (double[] row : ROWS) System.out.println(hash(row));
    for (byte[] bytes : BYTES) System.out.println(hash(bytes));
    for (int[] counts : COUNTS) {
      for (int v : counts) System.out.print(v + " ");
      System.out.println();
    }
    for (long v : seen) System.out.println(v);
  }
}
