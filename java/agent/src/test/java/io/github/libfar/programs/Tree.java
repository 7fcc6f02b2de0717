package io.github.libfar.programs;

/** A tree that threads build together, with a monitor in each node; and a barrier. */
public final class Tree {
  private static final class Node {
    final int key;
    int count = 1;
    Node less;
    Node more;

    Node(int key) {
      this.key = key;
    }

    void insert(int k) {
      Node at = this;
      for (;;) {
        synchronized (at) {
          if (k == at.key) {
            at.count++;
            return;
          }
          final Node next = k < at.key ? at.less : at.more;
          if (next == null) {
            if (k < at.key) at.less = new Node(k); else at.more = new Node(k);
            return;
          }
          at = next;
        }
      }
    }

    int[] totals() {
      final int[] t = {1, count, 1};
      for (Node n : new Node[] {less, more}) {
        if (n == null) continue;
        final int[] below = n.totals();
        t[0] += below[0];
        t[1] += below[1];
        t[2] = 31 * t[2] + below[2] * 7 + n.key;
      }
      return t;
    }
  }

  private static final class Barrier {
    private final int parties;
    private int waiting;
    private int phase;

    Barrier(int parties) {
      this.parties = parties;
    }

    synchronized void await() throws InterruptedException {
      final int mine = phase;
      if (++waiting == parties) {
        waiting = 0;
        phase++;
        notifyAll();
        return;
      }
      while (phase == mine) wait();
    }
  }

  private static final Node ROOT = new Node(500);
  private static final double[][] GRID = new double[8][64];

  public static void main(String[] args) throws Exception {
    final int n = 4;
    final Barrier barrier = new Barrier(n);
    final Thread[] threads = new Thread[n];
    for (int t = 0; t < n; t++) {
      final int me = t;
      threads[t] = new Thread(() -> {
        try {
          work(me, n, barrier);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
    }
    for (Thread t : threads) t.start();
    for (Thread t : threads) t.join();
    final int[] totals = ROOT.totals();
    System.out.println(totals[0] + " nodes, " + totals[1] + " insertions");
    double sum = 0;
    for (double[] row : GRID) {
      for (double v : row) sum += v;
    }
    System.out.println(sum);
  }

  private static void work(int me, int n, Barrier barrier) throws InterruptedException {
    for (int i = 0; i < 200; i++) ROOT.insert((i * 37 + me * 11) % 1000);
    for (int round = 0; round < 10; round++) {
      for (int r = me; r < GRID.length; r += n) {
        final double above = r == 0 ? 1 : GRID[r - 1][round];
        final double[] row = GRID[r];
        if (round % 2 == r % 2) {
          for (int k = 0; k < row.length; k++) row[k] = row[k] * 0.5 + above + k;
        }
      }
      barrier.await();
    }
  }
}
