package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.util.Map;
import java.util.WeakHashMap;

/** The objects with classes' static fields, and the monitors of classes. */
public final class Statics {
  /** Stands for a class's monitor among the ranks. */
  private static final class ClassLock extends SharedObject {
    final Class<?> of;

    ClassLock(Class<?> of) {
      this.of = of;
    }
  }

  private static final Map<Class<?>, ClassLock> LOCKS = new WeakHashMap<>();

  /** Before a class's initializer: the object with its static fields. */
  public static Object open(Class<?> c) {
    final Shared made = newStatics(c);
    if (!Job.ACTIVE) return made;
    final Shared statics = (Shared) named("statics:" + c.getName(), made);
    if (statics == made) return made;
    await(statics);
    if (hasFailed(statics.far$mirror())) {
      throw new NoClassDefFoundError("Could not initialize class " + c.getName());
    }
    return statics;
  }

  /** In the word that has the tickets of other objects: nobody waits for this one. */
  private static final long FAILED = -1;

  private static void fail(Mirror m) {
    synchronized (Space.lock()) {
      U.putLong(m.kind.header(m, true) + Kind.HEAD_TICKETS, FAILED);
      Native.publish();
    }
  }

  private static boolean hasFailed(Mirror m) {
    synchronized (Space.lock()) {
      return U.getLong(m.kind.header(m, false) + Kind.HEAD_TICKETS) == FAILED;
    }
  }

  /** The same for an enumeration, whose initializer has run with {@code made}. */
  public static Object join(Object made) {
    if (!Job.ACTIVE) return made;
    final Shared statics = (Shared) named("enum:" + made.getClass().getName(), (Shared) made);
    if (statics == made) close(made, false); else await(statics);
    return statics;
  }

  /** Whoever runs the initializer is in the monitor. */
  private static void await(Shared statics) {
    synchronized (statics) {
      Monitors.entered(statics);
      Monitors.leaving(statics);
    }
  }

  /** The static fields of an enumeration, before its initializer. */
  public static Object make(Class<?> c) {
    return newStatics(c);
  }

  private static Shared newStatics(Class<?> c) {
    try {
      return (Shared) Class.forName(c.getName() + "$far$Statics", true, c.getClassLoader())
          .getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no static fields of " + c.getName(), e);
    }
  }

  /** Whether this rank is to run the initializer. */
  public static boolean mustInitialize(Object statics) {
    return !Job.ACTIVE || ((Shared) statics).far$mirror().initializes;
  }

  /** After the initializer. */
  public static void close(Object statics, boolean failed) {
    if (!Job.ACTIVE) return;
    final Mirror m = ((Shared) statics).far$mirror();
    m.initializes = false;
    if (failed) fail(m);
    Space.release();
    Native.exit(Contexts.take(), m.place);
    Contexts.giveBack();
    Contexts.giveBack();
  }

  /**
   * The job's only object of that name: {@code made}, and then this thread is in its monitor, or
   * what another rank has made before.
   */
  private static Object named(String name, Shared made) {
    final long common = Job.common();
    final int thread = Contexts.take();
    Native.enter(thread, common);
    try {
      synchronized (Space.lock()) {
        final Kind kind = Records.of(made);
        final long type = ((ObjectKind) kind).farType();
        final long there = Native.root(name, type);
        if (there != 0) {
          final long[] head = new long[2];
          Native.head(there, head);
          final Object known = Space.known(there);
          return known != null ? known : Space.attach(there, kind, head[1]);
        }
        final Mirror m = Space.publish(made);
        m.initializes = true;
        Native.setRoot(name, m.place, type);
        Native.enter(Contexts.take(), m.place);
        return made;
      }
    } finally {
      Native.exit(thread, common);
      Contexts.giveBack();
    }
  }

  static Mirror lockOf(Class<?> c) {
    ClassLock lock;
    synchronized (LOCKS) {
      lock = LOCKS.get(c);
    }
    if (lock == null) {
      final ClassLock made = new ClassLock(c);
      lock = (ClassLock) named("lock:" + c.getName(), made);
      if (lock == made) close(made, false);
      synchronized (LOCKS) {
        LOCKS.put(c, lock);
      }
    }
    return lock.far$mirror();
  }

  /** The object that threads lock, where this stands for its monitor; under Space's lock. */
  static Object lockedAt(Shared o) {
    if (!(o instanceof ClassLock lock)) return Texts.objectOf(o);
    SharedObject.far$read(lock);
    return lock.of;
  }

  private Statics() {}
}
