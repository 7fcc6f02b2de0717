package io.github.libfar.shared;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/**
 * Arrays of numbers that this rank has alone, where ranks work on one memory. An array that one
 * rank writes again and again, and no other one uses, is left to that rank: its threads read and
 * write it without tests, and neither releases nor acquires touch it. What is in the space is old
 * then, and the array's UseWord says so. A rank that finds that asks, and waits.
 *
 * <p>To be asked takes .2 ms where all cores are busy, so a rank takes an array when it has written
 * some of it to the space in vain; and the more often it was asked for the array, the later.
 *
 * <p>Threads: under Space's lock, but for ask.
 */
final class Alone {
  /** The bytes of releases in vain; below 0: no array is taken. */
  private static final long AFTER_BYTES = Long.getLong("far.alone", 1L << 16);
  private static final int MAX_DOUBLINGS = 20;

  /** By place. They are kept: nobody else has what is in them. */
  private static final Map<Long, Shared> ARRAYS = new HashMap<>();
  private static long era;
  private static boolean ended = AFTER_BYTES < 0 || !Space.COHERENT || Explain.ON;

  /** Whether it is time to take an array, after one release more in vain. */
  static boolean isTime(Mirror m, long bytes) {
    return !ended && bytes * m.unseen >= AFTER_BYTES << Math.min(m.asked, MAX_DOUBLINGS);
  }

  static long newEra() {
    return ++era;
  }

  static void add(Shared o, Mirror m) {
    m.alone = true;
    ARRAYS.put(m.place, o);
  }

  /** Puts an array into the space. Threads of this rank may be writing it, and go on. */
  private static void leave(Shared o) {
    ARRAYS.remove(o.far$mirror().place);
    Space.leaveAlone(o);
  }

  /** Of a thread that ends, as others are going to read its results; and if memory is short. */
  static void leaveAll() {
    synchronized (Space.lock()) {
      for (Shared o : new ArrayList<>(ARRAYS.values())) leave(o);
    }
  }

  /** No rank answers any more. */
  static void end() {
    synchronized (Space.lock()) {
      ended = true;
      leaveAll();
    }
  }

  /** Without Space's lock: waits until another rank has put an array into the space. */
  static void ask(Shared o) {
    final Mirror m = o.far$mirror();
    final long address;
    synchronized (Space.lock()) {
      address = m.kind.header(m, false) + Kind.HEAD_STAMP;
    }
    final long word = UseWord.load(address);
    if (!UseWord.isAlone(word)) return;
    Messages.postAtOnce(UseWord.rank(word), Messages.ASKED, m.place, 0);
    for (int n = 0; UseWord.load(address) == word; n++) {
      if (n < 100) Thread.onSpinWait(); else Thread.yield();
    }
    Reference.reachabilityFence(o);
  }

  static void asked(long place) {
    synchronized (Space.lock()) {
      final Shared o = ARRAYS.get(place);
      if (o == null) return;
      o.far$mirror().asked++;
      leave(o);
    }
  }

  private Alone() {}
}
