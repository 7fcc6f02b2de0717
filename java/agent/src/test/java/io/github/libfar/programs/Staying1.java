package io.github.libfar.programs;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Date;
import java.util.Locale;
import java.util.Scanner;

/** Objects of the JDK that ranks cannot share, in fields: each is used by one thread. */
public final class Staying1 {
  private static final DecimalFormat FORMAT =
      new DecimalFormat("0.00", DecimalFormatSymbols.getInstance(Locale.ROOT));
  private static final Scanner IN = new Scanner("12 words");
  private static int total;

  /** Of a class of the JDK that has fields. */
  private static final class Letters extends Reader {
    private char next = 'a';

    @Override
    public int read(char[] to, int at, int n) {
      to[at] = next++;
      return 1;
    }

    @Override
    public void close() {}
  }

  private static final class Task implements Cloneable {
    private Date begin = new Date(5);
    private Reader text = new StringReader("text");
    private Letters letters = new Letters();
    private int done;

    Task copy() {
      try {
        return (Task) clone();
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void run(Runnable r) throws InterruptedException {
    final Thread t = new Thread(r);
    t.start();
    t.join();
  }

  public static void main(String[] args) throws Exception {
    final Task task = new Task();
    final Task[] copies = new Task[3];
    for (int k = 0; k < copies.length; k++) {
      final int n = k;
      run(() -> {
        total += n + 1;
        task.done++;
        copies[n] = task.copy();
        copies[n].done *= 10;
      });
    }
    System.out.println(FORMAT.format(total) + " " + IN.nextInt() + IN.next() + " " + task.done);
    print(task);
    for (Task copy : copies) print(copy);
    run(() -> {
      task.begin = null;
      task.done = 7;
    });
    System.out.println(task.begin + " " + task.done);
    run(() -> task.begin = new Date(6));
    run(() -> task.begin = null);
    System.out.println(task.begin);
  }

  private static void print(Task t) throws IOException {
    System.out.println(t.begin.getTime() + " " + (char) t.text.read() + (char) t.letters.read()
        + t.done);
  }
}
