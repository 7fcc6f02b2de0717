package io.github.libfar.shared;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** LockSupport.park and unpark: by a permit that a thread has, in its monitor. */
public final class Parking {
  public static void unpark(Thread t) {
    if (!Job.ACTIVE || !(t instanceof SharedThread s)) {
      LockSupport.unpark(t);
      return;
    }
    synchronized (s) {
      Monitors.entered(s);
      SharedThread.far$write(s);
      s.permit = true;
      Monitors.notifyAll(s);
      Monitors.leaving(s);
    }
    Monitors.left(s);
  }

  /** By the thread as the program knows it. Ranks do not share them: they may be of any class. */
  private static final Map<Thread, Object> BLOCKERS = new ConcurrentHashMap<>();

  public static void setBlocker(Object blocker) {
    if (blocker == null) {
      BLOCKERS.remove(Threads.currentThread());
    } else {
      BLOCKERS.put(Threads.currentThread(), blocker);
    }
  }

  public static Object blocker(Thread t) {
    return BLOCKERS.get(t);
  }

  public static void park(long nanos, Object blocker) {
    setBlocker(blocker);
    park(nanos);
    setBlocker(null);
  }

  /** Waits for a permit, an interrupt, or so many nanoseconds (0: for ever). Takes the permit. */
  public static void park(long nanos) {
    if (!Job.ACTIVE || !(Threads.currentThread() instanceof SharedThread s)) {
      if (nanos == 0) LockSupport.park(); else LockSupport.parkNanos(nanos);
      return;
    }
    final long begin = System.nanoTime();
    synchronized (s) {
      Monitors.entered(s);
      try {
        SharedThread.far$read(s);
        while (!s.permit && !Thread.currentThread().isInterrupted()) {
          final long left = nanos - (System.nanoTime() - begin);
          if (nanos != 0 && left <= 0) break;
          Monitors.wait(s, nanos == 0 ? 0 : left / 1_000_000 + 1);
          SharedThread.far$read(s);
        }
        SharedThread.far$write(s);
        s.permit = false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        Monitors.leaving(s);
      }
    }
    Monitors.left(s);
  }

  private Parking() {}
}
