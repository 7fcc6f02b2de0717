package io.github.libfar;

import java.time.Duration;

/**
 * Objects that refer to each other across ranks: lists, trees, meshes. A reference is a long that
 * means the same on every rank; 0 is null. Each rank makes objects in its own memory; others' are
 * where they are on one machine, and copied between machines.
 *
 * <pre>{@code
 * ObjectType node = space.describe("node").number("key", 8).reference("next").build();
 * long head = space.make(node);
 * space.setLong(head, node, node.offsetOf("key"), 7);
 * }</pre>
 *
 * <p>A thread sees what others have changed once both have synchronized: by an object's monitor ({@link
 * #enter}), or by {@link #publish} and {@link #refresh} with a barrier between.
 *
 * <p>Objects live until a collection finds that nothing keeps them. References in Java do not: an
 * object is kept by {@link #keep}, by a named root, or by an object that is kept. Collections take
 * place where objects are made and where threads synchronize.
 */
public final class ObjectSpace implements AutoCloseable {
  private final Handle handle;

  /**
   * Collective: makes a space.
   *
   * @param job the job
   * @param heapBytes memory for the objects that each rank makes; 0: a heap that grows
   * @param cacheBytes memory for copies of others' at each rank; 0: 64 MB
   * @param copies whether to make copies even where ranks share memory, for tests
   */
  public ObjectSpace(Job job, long heapBytes, long cacheBytes, boolean copies) {
    long made = NativeObjects.create(heapBytes, cacheBytes, copies);
    this.handle = new Handle(made, "the object space", NativeObjects::drop);
  }

  /**
   * Collective: the same, with the defaults.
   *
   * @param job the job
   */
  public ObjectSpace(Job job) {
    this(job, 0, 0, false);
  }

  /**
   * Begins the description of a type.
   *
   * @param name its name; the same name and fields are the same type on all ranks
   * @return what takes the fields
   */
  public ObjectType.Builder describe(String name) {
    return new ObjectType.Builder(handle.get(), name);
  }

  /**
   * Makes an object of this rank; its fields are 0.
   *
   * @param type its type
   * @return a reference
   */
  public long make(ObjectType type) {
    return NativeObjects.make(handle.get(), type.handle, -1);
  }

  /**
   * Makes an array of this rank; all fields are 0.
   *
   * @param type of its elements
   * @param length their number
   * @return a reference
   */
  public long makeArray(ObjectType type, long length) {
    if (length < 0) throw new IllegalArgumentException("an array of " + length + " elements");
    return NativeObjects.make(handle.get(), type.handle, length);
  }

  /**
   * An array's number of elements.
   *
   * @param array a reference
   * @param type of its elements
   * @return their number
   */
  public long length(long array, ObjectType type) {
    return NativeObjects.length(handle.get(), array, type.handle);
  }

  /**
   * A field of 8 bytes, or a reference.
   *
   * @param object a reference
   * @param type its type
   * @param offset the field's
   * @return its value
   */
  public long getLong(long object, ObjectType type, int offset) {
    return NativeObjects.get(handle.get(), object, type.handle, offset, Long.BYTES);
  }

  /**
   * Sets a field of 8 bytes, or a reference.
   *
   * @param object a reference
   * @param type its type
   * @param offset the field's
   * @param value its value from here on
   */
  public void setLong(long object, ObjectType type, int offset, long value) {
    NativeObjects.set(handle.get(), object, type.handle, offset, Long.BYTES, value);
  }

  /**
   * A field of 4 bytes.
   *
   * @param object a reference
   * @param type its type
   * @param offset the field's
   * @return its value
   */
  public int getInt(long object, ObjectType type, int offset) {
    return (int) NativeObjects.get(handle.get(), object, type.handle, offset, Integer.BYTES);
  }

  /**
   * Sets a field of 4 bytes.
   *
   * @param object a reference
   * @param type its type
   * @param offset the field's
   * @param value its value from here on
   */
  public void setInt(long object, ObjectType type, int offset, int value) {
    NativeObjects.set(handle.get(), object, type.handle, offset, Integer.BYTES, value);
  }

