package io.github.libfar.shared;

import io.github.libfar.agent.Ahead;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.HashMap;
import java.util.Map;

/** Threads, and what the program asks them: methods of Thread that the agent has replaced. */
public final class Threads {
  private static volatile boolean ended;

  static boolean haveEnded() {
    return ended;
  }

  // ---- starting and ending

  /** Starts a thread on the next rank. */
  static void place(SharedThread t) {
    final boolean daemon;
    final int rank;
    synchronized (t) {
      Monitors.entered(t);
      try {
        SharedThread.far$write(t);
        if (t.phase != SharedThread.NEW) throw new IllegalThreadStateException();
        rank = (int) ((Job.add(Job.STARTED, 1) + 1) % Job.RANKS);
        t.phase = SharedThread.ALIVE;
        t.rank = rank;
        daemon = t.daemon;
      } finally {
        Monitors.leaving(t);
      }
    }
    Monitors.left(t);
    begin(t, rank, daemon);
  }

  private static void begin(SharedThread t, int rank, boolean daemon) {
    if (!daemon) Job.add(Job.LIVE, 1);
    final long place;
    synchronized (Space.lock()) {
      place = Space.placeOf(t);
    }
    Space.release();
    synchronized (STARTING) {
      STARTING.put(place, t);
    }
    if (rank == Job.RANK) {
      startHere(place, rank, t.stack);
    } else {
      Messages.post(rank, Messages.START, place, t.stack << RANK_BITS | Job.RANK);
    }
  }

  /** Runs the program's main method. */
  static void startMain(Runnable main) {
    final SharedThread t = new SharedThread(main, "main");
    t.phase = SharedThread.ALIVE;
    begin(t, Job.RANK, false);
  }

  /** Threads that have been started, until they run: nothing else may keep them. */
  private static final Map<Long, SharedThread> STARTING = new HashMap<>();

  /** Places of threads that are to run here, and do not yet; whether they have been interrupted. */
  private static final Map<Long, Boolean> ARRIVING = new HashMap<>();

  /** Of the word with the rank that starts a thread, and the size of its stack. */
  private static final int RANK_BITS = 20;

  /** A thread that a rank has started is to run on this one. */
  static void startHere(long place, long by) {
    startHere(place, (int) by & (1 << RANK_BITS) - 1, by >>> RANK_BITS);
  }

  private static void startHere(long place, int by, long stack) {
    Ahead.end();
    synchronized (ARRIVING) {
      ARRIVING.put(place, false);
    }
    final Thread carrier = new Thread(null, () -> carry(place, by), "far thread", stack);
    carrier.setDaemon(true);  // the job ends when its threads have, not when this JVM's have
    carrier.start();
  }

  static void hasStarted(long place) {
    synchronized (STARTING) {
      STARTING.remove(place);
    }
  }

  private static void carry(long place, int by) {
    Contexts.mine();
    Space.acquire();
    final SharedThread t;
    synchronized (Space.lock()) {
      t = (SharedThread) Space.objectOf(place);
    }
    if (by == Job.RANK) {
      hasStarted(place);
    } else {
      Messages.post(by, Messages.STARTED, place, 0);
    }
    synchronized (Space.lock()) {
      t.far$carrier = Thread.currentThread();
      if (t.far$interrupted) Thread.currentThread().interrupt();
    }
    synchronized (ARRIVING) {
      if (ARRIVING.remove(place)) Thread.currentThread().interrupt();
    }
    Contexts.mine().program = t;
    final boolean daemon = isDaemon(t);
    Thread.currentThread().setName(getName(t));
    t.inherit();
    try {
      t.run();
    } catch (Throwable e) {
      uncaught(t, e);
    }
    end(t, daemon);
  }

  private static void uncaught(SharedThread t, Throwable e) {
    SharedThread.far$read(t);
    UncaughtExceptionHandler handler = t.handler;
    if (handler == null) handler = Thread.getDefaultUncaughtExceptionHandler();
    if (handler != null) {
      handler.uncaughtException(t, e);
      return;
    }
    System.err.print("Exception in thread \"" + getName(t) + "\" ");
    e.printStackTrace();
    if (getName(t).equals("main")) Job.add(Job.STATUS, 1);
  }

  private static void end(SharedThread t, boolean daemon) {
    Alone.leaveAll();
    synchronized (t) {
      Monitors.entered(t);
      SharedThread.far$write(t);
      t.phase = SharedThread.ENDED;
      Monitors.notifyAll(t);
      Monitors.leaving(t);
    }
    Monitors.left(t);
    Space.release();
    Space.outside(true);
    if (daemon || Job.add(Job.LIVE, -1) > 1) return;
    Messages.end();
  }

  /** All threads but daemons have ended. Returns the status of the job. */
  static int finish() {
    ended = true;
    return Job.add(Job.STATUS, 0) > 0 ? 1 : 0;
  }

  // ---- what is asked of a thread

  /** The thread as ranks share it; null: it is the JVM's own. */
  private static SharedThread shared(Thread t) {
    if (!Job.ACTIVE || !(t instanceof SharedThread s)) return null;
    SharedThread.far$read(s);
    return s;
  }

  public static Thread currentThread() {
    if (!Job.ACTIVE) return Thread.currentThread();
    final SharedThread program = Contexts.mine().program;
    return program == null ? Thread.currentThread() : program;
  }

