package io.github.libfar.shared;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The rank's shared objects. A release writes what this rank's threads have changed to the object
 * space, an acquire makes stale whatever others may have changed.
 *
 * <p>A thread that has found an object writable goes on writing without a test until it
 * synchronizes, whatever other threads of the rank do. So an object that is no longer writable is
 * still compared at the next release of each thread of the rank; then its twin goes.
 *
 * <p>Threads: one lock for everything; it is never held while a thread waits for another.
 */
final class Space {
  static final boolean COHERENT = Native.coherent();
  static final ReferenceQueue<Shared> COLLECTED = new ReferenceQueue<>();

  private static final Object LOCK = new Object();
  private static final Map<Long, Mirror> BY_PLACE = new HashMap<>();
  /** Writable objects, and perhaps some that are so no longer. */
  private static final List<Shared> OPEN = new ArrayList<>();

  /** An object that was writable until that epoch; void if the mirror names another one. */
  private record Closing(Shared o, Mirror m, long epoch) {
    boolean isVoid() {
      return m.closing != epoch;
    }
  }

  /** In the order of epochs. */
  private static final ArrayDeque<Closing> CLOSING = new ArrayDeque<>();
  /** Where ranks work on one memory: all that acquires must make stale. */
  private static final List<Mirror> FRESH = new ArrayList<>();
  /** Else they are told of what has changed. These are arrays with more places than one. */
  private static final TreeMap<Long, Mirror> LARGE = new TreeMap<>();
  private static final int LARGE_BYTES = 1 << 15;
  private static final Twins TWINS = new Twins(Runtime.getRuntime().maxMemory() / 4);
  private static final SplittableRandom STAMPS =
      new SplittableRandom(System.nanoTime() * 31 + Job.RANK);
  /** Counts releases and acquires of all threads of the rank. */
  private static long epoch;

  static Object lock() {
    return LOCK;
  }

  static long epoch() {
    return epoch;
  }

  /** Differs from all other stamps, and from 0. */
  static long newStamp() {
    return STAMPS.nextLong() | 1;
  }

  // ---- tests that have failed

  static void read(Shared o) {
    test(o, false);
  }

  private static void test(Shared o, boolean write) {
    Contexts.beginTest();
    try {
      for (;;) {
        try {
          if (write ? mayWrite(o) : mayRead(o)) return;
          Alone.ask(o);
        } catch (Uninitialized e) {
          e.initialize();
        }
      }
    } finally {
      Contexts.endTest();
    }
  }

  private static boolean mayRead(Shared o) {
    synchronized (LOCK) {
      return o.far$state() >= 0 || refresh(o, o.far$mirror());
    }
  }

  /** False if the values are not in the space. */
  private static boolean refresh(Shared o, Mirror m) {
    // What it refers to may be of a new class, of which initializing makes objects stale: this one, too.
    do {
      if (!m.kind.look(m)) return false;
      m.told = false;
      Uninitialized.unpack(o, m);
      m.kind.refreshed++;
    } while (m.told);
    o.far$state(Shared.READABLE);
    addFresh(m);
    return true;
  }

  static void write(Shared o) {
    test(o, true);
  }

  private static boolean mayWrite(Shared o) {
    synchronized (LOCK) {
      Contexts.mine();  // from now on, releases wait for this thread
      final Mirror m = o.far$mirror();
      if (o.far$state() < 0 && !refresh(o, m)) return false;
      if (o.far$state() == Shared.WRITABLE) return true;
      if (!m.kind.beginWrites(m)) return false;
      if (m.twin == null) {
        makeTwin(o, m);
      } else if (m.twinIsOld) {
        m.kind.renewTwin(o, m);
      }
      open(o, m);
      return true;
    }
  }

  private static void makeTwin(Shared o, Mirror m) {
    m.twin = m.kind.twin(o);
    m.twinIsOld = false;
  }

  private static void addFresh(Mirror m) {
    if (!COHERENT || m.fresh) return;
    m.fresh = true;
    FRESH.add(m);
  }

  private static void open(Shared o, Mirror m) {
    o.far$state(Shared.WRITABLE);
    m.closing = 0;
    if (m.open) return;
    m.open = true;
    OPEN.add(o);
  }

