package io.github.libfar.programs;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** Loops over arrays and objects whose variables change places, or are found anew. */
public final class Loops1 {
  private static final int THREADS = 3;
  private static final int N = 60;
  private static final int ROUNDS = 9;

  static final class Cell {
    long value;
    Cell next;
  }

  private static final CyclicBarrier BARRIER = new CyclicBarrier(THREADS);
  private static final long[][] GRID = new long[2][N];
  private static final long[][] ROWS = new long[THREADS * 4][N];
  private static final Cell[] CELLS = new Cell[2];
  private static final Cell LIST = new Cell();
  private static final long[] FOUND = new long[THREADS];
  private static long[] none;

  static final class Named {
    @Override
    public synchronized String toString() {
      return "n";
    }
  }

  private static final Named NAMED = new Named();
  private static final long[] LENGTHS = new long[N];

  /** Its initializer synchronizes. */
  static final class Weight {
    private static final AtomicInteger MADE = new AtomicInteger();
    final int value;

    Weight(int value) {
      this.value = value;
      MADE.incrementAndGet();
    }
  }

  private static final Weight[] WEIGHTS = new Weight[N];
  private static final long[] TOTAL = new long[1];

  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < N; i++) WEIGHTS[i] = new Weight(i);
    for (int i = 0; i < 2; i++) CELLS[i] = new Cell();
    Cell last = LIST;
    for (int i = 0; i < 10; i++) {
      last.next = new Cell();
      last = last.next;
    }
    final Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      final int id = t;
      threads[t] = new Thread(() -> run(id));
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    long sum = 0;
    for (long[] row : GRID) {
      for (long x : row) sum = 31 * sum + x;
    }
    System.out.println("grid " + sum);
    sum = 0;
    for (long[] row : ROWS) {
      for (long x : row) sum = 31 * sum + x;
    }
    System.out.println("rows " + sum);
    for (int t = 0; t < THREADS; t++) System.out.println("found " + FOUND[t]);
    System.out.println("cells " + CELLS[0].value + " " + CELLS[1].value);
    for (Cell c = LIST; c != null; c = c.next) System.out.print(c.value + " ");
    System.out.println();
    sum = 0;
    for (long x : LENGTHS) sum += x;
    System.out.println("lengths " + sum);
    System.out.println("total " + TOTAL[0] + " of " + Weight.MADE);
    System.out.println("none " + withoutArray(0) + withoutArray(1));
    System.out.println("any " + ofAny(true) + " " + ofAny(false));
  }

  private static void run(int id) {
    final int begin = id * N / THREADS;
    final int end = (id + 1) * N / THREADS;
    swapBuffers(id, begin, end);
    changeRows(id);
    swapCells(id);
    walk(id);
    addLengths(id);
    addWeights(id);
    FOUND[id] = find(id);
    await();
  }

  private static void await() {
    try {
      BARRIER.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The array that is written is read first, and each was the other before. */
  private static void swapBuffers(int id, int begin, int end) {
    long[] to = GRID[0];
    long[] from = GRID[1];
    for (int i = begin; i < end; i++) from[i] = i + id;
    await();
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = begin; i < end; i++) {
        to[i] = 3 * to[i] + from[(i + 1) % N] + from[(i + N - 1) % N];
      }
      await();
      final long[] t = to;
      to = from;
      from = t;
    }
  }

  /** In each round another thread changes a row, and the one above. */
  private static void changeRows(int id) {
    for (int round = 0; round < ROUNDS; round++) {
      for (int r = 0; r < ROWS.length; r++) {
        if ((r + round) % THREADS == id) {
          final long[] row = ROWS[r];
          final long[] above = r == 0 ? row : ROWS[r - 1];
          for (int i = 0; i < N; i++) {
            row[i] += i * r + 1;
            if (i % 7 == round) above[i] ^= 5;
            if (i == 50 + id) break;
          }
        }
        await();
      }
    }
  }

  private static void swapCells(int id) {
    Cell one = CELLS[0];
    Cell two = CELLS[1];
    for (int round = 0; round < ROUNDS; round++) {
      for (int k = 0; k < 4; k++) {
        if (round % THREADS == id) {
          one.value += k + 1;
          two.value += one.value;
        }
        final Cell t = one;
        one = two;
        two = t;
      }
      await();
    }
  }

  /** Another object each time, in one variable. */
  private static void walk(int id) {
    for (int round = 0; round < ROUNDS; round++) {
      long value = 0;
      for (Cell c = LIST; c != null && round % THREADS == id; c = c.next) {
        value += c.value;
        c.value = value + round;
      }
      await();
    }
  }

  /** A method of String runs one of the program's, which synchronizes. */
  private static void addLengths(int id) {
    for (int round = 0; round < ROUNDS; round++) {
      if (round % THREADS == id) {
        for (int i = 0; i < N; i++) LENGTHS[i] += i + String.valueOf((Object) NAMED).length();
      }
      await();
    }
  }

  /** A rank meets a class in the middle of the loop. */
  private static void addWeights(int id) {
    for (int turn = 0; turn < THREADS; turn++) {
      if (turn == id) {
        for (Weight w : WEIGHTS) TOTAL[0] += w.value;
      }
      await();
    }
  }

  /** Left in the middle, and entered again. */
  private static long find(int id) {
    long sum = 0;
    search:
    for (long[] row : ROWS) {
      for (int i = id; i < row.length; i++) {
        if (row[i] % 11 == 3) continue search;
        sum += row[i];
        if (sum > 1_000_000) break search;
      }
    }
    return sum;
  }

  /** The compiler knows less of the variable than what is in it. */
  private static long ofAny(boolean first) {
    Object any;
    if (first) {
      any = new long[] {1, 2, 3};
    } else {
      any = new long[] {4, 5};
    }
    long sum = 0;
    for (int i = 0; i < 2; i++) sum += ((long[]) any)[i];
    return sum;
  }

  /** A loop that never looks at what it would not find. */
  private static int withoutArray(int n) {
    final long[] a = none;
    int steps = 0;
    try {
      for (int i = 0; i < n; i++) {
        steps++;
        a[i] = steps;
      }
    } catch (NullPointerException e) {
      return -steps;
    }
    return steps;
  }
}
