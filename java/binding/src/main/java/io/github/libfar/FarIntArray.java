package io.github.libfar;

import java.nio.IntBuffer;
import java.util.Objects;

/** A distributed array of ints. */
public final class FarIntArray extends FarArray {
  /**
   * Collective: makes an array.
   *
   * @param job the job
   * @param length its number of elements
   */
  public FarIntArray(Job job, long length) {
    super(job, length, Integer.BYTES);
  }

  /**
   * An element.
   *
   * @param i its number
   * @return its value
   */
  public int get(long i) {
    return (int) Native.getWord(placeOf(i), width);
  }

  /**
   * Sets an element.
   *
   * @param i its number
   * @param value its value from here on
   */
  public void set(long i, int value) {
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
  public void get(long from, int[] to, int offset, int count) {
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
  public void set(long to, int[] from, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, from.length);
    transfer(to, from, offset, count, true);
  }

  /**
   * The elements of this rank, as they are in memory, while others do not change them. Must not be
   * used after the array has been closed, or the job left.
   *
   * @return a view of them
   */
  public IntBuffer local() {
    return localBytes().asIntBuffer();
  }

  /**
   * Adds to an element, atomically.
   *
   * @param i its number
   * @param more what to add; wraps around
   * @return its value before
   */
  public int getAndAdd(long i, int more) {
    return (int) Native.atomic(placeOf(i), width, Native.ADD, more, 0);
  }

  /**
   * Sets an element, atomically.
   *
   * @param i its number
   * @param value its value from here on
   * @return its value before
   */
  public int getAndSet(long i, int value) {
    return (int) Native.atomic(placeOf(i), width, Native.EXCHANGE, value, 0);
  }

  /**
   * Sets an element if it has a value, atomically.
   *
   * @param i its number
   * @param expected that value
   * @param value its value from here on
   * @return whether it had
   */
  public boolean compareAndSet(long i, int expected, int value) {
    return (int) Native.atomic(placeOf(i), width, Native.COMPARE_EXCHANGE, value, expected)
        == expected;
  }
}
