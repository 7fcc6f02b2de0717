package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.util.HashSet;
import java.util.Set;

/**
 * An object is of a class that this rank has not initialized. Whoever does that may need Space's
 * lock while another thread waits for it: so the thread that has met the object first leaves it.
 *
 * <p>Threads: static methods under Space's lock, initialize without it.
 */
final class Uninitialized extends RuntimeException {
  private static final long serialVersionUID = 1;
  /** Classes whose initializers the thread is in: it need not wait for itself. */
  private static final ThreadLocal<Set<Class<?>>> WITHIN = ThreadLocal.withInitial(HashSet::new);

  private final transient Class<?> type;

  Uninitialized(Class<?> type) {
    super(null, null, false, false);
    this.type = type;
  }

  /** Whether the work under the lock can be left in the middle, and begun again. */
  private static boolean mayStop;

  static void unpack(Shared o, Mirror m) {
    final boolean before = mayStop;
    mayStop = true;
    try {
      m.kind.unpack(o, m);
    } catch (Uninitialized e) {
      m.stamp = 0;  // it has not seen all
      throw e;
    } finally {
      mayStop = before;
    }
  }

  /** Runs what cannot be left half done. */
  static void withoutStop(Runnable r) {
    final boolean before = mayStop;
    mayStop = false;
    try {
      r.run();
    } finally {
      mayStop = before;
    }
  }

  /** Before an object of a class is made, or a constant is looked up. */
  static void check(Class<?> c) {
    if (mayStop && is(c)) throw new Uninitialized(c);
  }

  /** Whether another thread may have to run a class's initializer, or be doing it. */
  private static boolean is(Class<?> c) {
    return U.shouldBeInitialized(c) && !WITHIN.get().contains(c);
  }

  void initialize() {
    U.ensureClassInitialized(type);
    if (U.shouldBeInitialized(type)) WITHIN.get().add(type);
  }
}