  private static void close(Shared o, Mirror m, byte state) {
    o.far$state(state);
    m.closing = epoch;
    CLOSING.add(new Closing(o, m, epoch));
  }

  // ---- synchronization

  /** What this thread has written is seen by whoever acquires after this. */
  static void release() {
    Collector.awaitRoom();
    synchronized (LOCK) {
      final Contexts.Context mine = Contexts.mine();
      final long before = mine.released;
      ++epoch;
      if (!Contexts.inTest()) {
        mine.released = epoch;
        mine.passed = epoch;
      }
      Monitors.claim();
      if (OPEN.isEmpty() && CLOSING.isEmpty()) return;
      packClosing(before);
      packOpen();
      Native.publish();
      Collector.lookAt(Native.made());
    }
  }

  /** What this thread may have written although it was closed after the thread's last release. */
  private static void packClosing(long after) {
    for (Iterator<Closing> last = CLOSING.descendingIterator(); last.hasNext();) {
      final Closing c = last.next();
      if (c.epoch <= after) break;
      if (!c.isVoid()) packBeforeWrites(c.o, c.m);
    }
    final long oldest = Contexts.oldest();
    while (!CLOSING.isEmpty() && CLOSING.peek().epoch <= oldest) {
      final Closing c = CLOSING.poll();
      if (c.isVoid()) continue;
      pack(c.o, c.m);  // a thread that waits may have written before it has released
      settle(c.o, c.m);
    }
  }

  private static void packOpen() {
    final boolean alone = Contexts.oldest() >= epoch;
    for (int k = 0; k < OPEN.size(); k++) {  // packing appends what it publishes
      final Shared o = OPEN.get(k);
      final Mirror m = o.far$mirror();
      m.open = false;
      if (m.alone || o.far$state() != Shared.WRITABLE) continue;
      if (alone) {
        pack(o, m);
        o.far$state(Shared.READABLE);
        settle(o, m);
      } else {
        packBeforeWrites(o, m);
        close(o, m, Shared.READABLE);
      }
    }
    OPEN.clear();
  }

  /** Threads may write the object meanwhile, and after: its twin has what has been packed. */
  private static void packBeforeWrites(Shared o, Mirror m) {
    if (m.twin == null) m.twin = m.kind.blank(o);
    pack(o, m);
  }

  private static void pack(Shared o, Mirror m) {
    m.kind.pack(o, m);
    m.kind.packed++;
  }

  /** No thread of the rank writes the object any more. */
  private static void settle(Shared o, Mirror m) {
    m.closing = 0;
    if (m.kind.takeAlone(o, m)) {
      o.far$state(Shared.WRITABLE);
      m.twin = null;
      TWINS.forget(m);
      return;
    }
    m.kind.endWrites(m);
    if (m.kind.keepsTwin() && TWINS.keeps(m, m.kind.bytes(o))) return;
    m.twin = null;
  }

  /** Another rank is going to use what this one has had alone, and whose threads may be writing it. */
  static void leaveAlone(Shared o) {
    final Mirror m = o.far$mirror();
    m.alone = false;
    makeTwin(o, m);
    m.kind.leaveAlone(m);
    open(o, m);
    addFresh(m);
  }

  /** This thread sees what others have released before. */
  static void acquire() {
    synchronized (LOCK) {
      // First: what changes until refresh, the next acquire is told of.
      final long[] changed = COHERENT ? null : Native.takeChanged();
      Native.refresh();
      ++epoch;
      if (COHERENT) {
        for (Mirror m : FRESH) {
          m.fresh = false;
          makeStale(m);
        }
        FRESH.clear();
        return;
      }
      if (changed == null) return;
      for (long place : changed) {
        final Mirror m = BY_PLACE.get(place);
        if (m != null) {
          makeStale(m);
        } else {
          final Map.Entry<Long, Mirror> array = LARGE.floorEntry(place);
          if (array != null) makeStale(array.getValue());
        }
      }
    }
  }

  private static void makeStale(Mirror m) {
    if (m.alone) return;
    m.told = true;
    final Shared o = m.get();
    if (o == null) return;
    if (o.far$state() == Shared.WRITABLE) {
      close(o, m, Shared.STALE);
    } else {
      o.far$state(Shared.STALE);
    }
  }

