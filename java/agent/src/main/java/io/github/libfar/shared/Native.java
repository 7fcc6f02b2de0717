package io.github.libfar.shared;

/**
 * What the run time needs of libfar's object space; all native methods are here. A place names an
 * object of the space, an address is of its data in this process. Errors end the job.
 *
 * <p>Methods without a thread use the rank's one view for data, and are called under Space's lock.
 * An address is valid until the lock is given up. A thread is a view for monitors alone.
 */
final class Native {
  /** Joins the job. Returns the rank. */
  static native int join(boolean copies, long heapBytes, long cacheBytes);

  static native int size();

  /** Whether ranks work on one memory, without copies. */
  static native boolean coherent();

  /** Waits for all ranks. Called by the thread that has joined. */
  static native void barrier();

  /** Ends the job and this process, whatever other threads are doing. */
  static native void exit(int status);

  /**
   * A type of objects, or of an array's elements: its fields are at these offsets, and have these
   * widths; 0: a reference. The same name means the same on all ranks.
   */
  static native long type(String name, int size, int[] offsets, int[] widths);

  /** Makes an object, or an array of n elements; n below 0: an object. Its bytes are 0. It is kept. */
  static native long make(long type, long n);

  /** The address of an object. */
  static native long at(long place, long type, boolean write);

  /** The address of element i, and in count[0] how many elements follow at that address. */
  static native long elements(long place, long type, long i, boolean write, long[] count);

  /** The first two words of an object, from its home: they do not change. */
  static native void head(long place, long[] words);

  /**
   * The first byte, from begin on, in which two arrays of numbers differ, or end. Here and below,
   * begin and end are in bytes, and an address is that of element 0, wherever that is.
   */
  static native long mismatch(Object a, Object b, long begin, long end);

  /** What of an array differs from its twin goes there and to the address, and nothing else. */
  static native void writeDifferent(
      Object array, Object twin, long address, long begin, long end, int width);

  /** What differs at the address from an array's twin goes to both, and nothing else. */
  static native void readDifferent(
      Object array, Object twin, long address, long begin, long end, int width);

  /** The first element, from begin on, in which the words at the address of element 0 differ, or end. */
  static native int nextDifferent(long[] words, long address, int begin, int end);

  /** An array goes to the address, where nothing is but zeros: its pages of zeros do not. */
  static native void writeNotZero(Object array, long address, long begin, long end);

  static native void publish();

  static native void refresh();

  /** Keeps an object, and all that can be reached from it, until it is released as often. */
  static native void keep(long place);

  static native void release(long[] places, int n);

  /** The bytes of what this rank has made since the last collection. */
  static native long made();

  /** The bytes that this rank's objects take, and what they may take. */
  static native long used();

  static native long heapBytes();

  /** Until unpark a collection need not wait for this rank, which uses no object meanwhile. */
  static native void park();

  static native void unpark();

  /** Frees what nothing keeps, once all other ranks have parked. */
  static native void collect();

  /**
   * Where objects may have changed since the call before; of a large array, a place inside it. Null:
   * nowhere. What refresh does then, it need not be told of again. Not where ranks work on one memory.
   */
  static native long[] takeChanged();

  static native void setRoot(String name, long place, long type);

  static native long root(String name, long type);

  /** An aligned word of an object at its home, atomically. */
  static native long load(long place, long offset);

  static native void store(long place, long offset, long value);

  static native long fetchAdd(long place, long offset, long value);

  /** Returns the word as it was. */
  static native long compareExchange(long place, long offset, long expected, long desired);

  /** The number of threads that can hold monitors at a time. They are 0, 1, ... */
  static native int threads();

  static native void enter(int thread, long place);

  static native void exit(int thread, long place);

  /** Puts a message into a rank's queue. */
  static native void post(int thread, int rank, long kind, long a, long b);

  /** Waits for the next message to this rank. */
  static native void take(int thread, long[] message);

  private Native() {}
}
