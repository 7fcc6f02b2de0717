package io.github.libfar.programs;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Atomics of all kinds, which threads count up. */
public final class Atomics1 {
  private static final int N = 20;
  private static final LongAdder ADDER = new LongAdder();
  private static final DoubleAdder DOUBLES = new DoubleAdder();
  private static final LongAccumulator MAX = new LongAccumulator(Long::max, Long.MIN_VALUE);
  private static final AtomicIntegerArray INTS = new AtomicIntegerArray(70);
  private static final AtomicLongArray LONGS = new AtomicLongArray(new long[] {1, 2, 3});
  private static final AtomicReferenceArray<String> TEXTS = new AtomicReferenceArray<>(2);
  private static final AtomicStampedReference<String> STAMPED =
      new AtomicStampedReference<>("s0", 0);
  private static final AtomicMarkableReference<Node> MARKED =
      new AtomicMarkableReference<>(null, false);
  private static final AtomicReference<Node> STACK = new AtomicReference<>();
  private static final AtomicBoolean ONCE = new AtomicBoolean();
  private static final AtomicInteger FIRST = new AtomicInteger();

  private record Node(int value, Node next) {}

  public static void main(String[] args) throws Exception {
    final Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      final int me = t;
      threads[t] = new Thread(() -> work(me));
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    System.out.println(ADDER + " " + ADDER.sumThenReset() + ADDER.sum() + " " + DOUBLES
        + " " + MAX);
    System.out.println(INTS.get(0) + " " + INTS.get(69) + " " + LONGS + " "
        + TEXTS.get(0).length());
    System.out.println(STAMPED.getReference() + STAMPED.getStamp() + " " + MARKED.isMarked());
    int sum = 0;
    for (Node n = STACK.get(); n != null; n = n.next()) sum += n.value();
    System.out.println(sum + " " + ONCE + FIRST);
    single();
  }

  private static void work(int me) {
    if (ONCE.compareAndSet(false, true)) FIRST.incrementAndGet();
    for (int i = 1; i <= N; i++) {
      ADDER.increment();
      DOUBLES.add(0.5);
      MAX.accumulate(me * 100 + i);
      INTS.incrementAndGet(0);
      INTS.accumulateAndGet(69, i, Math::max);
      LONGS.addAndGet(i % 3, me);
      TEXTS.updateAndGet(0, s -> s == null ? "x" : s + "x");
      push(i);
      for (;;) {
        final int[] stamp = new int[1];
        final String old = STAMPED.get(stamp);
        final int next = stamp[0] + 1;
        if (STAMPED.compareAndSet(old, "s" + next, stamp[0], next)) break;
      }
    }
    MARKED.compareAndSet(null, new Node(me, null), false, true);
  }

  private static void push(int value) {
    for (;;) {
      final Node old = STACK.get();
      if (STACK.compareAndSet(old, new Node(value, old))) return;
    }
  }

  private static void single() {
    final AtomicInteger a = new AtomicInteger(5);
    System.out.println(a.compareAndExchange(5, 6) + " " + a.compareAndExchange(5, 7) + a
        + a.getAndUpdate(x -> x * 2) + a.getPlain() + a.weakCompareAndSetVolatile(12, 1));
    try {
      INTS.get(70);
    } catch (IndexOutOfBoundsException e) {
      System.out.println("index");
    }
    TEXTS.set(1, "t");
    System.out.println(TEXTS.compareAndSet(1, "u", "v") + " " + TEXTS.getAndSet(1, "w")
        + INTS.length());
  }
}
