package io.github.libfar.programs;

/** Threads, monitors and volatile fields. */
public final class Threads1 {
  private static int total;
  private static int added;
  private static final Object LOCK = new Object();
  private static volatile boolean go;
  private int mine;
  private boolean told;

  private static synchronized void add(int n) {
    added += n;
  }

  private synchronized int next() throws InterruptedException {
    while (mine == 0) wait();
    notifyAll();
    return mine--;
  }

  private synchronized void put(int n) throws InterruptedException {
    while (mine != 0) wait();
    mine = n;
    notifyAll();
  }

  /** The longest timeout must not count as none left. */
  private synchronized int waits() throws InterruptedException {
    int times = 0;
    for (; !told; times++) wait(Long.MAX_VALUE);
    return times;
  }

  private synchronized void tell() {
    told = true;
    notifyAll();
  }

  static final class Worker extends Thread {
    private final int id;
    long result;

    Worker(int id) {
      super("worker-" + id);
      this.id = id;
    }

    @Override
    public void run() {
      while (!go) Thread.onSpinWait();
      for (int i = 0; i < 100; i++) {
        synchronized (LOCK) {
          total++;
        }
        add(id);
      }
      result = id * 1000L;
    }
  }

  /** A thread may be interrupted before it runs. */
  private static int interruptAtOnce() throws InterruptedException {
    final int[] interrupted = new int[1];
    final Thread t = new Thread(() -> {
      try {
        Thread.sleep(100_000);
      } catch (InterruptedException e) {
        interrupted[0] = 1;
      }
    });
    t.start();
    t.interrupt();
    t.join();
    return interrupted[0];
  }

  public static void main(String[] args) throws Exception {
    final Worker[] workers = new Worker[4];
    for (int k = 0; k < workers.length; k++) {
      workers[k] = new Worker(k);
      workers[k].start();
    }
    go = true;
    long sum = 0;
    for (Worker w : workers) {
      w.join();
      sum += w.result;
    }
    System.out.println(total + " " + added + " " + sum + workers[2].getName()
        + workers[1].isAlive());
    final Threads1 box = new Threads1();
    final Thread producer = new Thread(() -> {
      try {
        for (int i = 1; i <= 5; i++) box.put(1);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    producer.start();
    int got = 0;
    for (int i = 1; i <= 5; i++) got += box.next();
    producer.join();
    System.out.println(got);
    final Thread sleeper = new Thread(() -> {
      try {
        Thread.sleep(100_000);
      } catch (InterruptedException e) {
        System.out.println("interrupted " + Thread.currentThread().getName());
      }
    }, "sleeper");
    sleeper.start();
    sleeper.interrupt();
    sleeper.join();
    int interrupted = 0;
    for (int i = 0; i < 30; i++) interrupted += interruptAtOnce();
    System.out.println(interrupted);
    synchronized (box) {
      box.wait(5);
    }
    final Thread teller = new Thread(() -> {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      box.tell();
    });
    teller.start();
    System.out.println(box.waits() <= 2);
    teller.join();
  }
}
