package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.List;

/** StringBuilders and StringBuffers that threads share. */
public final class Texts1 {
  private static final StringBuilder LOG = new StringBuilder("log:");
  private static final StringBuffer COUNTED = new StringBuffer();
  private static final List<StringBuilder> LINES = new ArrayList<>();

  private static final class Page {
    private final StringBuilder text = new StringBuilder();
    private int lines;

    synchronized void add(String line, char[] end) {
      text.append(++lines).append(' ').append(line).append(end).append('\n');
    }

    @Override
    public synchronized String toString() {
      return text.toString();
    }
  }

  private static Thread start(Runnable f) {
    final Thread t = new Thread(f);
    t.start();
    return t;
  }

  public static void main(String[] args) throws InterruptedException {
    final Page page = new Page();
    final StringBuilder captured = new StringBuilder();
    final Thread[] threads = new Thread[3];
    for (int t = 0; t < threads.length; t++) {
      LINES.add(new StringBuilder("line " + t));
      final int me = t;
      threads[t] = start(() -> {
        for (int i = 0; i < 20; i++) {
          synchronized (LOG) {
            LOG.append((char) ('a' + i)).append(0);
          }
          COUNTED.append("xy");
          page.add("same", new char[] {'.', '!'});
        }
        synchronized (captured) {
          if (me > 0) captured.append(captured.length()).append(';');
        }
        LINES.get(me).insert(0, me).reverse().setLength(3);
      });
    }
    for (Thread t : threads) t.join();
    System.out.println(LOG.length() + " " + COUNTED.length() + " " + page.toString().length());
    System.out.println(captured);
    System.out.println("lines: " + LINES.get(0) + 1L + LINES.get(2) + ' '
        + String.valueOf(LINES.get(1)));
    turns();
  }

  private static void turns() throws InterruptedException {
    final StringBuilder b = new StringBuilder("0123456789");
    for (int i = 0; i < 4; i++) {
      final int at = i;
      start(() -> {
        b.setCharAt(at, 'x');
        b.deleteCharAt(b.length() - 1).replace(0, 1, "<" + b.charAt(at) + ">");
      }).join();
      System.out.println(b + " " + b.indexOf("x") + b.substring(2));
    }
    start(() -> {
      try {
        b.deleteCharAt(100);
      } catch (StringIndexOutOfBoundsException e) {
        b.append("caught");
      }
    }).join();
    final StringBuilder copy = new StringBuilder(b);
    System.out.println(copy.append(b).append(COUNTED, 0, 2).append(true).append(1.5));
  }
}
