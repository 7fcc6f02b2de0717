package io.github.libfar.programs;

/** With an argument, two threads write fields, and an array, that nothing orders. */
public final class Races {
  private static final int ROUNDS = 10;
  private static final long WHILE_NS = 50_000_000;

  private static final class Board {
    private int ordered;
    private int torn;
    private Object owner;
  }

  private static final Board BOARD = new Board();
  private static final int[] CELLS = new int[100];
  private static volatile int begun;

  private static synchronized void inOrder() {
    BOARD.ordered++;
    CELLS[7]++;
  }

  private static void atOnce(int value) {
    BOARD.torn = value;
    BOARD.owner = new int[] {value};
    CELLS[50] = value;
  }

  public static void main(String[] args) throws InterruptedException {
    for (int round = 1; round <= ROUNDS; round++) {
      final int now = round;
      final Thread other = new Thread(() -> {
        inOrder();
        final int before = BOARD.torn + CELLS[50];
        begun = now;
        if (args.length > 0) atOnce(-before - now);
        // Nothing here releases, until main has written, too.
        for (final long end = System.nanoTime() + WHILE_NS; System.nanoTime() < end; ) {
          Thread.onSpinWait();
        }
      });
      other.start();
      while (begun < now) Thread.yield();
      if (args.length > 0) atOnce(now);
      inOrder();
      other.join();
    }
    System.out.println(BOARD.ordered + " " + CELLS[7]);
  }
}
