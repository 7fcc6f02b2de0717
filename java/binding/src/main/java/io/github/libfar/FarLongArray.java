package io.github.libfar;

import java.nio.LongBuffer;
import java.util.Objects;

/** A distributed array of longs. */
public final class FarLongArray extends FarArray {
  /**
   * Collective: makes an array.
   *
   * @param job the job
   * @param length its number of elements
   */
  public FarLongArray(Job job, long length) {
    super(job, length, Long.BYTES);
  }

  /**
   * An element.
   *
   * @param i its number
   * @return its value
   */
  public long get(long i) {
    return Native.getWord(placeOf(i), width);
  }

  /**
   * Sets an element.
   *
   * @param i its number
   * @param value its value from here on
   */
  public void set(long i, long value) {
    Native.putWord(placeOf(i), width, value);
  }

  /**
   * Copies elements to a Java array.
   *
   * @param from the first one
   * @param to where they go
   * @param offset in that
   * @param count how many
   */
  public void get(long from, long[] to, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, to.length);
    transfer(from, to, offset, count, false);
  }

  /**
   * Sets elements from a Java array.
   *
   * @param to the first one
   * @param from where they come from
   * @param offset in that
   * @param count how many
   */
  public void set(long to, long[] from, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, from.length);
    transfer(to, from, offset, count, true);
  }

  /**
   * The elements of this rank, as they are in memory, while others do not change them. Must not be
   * used after the array has been closed, or the job left.
   *
   * @return a view of them
   */
  public LongBuffer local() {
    return localBytes().asLongBuffer();
  }

  /**
   * Adds to an element, atomically.
   *
   * @param i its number
   * @param more what to add; wraps around
   * @return its value before
   */
  public long getAndAdd(long i, long more) {
    return Native.atomic(placeOf(i), width, Native.ADD, more, 0);
  }

  /**
   * Sets an element, atomically.
   *
   * @param i its number
   * @param value its value from here on
   * @return its value before
   */
  public long getAndSet(long i, long value) {
    return Native.atomic(placeOf(i), width, Native.EXCHANGE, value, 0);
  }

  /**
   * Sets an element if it has a value, atomically.
   *
   * @param i its number
   * @param expected that value
   * @param value its value from here on
   * @return whether it had
   */
  public boolean compareAndSet(long i, long expected, long value) {
    return Native.atomic(placeOf(i), width, Native.COMPARE_EXCHANGE, value, expected)
        == expected;
  }
}
