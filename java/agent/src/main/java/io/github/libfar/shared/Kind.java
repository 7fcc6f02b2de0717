package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.util.List;

/**
 * How the objects of a class lie in the object space. Each begins with a header of four words: the
 * place of the class's record, {length : 32, hash : 32}, a stamp that every change sets anew where
 * ranks work on one memory, and the tickets of threads that wait (Monitors). The first two never
 * change.
 *
 * <p>Threads: all methods are called under Space's lock.
 */
abstract class Kind {
  static final int HEAD_CLASS = 0;
  static final int HEAD_LENGTH = 8;
  static final int HEAD_STAMP = 16;
  static final int HEAD_TICKETS = 24;
  static final int HEAD_BYTES = 32;

  /** The class's name, as the record has it. */
  final String name;
  /** Where this rank's record of the class is; 0: it has made none. */
  private long record;

  // For Explain: how often on this rank.
  long published;
  long attached;
  long refreshed;
  long read;
  long packed;

  Kind(String name) {
    this.name = name;
  }

  /** Makes room for an object in this rank's part of the space. Returns its place. */
  abstract long make(Shared o);

  /** A Java object for one of another rank, without its values. */
  abstract Shared allocate(int length);

  /** The address of the header. */
  abstract long header(long place, boolean write);

  /** The same; where ranks work on one memory it stays, as long as this rank has the object. */
  final long header(Mirror m, boolean write) {
    if (m.address != 0) return m.address;
    final long address = header(m.place, write);
    if (Space.COHERENT) m.address = address;
    return address;
  }

  /** Whether the twin of an object with these is worth its memory while the object is not written. */
  boolean keepsTwin() {
    return false;
  }

  /** A copy of what is shared of the object. */
  abstract Object twin(Shared o);

  /** Makes a twin that has been kept the same as the object again. */
  void renewTwin(Shared o, Mirror m) {}

  /** The twin of an object that has just been published: there all is 0. */
  abstract Object blank(Shared o);

  /**
   * Writes what differs from the twin; the twin follows. Or everything, if there is none: then the
   * object has just been published, and no thread goes on writing.
   */
  abstract void pack(Shared o, Mirror m);

  /** Reads what others have changed. What this rank has changed since the twin was made stays. */
  abstract void unpack(Shared o, Mirror m);

  /** Before values are read from the space. False: they are not there, see Alone. */
  boolean look(Mirror m) {
    return true;
  }

  /** Before threads of this rank write the object. False: another rank has it alone. */
  boolean beginWrites(Mirror m) {
    return true;
  }

  /** They have written, and all of it is in the space. */
  void endWrites(Mirror m) {}

  /** Whether this rank has the object alone from now on. It has just packed it. */
  boolean takeAlone(Shared o, Mirror m) {
    return false;
  }

  /** Puts all of its twin into the space. */
  void leaveAlone(Mirror m) {}

  /** Of each field, or of all elements. */
  abstract List<Tally> tallies();

  /** The objects to which the Java object refers; some may be null. */
  List<Object> references(Shared o) {
    return List.of();
  }

  /** Puts the values of volatile fields, which are at the home, into the Java object. */
  void copyVolatiles(Shared o, Mirror m) {}

  int length(Shared o) {
    return 0;
  }

  /** Of the elements of an array; else 0. */
  long bytes(Shared o) {
    return 0;
  }

  /** Makes the object known to other ranks; its values follow with the next pack. */
  Mirror publish(Shared o) {
    if (record == 0) record = Records.make(name);
    final int hash = System.identityHashCode(o);
    final long place = make(o);
    final long head = header(place, true);
    U.putLong(head + HEAD_CLASS, record);
    U.putLong(head + HEAD_LENGTH, (long) hash << 32 | length(o));
    final Mirror m = new Mirror(o, place, this, hash);
    o.far$mirror(m);
    return m;
  }

  /** After a change: the object has a new stamp. */
  void stamp(Mirror m) {
    if (!Space.COHERENT) return;
    // Another rank's change that this one has not seen has left its stamp.
    final long stamp = Space.newStamp();
    final long before = U.getAndSetLong(null, header(m, true) + HEAD_STAMP, stamp);
    m.stamp = before == m.stamp || before == 0 ? stamp : 0;
  }

  /**
   * Whether the Java object has seen all changes; if not, it is going to. Of a copy it is not
   * known: a change comes into it field by field, and the stamp may come before others.
   */
  boolean isCurrent(Mirror m) {
    if (!Space.COHERENT) {
      read++;
      return false;
    }
    final long stamp = U.getLongVolatile(null, header(m, false) + HEAD_STAMP);
    if (stamp != 0 && stamp == m.stamp) return true;
    m.stamp = stamp;
    read++;
    return false;
  }
}
