package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Monitors. A thread is always in the Java monitor first: so of each rank only one thread asks for
 * the monitor in the object space, the others queue here. A waiting thread waits in the Java
 * monitor, too; it has a ticket, and the object knows up to which ticket threads have been
 * notified. The tickets are {next : 32, end of the notified : 32}, and belong to who is in the
 * monitor.
 */
public final class Monitors {
  /** A thread in Object.wait. {@code left}: its ticket is void, the next one is notified. */
  static final class Waiting {
    final int ticket;
    boolean notified;
    boolean left;

    Waiting(int ticket) {
      this.ticket = ticket;
    }
  }

  /** After the Java monitor has been entered. */
  public static void entered(Object o) {
    if (Job.ACTIVE) Slow.entered(o);
  }

  static void enteredShared(Object o) {
    final Mirror m = mirrorOf(o);
    if (m == null || m.depth++ > 0) return;
    if (m.enteredBefore) {
      if (Contexts.mine().before.contains(m)) return;
      // Who was in it has left the Java monitor, and is about to leave the one of all ranks.
      while (m.enteredBefore) Thread.yield();
    }
    enter(m);
  }

  private static void enter(Mirror m) {
    final Contexts.Context mine = Contexts.mine();
    Space.outside(true);
    mine.entersMonitor = true;
    Native.enter(Contexts.take(), m.place);
    mine.entersMonitor = false;
    Space.outside(false);
    Space.acquire();
  }

  /** Before it is left. */
  public static void leaving(Object o) {
    if (Job.ACTIVE) Slow.leaving(o);
  }

  static void leavingShared(Object o) {
    final Mirror m = mirrorOf(o);
    if (m == null || m.depth == 0 || --m.depth > 0 || m.enteredBefore) return;
    exit(m);
  }

  private static void exit(Mirror m) {
    Space.release();
    Native.exit(Contexts.take(), m.place);
    Contexts.giveBack();
    Contexts.giveBack();
  }

  /** After it has been left: the last time of those before the object was published? */
  public static void left(Object o) {
    if (Job.ACTIVE) Slow.left(o);
  }

  static void leftShared(Object o) {
    final List<Mirror> before = Contexts.mine().before;
    if (before.isEmpty()) return;
    final Mirror m = mirrorOf(o);
    if (m == null || !before.contains(m) || Thread.holdsLock(o)) return;
    before.remove(m);
    m.enteredBefore = false;
    exit(m);
    Reference.reachabilityFence(o);
  }

  /** The thread that publishes an object may be in its monitor: then no other rank may enter. */
  static void published(Shared s, Mirror m) {
    final Object o = Texts.objectOf(s);
    if (Thread.holdsLock(o)) {
      enterAfterwards(m);
    } else if (isLocked(o)) {
      LOCKED.add(m);
    }
  }

  private static void enterAfterwards(Mirror m) {
    m.enteredBefore = true;
    Contexts.mine().before.add(m);
    Native.enter(Contexts.take(), m.place);
  }

  /**
   * Objects in whose monitors threads may have been when another thread of the rank published them.
   * Nobody of another rank enters before the thread that is there has released.
   */
  private static final List<Mirror> LOCKED = new ArrayList<>();

  /** The JVM's header of an object ends in 01 if nobody is in its monitor, nor has been lately. */
  private static boolean isLocked(Object o) {
    return (U.getLong(o, 0L) & 3) != 1;
  }

  /** Of a thread that releases, under Space's lock: enters what it is in already. */
  static void claim() {
    for (int k = 0; k < LOCKED.size(); k++) {
      final Mirror m = LOCKED.get(k);
      final Shared s = m.get();
      final Object o = s == null ? null : Texts.objectOf(s);
      if (o != null && Thread.holdsLock(o) && !m.enteredBefore && m.depth == 0) {
        enterAfterwards(m);
      } else if (o != null && isLocked(o)) {
        continue;
      }
      LOCKED.remove(k--);
    }
  }

  /** What ranks know the monitor by; null: it is this rank's alone. */
  private static Mirror mirrorOf(Object o) {
    if (o instanceof Enum<?> e && o instanceof Shared) return Constants.mirrorOf(e);
    if (o instanceof Shared s) return s.far$mirror();
    if (Texts.isText(o)) return Texts.mirrorOf(o);
    return o instanceof Class<?> c ? Statics.lockOf(c) : null;
  }

  // ---- wait and notify

  public static void wait(Object o) throws InterruptedException {
    wait(o, 0);
  }

