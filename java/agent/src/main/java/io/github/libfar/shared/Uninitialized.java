package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.util.HashSet;
import java.util.Set;

/**
 * An object is of a class that this rank has not initialized. Whoever does that may need Space's
 * lock while another thread waits for it: so the thread that has met the object first leaves it.
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

  /** Whether another thread may have to run a class's initializer, or be doing it. */
  static boolean is(Class<?> c) {
    return U.shouldBeInitialized(c) && !WITHIN.get().contains(c);
  }

  void initialize() {
    U.ensureClassInitialized(type);
    if (U.shouldBeInitialized(type)) WITHIN.get().add(type);
  }
}
