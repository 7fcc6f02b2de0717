package io.github.libfar.programs;

/** What must not come too late: values that others wait for, and threads that wake up. */
public final class Late {
  private static final int CELLS = 30_000;
  private static volatile int phase;
  private static int[] cells = new int[CELLS];
  private static Object lock;
  private static int inside;
  private static int overlaps;

  private static void run(Runnable... bodies) throws InterruptedException {
    final Thread[] threads = new Thread[bodies.length];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = new Thread(bodies[t]);
      threads[t].start();
    }
    for (Thread t : threads) t.join();
  }

  /** One goes on writing, without a test, while others of its rank release. */
  private static void writes() throws InterruptedException {
    phase = 0;
    final Runnable fills = () -> {
      final int[] own = cells;
      double x = 0;
      for (int k = 0; k < own.length; k++) {
        for (int i = 0; i < 5000; i++) x = x / 2 + k;  // takes its time, and calls nothing
        own[k] += x >= 0 ? 1 : 0;
      }
      phase += 1;
    };
    final Runnable releases = () -> {
      while (phase < 1) Thread.yield();
    };
    run(fills, releases, releases, releases, releases, releases);
    int wrong = 0;
    for (int k = 0; k < CELLS; k++) if (cells[k] == 0) wrong++;
    System.out.println("cells that are missing: " + wrong);
  }

  private static int slowly(int k) {
    double x = k + 1;
    for (int i = 0; i < 500; i++) x = Math.sqrt(x) + 1;
    return x > 2 ? 1 : 0;
  }

  private static void enter() {
    synchronized (lock) {
      if (++inside != 1) overlaps++;
      slowly(1);
      inside--;
    }
  }

  /** A monitor that is entered before others know of the object. */
  private static void locks() throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      final Object mine = new Object();
      final Thread[] others = new Thread[3];
      synchronized (mine) {
        lock = mine;
        inside = 1;
        for (int t = 0; t < others.length; t++) {
          others[t] = new Thread(Late::enter);
          others[t].start();
        }
        Thread.sleep(20);
        inside = 0;
      }
      for (Thread t : others) t.join();
    }
    System.out.println("overlaps: " + overlaps);
  }

  /** A notification is not lost with a thread that did not want to wait any longer. */
  private static void impatient() throws InterruptedException {
    final Object place = new Object();
    run(() -> await(place, 1));
    final Thread patient = new Thread(() -> await(place, 0));
    patient.start();
    while (patient.getState() != Thread.State.WAITING) Thread.yield();
    synchronized (place) {
      place.notify();
    }
    patient.join();
    System.out.println("both have gone on");
  }

  private static void await(Object place, long millis) {
    try {
      synchronized (place) {
        place.wait(millis);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    writes();
    locks();
    impatient();
  }
}
