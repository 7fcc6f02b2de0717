package io.github.libfar.shared;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rank knows of a shared object beside its Java object: where it is in the object space, and
 * what it was like when the rank last made it the same as there. Lives as long as the Java object,
 * which it does not keep.
 *
 * <p>Threads: the monitor's fields belong to who is in the Java monitor, the rest to Space's lock.
 */
public final class Mirror extends WeakReference<Shared> {
  final long place;
  final Kind kind;
  private final int hash;

  /** Where the header is, if it stays there; else 0. */
  long address;
  /** All elements of the array follow the header at that address. */
  boolean whole;
  /** The stamp of the change that the Java object has seen last; 0: it has seen none. */
  long stamp;
  /** Of an array of numbers, where ranks work on one memory: the stamp when it was last looked at. */
  long looked;
  /** The places of what it refers to, as this rank last saw them in the space; null: it saw none. */
  long[] places;
  /**
   * The fields as others know them, if this rank may have written some since; of some arrays also if
   * it has not: see Kind.keepsTwin. Else null.
   */
  Object twin;
  /** The twin has been kept, and must be made the same as the object before that is written. */
  boolean twinIsOld;
  /** The bytes of a twin that is kept when the object is not written; else 0. */
  long keptTwin;
  /** Whether Space's list of writable objects contains it. */
  boolean open;
  /** Whether Space's list of what the next acquire makes stale contains it. */
  boolean fresh;
  /** It has become stale since its values were looked for. */
  boolean told;
  /** When it was last writable, if threads may still write it; else 0. See Space.release. */
  long closing;

  /** Of an array of numbers: this rank is counted as one that may have written it. See UseWord. */
  boolean counted;
  /** How often this rank has changed it in the space, and no other one has looked. */
  int unseen;
  /** This rank has it alone: see Alone. */
  boolean alone;
  /** How often others have asked for it then. */
  int asked;

  /** How often the thread in the Java monitor has entered since it was published. */
  int depth;
  /** That thread had entered it before it was published. */
  volatile boolean enteredBefore;
  /** Threads of this rank in Object.wait. */
  final List<Monitors.Waiting> waiting = new ArrayList<>(0);
  /** This rank runs the initializer of the class whose static fields these are. */
  boolean initializes;

  Mirror(Shared object, long place, Kind kind, int hash) {
    super(object, Space.COLLECTED);
    this.place = place;
    this.kind = kind;
    this.hash = hash;
  }

  /** Whether threads of this rank may have written what the twin does not have yet. */
  boolean isWritten() {
    return twin != null && (open || closing != 0);
  }

  int hash() {
    return hash;
  }

  /** The places of what it refers to, as this rank last saw them. */
  long[] seen(int references) {
    if (places == null) places = new long[references];
    return places;
  }

  /** No place. */
  static final long UNSEEN = -1;

  /** Whether a reference in the space has changed since the rank saw it; from now on it has not. */
  boolean seesOther(int reference, int of, long place) {
    if (seen(of)[reference] == place) return false;
    places[reference] = place;
    return true;
  }

  /** The object there, to which that reference refers now. If it cannot be had, it is not seen. */
  Object objectAt(int reference, long place) {
    try {
      return Space.objectOf(place);
    } catch (Uninitialized e) {
      places[reference] = UNSEEN;
      throw e;
    }
  }
}