  public static void join(Thread t) throws InterruptedException {
    join(t, 0);
  }

  public static void join(Thread t, long millis, int nanos) throws InterruptedException {
    join(t, nanos > 0 ? millis + 1 : millis);
  }

  public static void join(Thread t, long millis) throws InterruptedException {
    final SharedThread s = shared(t);
    if (s == null) {
      t.join(millis);
      return;
    }
    final long end = System.nanoTime() + millis * 1_000_000;
    synchronized (s) {
      Monitors.entered(s);
      try {
        SharedThread.far$read(s);
        while (s.phase == SharedThread.ALIVE) {
          final long left = millis == 0 ? 0 : (end - System.nanoTime() + 999_999) / 1_000_000;
          if (millis != 0 && left <= 0) break;
          Monitors.wait(s, left);
          SharedThread.far$read(s);
        }
      } finally {
        Monitors.leaving(s);
      }
    }
    Monitors.left(s);
  }

  public static boolean isAlive(Thread t) {
    if (Job.ACTIVE) Space.acquire();
    final SharedThread s = shared(t);
    return s == null ? t.isAlive() : s.phase == SharedThread.ALIVE;
  }

  public static String getName(Thread t) {
    final SharedThread s = shared(t);
    return s == null ? t.getName() : s.name;
  }

  public static void setName(Thread t, String name) {
    final SharedThread s = shared(t);
    if (s == null) {
      t.setName(name);
      return;
    }
    SharedThread.far$write(s);
    s.name = name;
  }

  public static boolean isDaemon(Thread t) {
    final SharedThread s = shared(t);
    return s == null ? t.isDaemon() : s.daemon;
  }

  public static void setDaemon(Thread t, boolean daemon) {
    final SharedThread s = shared(t);
    if (s == null) {
      t.setDaemon(daemon);
      return;
    }
    if (s.phase != SharedThread.NEW) throw new IllegalThreadStateException();
    SharedThread.far$write(s);
    s.daemon = daemon;
  }

  public static long getId(Thread t) {
    final SharedThread s = shared(t);
    return s == null ? t.getId() : s.number * Job.RANKS;
  }

  public static long threadId(Thread t) {
    return getId(t);
  }

  public static int getPriority(Thread t) {
    final SharedThread s = shared(t);
    return s == null ? t.getPriority() : s.priority;
  }

  /** It is only remembered. */
  public static void setPriority(Thread t, int priority) {
    final SharedThread s = shared(t);
    if (s == null) {
      t.setPriority(priority);
      return;
    }
    if (priority < Thread.MIN_PRIORITY || priority > Thread.MAX_PRIORITY) {
      throw new IllegalArgumentException();
    }
    SharedThread.far$write(s);
    s.priority = priority;
  }

  public static void setUncaughtExceptionHandler(Thread t, UncaughtExceptionHandler handler) {
    final SharedThread s = shared(t);
    if (s == null) {
      t.setUncaughtExceptionHandler(handler);
      return;
    }
    SharedThread.far$write(s);
    s.handler = handler;
  }

  // ---- interrupts

  public static void interrupt(Thread t) {
    final SharedThread s = shared(t);
    if (s == null) {
      t.interrupt();
      return;
    }
    Space.acquire();
    SharedThread.far$read(s);
    if (s.phase != SharedThread.ALIVE) return;
    if (s.rank == Job.RANK) {
      interruptHere(s);
    } else {
      Messages.post(s.rank, Messages.INTERRUPT, s.far$mirror.place, 0);
    }
  }

  /** A thread that runs here is known here; what is there by now may be another object. */
  static void interruptHere(long place) {
    synchronized (ARRIVING) {
      if (ARRIVING.replace(place, true) != null) return;
    }
    final Shared known;
    synchronized (Space.lock()) {
      known = Space.known(place);
    }
    if (known instanceof SharedThread s) interruptHere(s);
  }

  private static void interruptHere(SharedThread s) {
    synchronized (Space.lock()) {
      if (s.far$carrier != null) {
        s.far$carrier.interrupt();
      } else {
        s.far$interrupted = true;
      }
    }
  }

  public static boolean isInterrupted(Thread t) {
    final SharedThread s = shared(t);
    if (s == null) return t.isInterrupted();
    final Thread carrier = s.far$carrier;
    return carrier != null && carrier.isInterrupted();
  }

  public static boolean interrupted() {
    return Thread.interrupted();
  }

  // ---- pauses: whoever looks at a variable between them means to see what others have written

  public static void sleep(long millis) throws InterruptedException {
    sleep(millis, 0);
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    if (!Job.ACTIVE) {
      Thread.sleep(millis, nanos);
      return;
    }
    Space.release();
    Space.outside(true);
    try {
      Thread.sleep(millis, nanos);
    } finally {
      Space.outside(false);
      Space.acquire();
    }
  }

  public static void yield() {
    synchronizeAll();
    Thread.yield();
  }

  public static void onSpinWait() {
    synchronizeAll();
    Thread.onSpinWait();
  }

  private static void synchronizeAll() {
    if (!Job.ACTIVE) return;
    Space.release();
    Space.acquire();
  }

  private Threads() {}
}
