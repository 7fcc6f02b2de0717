package io.github.libfar.programs;

import java.io.File;
import java.io.IOException;

/** With an argument, two threads write fields, and an array, that nothing orders. */
public final class Races {
  private static final int ROUNDS = 4;

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

  /** Threads that look at a file know of each other, and are not ordered by that. */
  private static void await(String file) {
    boolean exists = true;
    while (exists) exists = new File(file).exists();
  }

  public static void main(String[] args) throws InterruptedException, IOException {
    for (int round = 1; round <= ROUNDS; round++) {
      final int now = round;
      final File file = File.createTempFile("races", "");
      final String name = file.getPath();
      final Thread other = new Thread(() -> {
        inOrder();
        final int before = BOARD.torn + CELLS[50];
        begun = now;
        if (args.length > 0) atOnce(-before - now);
        await(name);  // until main has written, and released
      });
      other.start();
      while (begun < now) Thread.yield();
      if (args.length > 0) atOnce(now);
      inOrder();
      if (!file.delete()) throw new IOException("cannot delete " + name);
      other.join();
    }
    System.out.println(BOARD.ordered + " " + CELLS[7]);
  }
}