  /** Of the thread that is about to wait, or to end: no release waits for it meanwhile. */
  static void outside(boolean begins) {
    if (Contexts.inTest()) return;  // afterwards it goes on
    synchronized (LOCK) {
      final Contexts.Context mine = Contexts.mine();
      mine.outside = begins;
      mine.passed = ++epoch;
    }
  }

  // ---- references

  /** The place of what a field or an element refers to; a local object is published. */
  static long placeOf(Object o, Kind of, String field) {
    return placeOf(o, of, field, false);
  }

  /** The same; what cannot be shared may stay with this rank. */
  static long placeOf(Object o, Kind of, String field, boolean mayStay) {
    if (o == null) return 0;
    if (!(o instanceof Enum)) {
      if (o instanceof Shared s) {
        final boolean isNew = s.far$mirror() == null;
        final String refusal = mayStay && isNew ? Layout.refusal(o.getClass()) : null;
        return refusal == null ? placeOf(s) : Elsewhere.placeOf(o, refusal);
      }
      if (o.getClass().isArray()) {
        throw Job.fail(Elsewhere.refusal(o, of, field)
            + ": an array that the JDK has made stays its own");
      }
    }
    final long place = Values.placeOf(o);
    if (place != 0) return place;
    final String refusal = Elsewhere.refusal(o, of, field)
        + ": ranks can share objects of the program's classes, arrays, strings, boxed numbers,"
        + " enumerations and classes";
    if (mayStay) return Elsewhere.placeOf(o, refusal);
    throw Job.fail(refusal);
  }

  static long placeOf(Shared s) {
    final Mirror m = s.far$mirror();
    return m != null ? m.place : publish(s).place;
  }

  /** Makes a local object known to others. Its values follow at the end of the release. */
  static Mirror publish(Shared o) {
    forgetCollected();
    final Mirror m = Records.of(o).publish(o);
    m.kind.published++;
    add(o, m);
    Monitors.published(o, m);
    return m;
  }

  /** Takes a new mirror into the tables; again: no change. */
  static void add(Shared o, Mirror m) {
    if (BY_PLACE.containsKey(m.place)) return;
    know(o, m);
    m.kind.beginWrites(m);
    open(o, m);
    addFresh(m);
  }

  /** The object at a place, if this rank has one. */
  static Shared known(long place) {
    final Mirror m = BY_PLACE.get(place);
    return m == null ? null : m.get();
  }

  /** The object at a place; a new one has no values yet. */
  static Object objectOf(long place) {
    if (place == 0) return null;
    final Shared there = known(place);
    if (there != null) return Texts.objectOf(there);
    final long[] head = new long[2];
    Native.head(place, head);
    final String type = Records.nameAt(head[0]);
    if (type.equals(Elsewhere.RECORD)) return Elsewhere.at(place, (int) head[1]);
    final Object value = Values.at(place, type, (int) head[1]);
    return value != null ? value : Texts.objectOf(attach(place, Records.named(type), head[1]));
  }

  /** A Java object for one that another rank has made. */
  static Shared attach(long place, Kind kind, long lengthAndHash) {
    final Shared o = kind.allocate((int) lengthAndHash);
    join(o, place, kind, lengthAndHash);
    return o;
  }

  /** The same of an object that this rank has already, without its values. */
  static void join(Shared o, long place, Kind kind, long lengthAndHash) {
    Native.keep(place);
    kind.attached++;
    final Mirror m = new Mirror(o, place, kind, (int) (lengthAndHash >> 32));
    o.far$mirror(m);
    o.far$state(Shared.STALE);
    know(o, m);
    forgetCollected();
  }

  private static void know(Shared o, Mirror m) {
    BY_PLACE.put(m.place, m);
    if (!COHERENT && m.kind.bytes(o) >= LARGE_BYTES) LARGE.put(m.place, m);
  }

  private static void forgetCollected() {
    for (Reference<?> r = COLLECTED.poll(); r != null; r = COLLECTED.poll()) forget(r);
  }

  /** The Java object is gone: this rank does not keep the shared one any more. */
  static void forget(Reference<?> mirror) {
    final Mirror m = (Mirror) mirror;
    BY_PLACE.remove(m.place, m);
    LARGE.remove(m.place, m);
    TWINS.forget(m);
    Collector.drop(m.place);
  }

  private Space() {}
}
