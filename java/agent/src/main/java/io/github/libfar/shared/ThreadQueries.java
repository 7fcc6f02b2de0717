package io.github.libfar.shared;

import java.lang.Thread.State;

/** What programs ask threads more rarely: see Threads. */
public final class ThreadQueries {
  /** Null: the thread is the JVM's own. */
  private static SharedThread shared(Thread t) {
    if (!Job.ACTIVE || !(t instanceof SharedThread s)) return null;
    SharedThread.far$read(s);
    return s;
  }

  /** The JVM's thread that runs this one; null: none of this rank. */
  private static Thread carrier(SharedThread s) {
    return Contexts.mine().program == s ? Thread.currentThread() : s.far$carrier;
  }

  public static State getState(Thread t) {
    if (Job.ACTIVE) Space.acquire();
    final SharedThread s = shared(t);
    if (s == null) return t.getState();
    if (s.phase == SharedThread.NEW) return State.NEW;
    if (s.phase == SharedThread.ENDED) return State.TERMINATED;
    return s.rank == Job.RANK ? ThreadStates.ofCarried(s) : ThreadStates.ask(s);
  }

  /** Null if the thread has ended. */
  public static ThreadGroup getThreadGroup(Thread t) {
    final SharedThread s = shared(t);
    if (s == null) return t.getThreadGroup();
    return s.phase == SharedThread.ENDED ? null : s.group;
  }

  /** Empty if another rank runs the thread. */
  public static SharedArray getStackTrace(Thread t) {
    final SharedThread s = shared(t);
    final Thread runs = s == null ? t : carrier(s);
    if (runs == null) return SharedArray.wrapAny(new StackTraceElement[0]);
    final StackTraceElement[] all = runs.getStackTrace();
    if (runs != Thread.currentThread()) return SharedArray.wrapAny(all);
    final StackTraceElement[] known = new StackTraceElement[all.length - 1];  // without this method
    known[0] = all[0];
    System.arraycopy(all, 2, known, 1, known.length - 1);
    return SharedArray.wrapAny(known);
  }

  public static ClassLoader getContextClassLoader(Thread t) {
    final SharedThread s = shared(t);
    final Thread runs = s == null ? t : carrier(s);
    return runs == null ? ClassLoader.getSystemClassLoader() : runs.getContextClassLoader();
  }

  /** It stays on this rank. */
  public static void setContextClassLoader(Thread t, ClassLoader loader) {
    final SharedThread s = shared(t);
    final Thread runs = s == null ? t : carrier(s);
    if (runs != null) runs.setContextClassLoader(loader);
  }

  private ThreadQueries() {}
}
