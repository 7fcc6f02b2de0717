package io.github.libfar.shared;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The rank's shared objects. A release writes what this rank's threads have changed to the object
 * space, an acquire makes stale whatever others may have changed.
 *
 * <p>A thread that has found an object writable goes on writing without a test until it
 * synchronizes, whatever other threads of the rank do. So after a release an object stays in the
 * list of those to be compared until every thread of the rank has released once more.
 *
 * <p>Threads: one lock for everything; it is never held while a thread waits for another.
 */
final class Space {
  static final boolean COHERENT = Native.coherent();
  static final ReferenceQueue<Shared> COLLECTED = new ReferenceQueue<>();

  private static final Object LOCK = new Object();
  private static final Map<Long, Mirror> BY_PLACE = new HashMap<>();
  private static List<Shared> dirty = new ArrayList<>();
  private static final List<Mirror> FRESH = new ArrayList<>();
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
    synchronized (LOCK) {
      if (o.far$state() >= 0) return;
      refresh(o, o.far$mirror());
    }
  }

  private static void refresh(Shared o, Mirror m) {
    m.kind.unpack(o, m);
    m.kind.refreshed++;
    o.far$state(Shared.READABLE);
    addFresh(m);
  }

  static void write(Shared o) {
    synchronized (LOCK) {
      Contexts.mine();  // from now on, releases wait for this thread
      final Mirror m = o.far$mirror();
      if (o.far$state() < 0) refresh(o, m);
      if (o.far$state() == Shared.WRITABLE) return;
      if (m.twin == null) m.twin = m.kind.twin(o);
      addDirty(o, m);
      m.closing = 0;
      o.far$state(Shared.WRITABLE);
    }
  }

  private static void addFresh(Mirror m) {
    if (m.fresh) return;
    m.fresh = true;
    FRESH.add(m);
  }

  private static void addDirty(Shared o, Mirror m) {
    if (m.dirty) return;
    m.dirty = true;
    dirty.add(o);
  }

  // ---- synchronization

  /** What this thread has written is seen by whoever acquires after this. */
  static void release() {
    synchronized (LOCK) {
      final Contexts.Context mine = Contexts.mine();
      mine.released = ++epoch;
      Monitors.claim();
      if (dirty.isEmpty()) return;
      final long oldest = Contexts.oldestRelease();
      final List<Shared> left = new ArrayList<>();
      for (int k = 0; k < dirty.size(); k++) {  // packing appends what it publishes
        final Shared o = dirty.get(k);
        final Mirror m = o.far$mirror();
        m.kind.pack(o, m);
        m.kind.packed++;
        if (o.far$state() == Shared.WRITABLE) {
          o.far$state(Shared.READABLE);
          m.closing = epoch;
        }
        if (m.closing != 0 && m.closing <= oldest) {
          m.twin = null;
          m.dirty = false;
        } else {
          if (m.twin == null) m.twin = m.kind.twin(o);
          left.add(o);
        }
      }
      dirty = left;
      Native.publish();
    }
  }

  /** This thread sees what others have released before. */
  static void acquire() {
    synchronized (LOCK) {
      Native.refresh();
      ++epoch;
      for (Mirror m : FRESH) {
        m.fresh = false;
        final Shared o = m.get();
        if (o == null) continue;
        if (o.far$state() == Shared.WRITABLE) m.closing = epoch;
        o.far$state(Shared.STALE);
      }
      FRESH.clear();
    }
  }

  /** Of the thread that is about to wait, or to end: no release waits for it meanwhile. */
  static void outside(boolean begins) {
    synchronized (LOCK) {
      final Contexts.Context mine = Contexts.mine();
      mine.outside = begins;
      mine.released = ++epoch;
    }
  }

  // ---- references

  /** The place of what a field refers to; a local object is published. */
  static long placeOf(Object o, Kind of, String field) {
    if (o == null) return 0;
    if (!(o instanceof Enum)) {
      if (o instanceof Shared s) return placeOf(s);
      if (o.getClass().isArray()) {
        throw Job.fail(unknown(o, of, field) + ": an array that the JDK has made stays its own");
      }
    }
    final long place = Values.placeOf(o);
    if (place == 0) {
      throw Job.fail(unknown(o, of, field)
          + ": ranks can share objects of the program's classes, arrays, strings, boxed numbers,"
          + " enumerations and classes");
    }
    return place;
  }

  private static String unknown(Object o, Kind of, String field) {
    return "cannot share an object of " + o.getClass().getName() + ", to which " + field + " of "
        + of.name.replace("$far$Statics", " (static)") + " refers";
  }

  static long placeOf(Shared s) {
    final Mirror m = s.far$mirror();
    return m != null ? m.place : publish(s).place;
  }

  /** Makes a local object known to others. Its values follow at the end of the release. */
  static Mirror publish(Shared o) {
    final Mirror m = Records.of(o).publish(o);
    m.kind.published++;
    add(o, m);
    Monitors.published(o, m);
    return m;
  }

  /** Takes a new mirror into the tables; again: no change. */
  static void add(Shared o, Mirror m) {
    if (BY_PLACE.putIfAbsent(m.place, m) != null) return;
    addDirty(o, m);
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
    if (there != null) return there;
    final long[] head = new long[2];
    Native.head(place, head);
    final String type = Records.nameAt(head[0]);
    final Object value = Values.at(place, type, (int) head[1]);
    return value != null ? value : attach(place, Records.named(type), head[1]);
  }

  /** A Java object for one that another rank has made. */
  static Shared attach(long place, Kind kind, long lengthAndHash) {
    final Shared o = kind.allocate((int) lengthAndHash);
    kind.attached++;
    final Mirror m = new Mirror(o, place, kind, (int) (lengthAndHash >> 32));
    o.far$mirror(m);
    o.far$state(Shared.STALE);
    BY_PLACE.put(place, m);
    forgetCollected();
    return o;
  }

  private static void forgetCollected() {
    for (Reference<?> r = COLLECTED.poll(); r != null; r = COLLECTED.poll()) {
      final Mirror m = (Mirror) r;
      BY_PLACE.remove(m.place, m);
    }
  }

  private Space() {}
}
