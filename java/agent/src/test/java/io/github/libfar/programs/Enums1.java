package io.github.libfar.programs;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Constants of enumerations that have state, and that threads lock. */
public final class Enums1 {
  private enum Registry {
    ONLY;

    private static final Map<String, Registry> BY_NAME = new HashMap<>();
    private static final List<Integer> LENGTHS = new ArrayList<>();
    private static final int[] SUMS = new int[2];
    private static final DecimalFormat FORMAT =
        new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT));
    private static int calls;
    private static volatile int last = 5;
    private final List<String> names = new ArrayList<>();
    private int count;
    private volatile long sum;

    static {
      for (Registry r : values()) BY_NAME.put(r.name(), r);
    }

    synchronized void add(String name) {
      names.add(name);
      count++;
      sum += name.length();
      calls++;
      last += count;
      LENGTHS.add(name.length());
      SUMS[count % 2] += FORMAT.format(count).length();
    }
  }

  private enum Step {
    FIRST {
      private int own = 1;

      @Override
      int next() {
        return own++;
      }
    },
    SECOND {
      @Override
      int next() {
        return -1;
      }
    };

    abstract int next();
  }

  private enum Lock { LEFT, RIGHT }

  private static int total;
  private static int phase;

  private static void run(Runnable r) throws InterruptedException {
    final Thread t = new Thread(r);
    t.start();
    t.join();
  }

  private static void locks() throws InterruptedException {
    final Thread[] threads = new Thread[4];
    for (int k = 0; k < threads.length; k++) {
      threads[k] = new Thread(() -> {
        for (int i = 0; i < 300; i++) {
          synchronized (Lock.RIGHT) {
            total++;
          }
        }
      });
      threads[k].start();
    }
    for (Thread t : threads) t.join();
    System.out.println(total);
  }

  private static void waits() throws InterruptedException {
    final Thread t = new Thread(() -> {
      synchronized (Lock.LEFT) {
        phase = 1;
        Lock.LEFT.notifyAll();
        try {
          while (phase != 2) Lock.LEFT.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        phase = 3;
      }
    });
    t.start();
    synchronized (Lock.LEFT) {
      while (phase != 1) Lock.LEFT.wait();
      phase = 2;
      Lock.LEFT.notifyAll();
    }
    t.join();
    System.out.println(phase);
  }

  public static void main(String[] args) throws Exception {
    for (int k = 0; k < 4; k++) {
      final String name = "name".substring(k);
      run(() -> Registry.ONLY.add(name));
      run(() -> total += Step.FIRST.next() + Step.SECOND.next());
    }
    final Registry r = Registry.BY_NAME.get("ONLY");
    System.out.println(Registry.LENGTHS + " " + Registry.SUMS[0] + " " + Registry.SUMS[1]);
    run(() -> Registry.BY_NAME.put("other", r));
    System.out.println(Registry.BY_NAME.size() + " " + (Registry.BY_NAME.get("other") == r));
    System.out.println(r.names + " " + r.count + " " + r.sum + " " + Registry.calls + " "
        + Registry.last + " " + total);
    total = 0;
    locks();
    waits();
    System.out.println(Step.valueOf("SECOND").ordinal() + " " + Step.values().length);
  }
}
