package io.github.libfar.programs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import sun.misc.Unsafe;

/** Fields that are accessed in other ways than by instructions, as libraries do, and finalizers. */
public final class Reflected1 {
  private static final class Point {
    private int x;
    private double y;
    private String name = "none";
    private long[] parts = {1, 2};
    private boolean isSet;
  }

  /** The best way that there is to count. */
  private abstract static class Way {
    abstract void increment(Counter c);
  }

  private static final class ByHandle extends Way {
    private static final VarHandle COUNT;

    static {
      try {
        COUNT = MethodHandles.lookup().findVarHandle(Counter.class, "count", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    @Override
    void increment(Counter c) {
      COUNT.getAndAdd(c, 1);
    }
  }

  private static final class ByOffset extends Way {
    private static final Unsafe UNSAFE;
    private static final long COUNT;

    static {
      try {
        final Field only = Unsafe.class.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        UNSAFE = (Unsafe) only.get(null);
        COUNT = UNSAFE.objectFieldOffset(Counter.class.getDeclaredField("count"));
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    @Override
    void increment(Counter c) {
      for (;;) {
        final int before = UNSAFE.getIntVolatile(c, COUNT);
        if (UNSAFE.compareAndSwapInt(c, COUNT, before, before + 1)) return;
      }
    }
  }

  private static final class ByUpdater extends Way {
    private static final AtomicIntegerFieldUpdater<Counter> COUNT =
        AtomicIntegerFieldUpdater.newUpdater(Counter.class, "count");

    @Override
    void increment(Counter c) {
      COUNT.incrementAndGet(c);
    }
  }

  private static final class Counter {
    private static final List<Way> WAYS = new ArrayList<>();
    volatile int count;

    static {
      try {
        WAYS.add(new ByHandle());
      } catch (LinkageError e) {
        WAYS.add(new ByUpdater());
      }
      try {
        WAYS.add(new ByOffset());
      } catch (LinkageError e) {
        WAYS.add(new ByUpdater());
      }
    }
  }

  private static final class Resource {
    private static final AtomicInteger CLOSED = new AtomicInteger();
    private final int size;

    Resource(int size) {
      this.size = size;
    }

    @Override
    @Deprecated
    protected void finalize() {
      CLOSED.incrementAndGet();
    }
  }

  private static void run(Runnable r) throws InterruptedException {
    final Thread t = new Thread(r);
    t.start();
    t.join();
  }

  private static Object get(Object o, String field) {
    try {
      return Point.class.getDeclaredField(field).get(o);
    } catch (ReflectiveOperationException e) {
      return e;
    }
  }

  private static void set(Object o, String field, Object value) {
    try {
      Point.class.getDeclaredField(field).set(o, value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void fields() throws Exception {
    final Point p = new Point();
    for (int round = 0; round < 3; round++) {
      final int n = round;
      run(() -> {
        set(p, "x", (Integer) get(p, "x") + 10);
        set(p, "name", get(p, "name") + "+" + n);
        set(p, "parts", new long[] {n, ((long[]) get(p, "parts"))[0]});
        set(p, "isSet", n % 2 == 0);
        p.y += .5;
      });
      final Field y = Point.class.getDeclaredField("y");
      y.setDouble(p, y.getDouble(p) * 2);
      System.out.println(p.x + " " + p.y + " " + p.name + " " + p.parts[0] + " " + p.parts[1]
          + " " + p.isSet);
    }
  }

  private static void counters() throws Exception {
    final Counter c = new Counter();
    final List<Thread> threads = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      final Thread t = new Thread(() -> {
        for (Way w : Counter.WAYS) {
          for (int i = 0; i < 500; i++) w.increment(c);
        }
      });
      threads.add(t);
      t.start();
    }
    for (Thread t : threads) t.join();
    System.out.println(c.count);
  }

  /** The rank that has made an object drops it, while another one goes on using it. */
  private static void finalizers() throws Exception {
    final List<Resource> all = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      run(() -> {
        for (int i = 0; i < 100; i++) all.add(new Resource(i));
      });
    }
    for (int k = 0; k < 8; k++) {
      run(() -> {
        System.gc();
        System.runFinalization();
      });
    }
    int sum = 0;
    for (Resource r : all) sum += r.size;
    System.out.println(sum + " " + Resource.CLOSED);
  }

  public static void main(String[] args) throws Exception {
    fields();
    counters();
    finalizers();
  }
}