  /**
   * A field of 8 bytes as a double.
   *
   * @param object a reference
   * @param type its type
   * @param offset the field's
   * @return its value
   */
  public double getDouble(long object, ObjectType type, int offset) {
    return Double.longBitsToDouble(getLong(object, type, offset));
  }

  /**
   * Sets a field of 8 bytes to a double.
   *
   * @param object a reference
   * @param type its type
   * @param offset the field's
   * @param value its value from here on
   */
  public void setDouble(long object, ObjectType type, int offset, double value) {
    setLong(object, type, offset, Double.doubleToRawLongBits(value));
  }

  /**
   * A field of 8 bytes of an array's element.
   *
   * @param array a reference
   * @param type of its elements
   * @param i the element
   * @param offset the field's
   * @return its value
   */
  public long getLong(long array, ObjectType type, long i, int offset) {
    return NativeObjects.getElement(handle.get(), array, type.handle, i, offset, Long.BYTES);
  }

  /**
   * Sets a field of 8 bytes of an array's element.
   *
   * @param array a reference
   * @param type of its elements
   * @param i the element
   * @param offset the field's
   * @param value its value from here on
   */
  public void setLong(long array, ObjectType type, long i, int offset, long value) {
    NativeObjects.setElement(handle.get(), array, type.handle, i, offset, Long.BYTES, value);
  }

  /**
   * Gives an object a name that all ranks know. Publishes.
   *
   * @param name the name
   * @param object a reference, or 0
   * @param type its type
   */
  public void setRoot(String name, long object, ObjectType type) {
    NativeObjects.setRoot(handle.get(), name, object, type.handle);
  }

  /**
   * The object of a name. Refreshes.
   *
   * @param name the name
   * @return a reference, or 0
   */
  public long root(String name) {
    return NativeObjects.root(handle.get(), name);
  }

  /**
   * Keeps an object from collections until the result is closed, by any thread.
   *
   * @param object a reference
   * @return what releases it
   */
  public Kept keep(long object) {
    return new Kept(object);
  }

  /** Makes what this thread has changed visible to those who synchronize with it later. */
  public void publish() {
    NativeObjects.publish(handle.get());
  }

  /** From here on this thread sees what others had published before. */
  public void refresh() {
    NativeObjects.refresh(handle.get());
  }

  /** Frees what nothing keeps, at all ranks. */
  public void collect() {
    NativeObjects.collect(handle.get());
  }

  /**
   * Enters an object's monitor; a thread may enter it again. Publishes and refreshes.
   *
   * @param object a reference
   * @return the monitor, until it is closed
   */
  public Monitor enter(long object) {
    NativeObjects.enter(handle.get(), object);
    return new Monitor(object);
  }

  /** This rank does not use it any more. Never waits. */
  @Override
  public void close() {
    handle.close();
  }

  /** An object that is kept. */
  public final class Kept implements AutoCloseable {
    private final Handle kept;

    private Kept(long object) {
      NativeObjects.keep(handle.get(), object);
      this.kept = new Handle(object, "this", o -> NativeObjects.release(handle.get(), o));
    }

    /**
     * Which one.
     *
     * @return a reference
     */
    public long reference() {
      return kept.get();
    }

    /** Releases it. */
    @Override
    public void close() {
      kept.close();
    }
  }

  /** A monitor that a thread is in. */
  public final class Monitor implements AutoCloseable {
    private final long object;
    private boolean isLeft;

    private Monitor(long object) {
      this.object = object;
    }

    /**
     * Leaves the monitor until it is notified, or a time has passed; then enters it again.
     *
     * @param timeout the time; null: as long as it takes
     * @return whether it was notified
     */
    public boolean await(Duration timeout) {
      return NativeObjects.await(handle.get(), object, Native.nanosOf(timeout));
    }

    /** Wakes the thread that has waited longest, once this one leaves the monitor. */
    public void signal() {
      NativeObjects.signal(handle.get(), object, false);
    }

    /** Wakes all threads that wait, once this one leaves the monitor. */
    public void signalAll() {
      NativeObjects.signal(handle.get(), object, true);
    }

    /** Leaves the monitor. */
    @Override
    public void close() {
      if (isLeft) return;
      NativeObjects.exit(handle.get(), object);
      isLeft = true;
    }
  }
}
