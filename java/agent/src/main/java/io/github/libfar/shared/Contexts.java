package io.github.libfar.shared;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What the run time keeps of each Java thread of the rank. Under Space's lock, but for get(). */
final class Contexts {
  static final class Context {
    private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());
    /** The thread as the program knows it; null: it is the Java thread. */
    SharedThread program;
    /** The epoch of its last release. */
    long released;
    /** The last epoch at which it has tested nothing yet of what it writes. */
    long passed;
    boolean outside;
    /** It may have to wait until another rank leaves a monitor. */
    volatile boolean entersMonitor;
    /** Monitors that the thread had entered when they were published. */
    final List<Mirror> before = new ArrayList<>(0);
    /** The native thread that holds the monitors; -1: none is needed. */
    private int slot = -1;
    private int uses;
  }

  private static final ThreadLocal<Context> MINE = new ThreadLocal<>();
  private static final ThreadLocal<int[]> TESTS = ThreadLocal.withInitial(() -> new int[1]);
  private static final List<Context> ALL = new ArrayList<>();
  private static final BitSet FREE = new BitSet();
  /** The native thread of those who must not wait until the program's threads give one back. */
  static final int SYSTEM = Native.threads() - 1;

  static {
    FREE.set(0, SYSTEM);
  }

  static Context mine() {
    Context c = MINE.get();
    if (c == null) {
      c = new Context();
      MINE.set(c);
      synchronized (Space.lock()) {
        c.released = Space.epoch();
        c.passed = c.released;
        ALL.add(c);
      }
    }
    return c;
  }

  /**
   * A test of this thread's has failed. Until endTest it may initialize classes, and synchronize for
   * that. The program knows nothing of it: the thread goes on writing what it has tested before.
   */
  static void beginTest() {
    TESTS.get()[0]++;
  }

  static void endTest() {
    TESTS.get()[0]--;
  }

  static boolean inTest() {
    return TESTS.get()[0] > 0;
  }

  /** Whether the thread that runs one of the program's may be waiting to enter a monitor. */
  static boolean entersMonitor(SharedThread program) {
    synchronized (Space.lock()) {
      return ALL.stream().anyMatch(c -> c.program == program && c.entersMonitor);
    }
  }

  /**
   * Up to that epoch no thread goes on writing what was writable then. Those that wait or have
   * ended do not write.
   */
  static long oldest() {
    long oldest = Long.MAX_VALUE;
    for (int k = 0; k < ALL.size(); k++) {
      final Context c = ALL.get(k);
      final Thread t = c.thread.get();
      if (t == null || t.getState() == Thread.State.TERMINATED) {
        ALL.remove(k--);
      } else if (!c.outside) {
        oldest = Math.min(oldest, c.passed);
      }
    }
    return oldest;
  }

  /** The native thread for this thread's monitors, until as many calls of giveBack. */
  static int take() {
    final Context c = mine();
    if (c.uses++ > 0) return c.slot;
    synchronized (FREE) {
      while (FREE.isEmpty()) {
        try {
          FREE.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      c.slot = FREE.nextSetBit(0);
      FREE.clear(c.slot);
    }
    return c.slot;
  }

  static void giveBack() {
    final Context c = mine();
    if (--c.uses > 0) return;
    synchronized (FREE) {
      FREE.set(c.slot);
      c.slot = -1;
      FREE.notify();
    }
  }

  private Contexts() {}
}