  public static void wait(Object o, long millis, int nanos) throws InterruptedException {
    if (nanos < 0 || nanos > 999999) {
      throw new IllegalArgumentException("nanosecond timeout value out of range");
    }
    wait(o, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
  }

  public static void wait(Object o, long millis) throws InterruptedException {
    final Mirror m = Job.ACTIVE ? mirrorOf(o) : null;
    if (m == null || !Thread.holdsLock(o) || millis < 0 || Thread.interrupted()) {
      if (m != null && millis >= 0 && Thread.holdsLock(o)) throw new InterruptedException();
      o.wait(millis);  // says what is wrong
      return;
    }
    final Waiting w = new Waiting((int) addTickets(m, 1, 0));
    m.waiting.add(w);
    final int depth = m.depth;
    final boolean before = m.enteredBefore;
    m.depth = 0;
    m.enteredBefore = false;
    exit(m);
    Space.outside(true);
    try {
      sleep(o, w, millis);
    } finally {
      Space.outside(false);
      enter(m);
      m.depth = depth;
      m.enteredBefore = before;
      if (w.notified || w.ticket - (int) (addTickets(m, 0, 0) >>> 32) < 0) {
        m.waiting.remove(w);
      } else {
        w.left = true;
      }
    }
  }

  private static void sleep(Object o, Waiting w, long millis) throws InterruptedException {
    if (millis == 0) {
      while (!w.notified) o.wait();
      return;
    }
    final long begin = System.nanoTime();
    final long timeout = TimeUnit.MILLISECONDS.toNanos(millis);  // at most Long.MAX_VALUE
    for (long left = timeout; !w.notified && left > 0;
        left = timeout - (System.nanoTime() - begin)) {
      o.wait(left / 1_000_000 + 1);
    }
  }

  public static void notify(Object o) {
    notify(o, false);
  }

  public static void notifyAll(Object o) {
    notify(o, true);
  }

  private static void notify(Object o, boolean all) {
    final Mirror m = Job.ACTIVE ? mirrorOf(o) : null;
    if (m == null || !Thread.holdsLock(o)) {
      if (all) o.notifyAll(); else o.notify();
      return;
    }
    notify(o, m, all ? Integer.MAX_VALUE : 1);
  }

  private static void notify(Object o, Mirror m, int max) {
    final long tickets = addTickets(m, 0, max);
    final int next = (int) tickets;
    final int end = (int) (tickets >>> 32);
    if (next == end) return;
    final int now = end + Math.min(next - end, max);
    wake(o, m, now);
    for (int rank = 0; rank < Job.RANKS; rank++) {
      if (rank != Job.RANK) Messages.post(rank, Messages.WAKE, m.place,
          (long) m.hash() << 32 | now & 0xffffffffL);
    }
  }

  /** Takes tickets, and moves the end of the notified ones. Returns both as they were. */
  private static long addTickets(Mirror m, int taken, int notified) {
    synchronized (Space.lock()) {
      final long address = m.kind.header(m, taken + notified > 0) + Kind.HEAD_TICKETS;
      final long tickets = U.getLong(address);
      final int next = (int) tickets;
      final int end = (int) (tickets >>> 32);
      final long now = end + Math.min(next - end, notified) & 0xffffffffL;
      if (taken + notified > 0) {
        U.putLong(address, now << 32 | next + taken & 0xffffffffL);
        Native.publish();
      }
      return tickets;
    }
  }

  /** In the Java monitor: lets those threads of this rank go on that have been notified. */
  private static void wake(Object o, Mirror m, int end) {
    int gone = 0;
    for (Waiting w : new ArrayList<>(m.waiting)) {
      if (w.ticket - end >= 0) continue;
      w.notified = true;
      m.waiting.remove(w);
      if (w.left) gone++;
    }
    o.notifyAll();
    if (gone > 0) notify(o, m, gone);
  }

  /**
   * By place, what other ranks have notified and the threads of this rank have not been told:
   * {hash : 32, end of the notified : 32}. For each place there is one thread that will tell them.
   */
  private static final Map<Long, Long> NOTIFIED = new HashMap<>();

  /** For the thread that takes messages: it waits for nothing, and not for Space's lock. */
  static void notified(long place, long news) {
    if (isFirst(place, news)) Messages.work(() -> tell(place));
  }

  private static void tell(long place) {
    final long news = take(place);
    final Object o = awaited(place, (int) (news >> 32));
    if (o == null || !isFirst(place, news)) return;
    synchronized (o) {
      entered(o);
      wake(o, mirrorOf(o), (int) take(place));
      leaving(o);
    }
    left(o);
  }

  /** Adds news; whether nobody is going to tell it yet. */
  private static boolean isFirst(long place, long news) {
    synchronized (NOTIFIED) {
      final boolean first = !NOTIFIED.containsKey(place);
      NOTIFIED.merge(place, news, Monitors::later);
      return first;
    }
  }

  /** Of one object, or of the second, which is where the first was. */
  private static long later(long a, long b) {
    return a >> 32 == b >> 32 && (int) a - (int) b > 0 ? a : b;
  }

  private static long take(long place) {
    synchronized (NOTIFIED) {
      return NOTIFIED.remove(place);
    }
  }

  /**
   * The object, if a thread of this rank waits in it. Who was notified had left the monitor before
   * that, so it is in the list. Nobody waits for an object that this rank does not have.
   */
  private static Object awaited(long place, int hash) {
    synchronized (Space.lock()) {
      final Shared known = Space.known(place);
      if (known == null || known.far$mirror().hash() != hash) return null;
      return known.far$mirror().waiting.isEmpty() ? null : Statics.lockedAt(known);
    }
  }

  private Monitors() {}
}
