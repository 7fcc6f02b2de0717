package io.github.libfar.programs;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** StringBuilders that are handed over and dropped, and the monitor of a StringBuffer. */
public final class Texts2 {
  private static final int LETTERS = 5000;

  private static final class Letter {
    private final StringBuilder text = new StringBuilder();

    Letter(int number) {
      for (int i = 0; i < 40; i++) text.append(number % 1000).append(", ");
    }
  }

  private static void dropped() throws InterruptedException {
    final BlockingQueue<Letter> queue = new ArrayBlockingQueue<>(20);
    final BlockingQueue<StringBuilder> back = new ArrayBlockingQueue<>(20);
    final Thread answers = new Thread(() -> {
      try {
        for (int i = 0; i < LETTERS; i++) back.put(queue.take().text.append("seen"));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    answers.start();
    long sum = 0;
    for (int i = 0; i < LETTERS; i++) {
      queue.put(new Letter(i));
      if (i >= 10) sum += back.take().length();
    }
    for (int i = 0; i < 10; i++) sum += back.take().length();
    answers.join();
    System.out.println(sum);
  }

  /** Two threads fill a line in turn, in the monitor of the text itself. */
  private static void turns(StringBuffer line, int me) {
    for (int i = 0; i < 20; i++) {
      synchronized (line) {
        try {
          while (line.length() % 2 != me) line.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        line.append(me);
        line.notifyAll();
      }
    }
  }

  /** Others cannot come between two calls in the monitor. */
  private static void pairs(StringBuffer line) {
    for (int i = 0; i < 100; i++) {
      if (i % 2 == 0) {
        line.append("..");
        continue;
      }
      synchronized (line) {
        line.append('(');
        line.append(')');
      }
    }
  }

  private static void inTwo(Runnable first, Runnable second) throws InterruptedException {
    final Thread[] threads = {new Thread(first), new Thread(second), new Thread(second)};
    for (Thread t : threads) t.start();
    for (Thread t : threads) t.join();
  }

  public static void main(String[] args) throws InterruptedException {
    dropped();
    final StringBuffer line = new StringBuffer();
    inTwo(() -> turns(line, 0), new Runnable() {
      private int runs;

      @Override
      public void run() {
        synchronized (this) {
          if (++runs > 1) return;
        }
        turns(line, 1);
      }
    });
    System.out.println(line);
    final StringBuffer pairs = new StringBuffer();
    inTwo(() -> pairs(pairs), () -> pairs(pairs));
    System.out.println(pairs.length() + " " + pairs.toString().replace("()", "").replace("..", ""));
  }
}
