package io.github.libfar.concurrent;

import io.github.libfar.shared.Parking;

/** java.util.concurrent.locks.LockSupport, over ranks. */
public class LockSupport {
  public static void unpark(Thread t) {
    if (t != null) Parking.unpark(t);
  }

  public static void park() {
    Parking.park(0);
  }

  public static void park(Object blocker) {
    Parking.park(0, blocker);
  }

  public static void parkNanos(long nanos) {
    if (nanos > 0) Parking.park(nanos);
  }

  public static void parkNanos(Object blocker, long nanos) {
    if (nanos > 0) Parking.park(nanos, blocker);
  }

  /** {@code deadline}: milliseconds, as of System.currentTimeMillis. */
  public static void parkUntil(long deadline) {
    parkNanos((deadline - System.currentTimeMillis()) * 1_000_000);
  }

  public static void parkUntil(Object blocker, long deadline) {
    parkNanos(blocker, (deadline - System.currentTimeMillis()) * 1_000_000);
  }

  /** Of a thread of this rank; null of others. */
  public static Object getBlocker(Thread t) {
    return Parking.blocker(t);
  }

  public static void setCurrentBlocker(Object blocker) {
    Parking.setBlocker(blocker);
  }

  private LockSupport() {}
}
