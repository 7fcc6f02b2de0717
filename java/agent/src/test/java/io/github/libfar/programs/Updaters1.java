package io.github.libfar.programs;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Fields of objects, local and shared, that updaters change. */
public final class Updaters1 {
  private static final class Node {
    final int value;
    final Node next;

    Node(int value, Node next) {
      this.value = value;
      this.next = next;
    }
  }

  private static final class Counters {
    static final AtomicIntegerFieldUpdater<Counters> COUNT =
        AtomicIntegerFieldUpdater.newUpdater(Counters.class, "count");
    static final AtomicLongFieldUpdater<Counters> SUM =
        AtomicLongFieldUpdater.newUpdater(Counters.class, "sum");
    static final AtomicReferenceFieldUpdater<Counters, Node> TOP =
        AtomicReferenceFieldUpdater.newUpdater(Counters.class, Node.class, "top");
    static final AtomicReferenceFieldUpdater<Counters, String> NAME =
        AtomicReferenceFieldUpdater.newUpdater(Counters.class, String.class, "name");
    private volatile int count = -3;
    private volatile long sum = 1L << 40;
    private volatile Node top;
    private volatile String name = "none";
    private int plain;

    void change(int by) {
      COUNT.incrementAndGet(this);
      SUM.addAndGet(this, by);
      for (;;) {
        final Node old = TOP.get(this);
        if (TOP.compareAndSet(this, old, new Node(by, old))) break;
      }
      NAME.compareAndSet(this, "none", "first");
    }

    @Override
    public String toString() {
      int nodes = 0;
      for (Node n = top; n != null; n = n.next) nodes += n.value;
      return count + " " + sum + " " + nodes + name + COUNT.getAndSet(this, 9) + count
          + NAME.get(this);
    }
  }

  private static void expect(Class<? extends Exception> type, Runnable f) {
    try {
      f.run();
      System.out.println("nothing");
    } catch (RuntimeException e) {
      System.out.println(type.isInstance(e) ? type.getSimpleName() : String.valueOf(e));
    }
  }

  public static void main(String[] args) throws InterruptedException {
    final Counters local = new Counters();
    for (int i = 0; i < 10; i++) local.change(i);
    System.out.println(local);
    final Counters shared = new Counters();
    final Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = new Thread(() -> {
        for (int i = 0; i < 50; i++) shared.change(i);
      });
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    System.out.println(shared);
    expect(RuntimeException.class,
        () -> AtomicIntegerFieldUpdater.newUpdater(Counters.class, "nothing"));
    expect(IllegalArgumentException.class,
        () -> AtomicIntegerFieldUpdater.newUpdater(Counters.class, "plain"));
    expect(IllegalArgumentException.class,
        () -> AtomicLongFieldUpdater.newUpdater(Counters.class, "count"));
    expect(ClassCastException.class, () -> AtomicReferenceFieldUpdater.newUpdater(
        Counters.class, Node.class, "name"));
  }
}
