package io.github.libfar.shared;

/**
 * Where a test sends a thread that it does not let pass. far java tells the JIT compiler to inline
 * neither these methods nor those of Volatiles: a loop around them takes it seconds else.
 */
public final class Slow {
  public static void read(Shared o) {
    Space.read(o);
  }

  public static void write(Shared o) {
    Space.write(o);
  }

  /** The test of any object, before the JDK reads its fields. */
  public static void readAny(Object o) {
    if (o instanceof Shared s && s.far$state() < 0) Space.read(s);
  }

  /** Whether other ranks know the object. */
  public static boolean isShared(Object o) {
    return o instanceof Shared s && s.far$mirror() != null;
  }

  static void entered(Object o) {
    Monitors.enteredShared(o);
  }

  static void leaving(Object o) {
    Monitors.leavingShared(o);
  }

  static void left(Object o) {
    Monitors.leftShared(o);
  }

  private Slow() {}
}
