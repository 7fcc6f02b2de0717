package io.github.libfar;

import java.nio.DoubleBuffer;
import java.util.Objects;

/** A distributed array of doubles. */
public final class FarDoubleArray extends FarArray {
  /**
   * Collective: makes an array.
   *
   * @param job the job
   * @param length its number of elements
   */
  public FarDoubleArray(Job job, long length) {
    super(job, length, Double.BYTES);
  }

  /**
   * An element.
   *
   * @param i its number
   * @return its value
   */
  public double get(long i) {
    return Double.longBitsToDouble(Native.getWord(placeOf(i), width));
  }

  /**
   * Sets an element.
   *
   * @param i its number
   * @param value its value from here on
   */
  public void set(long i, double value) {
    Native.putWord(placeOf(i), width, Double.doubleToRawLongBits(value));
  }

  /**
   * Copies elements to a Java array.
   *
   * @param from the first one
   * @param to where they go
   * @param offset in that
   * @param count how many
   */
  public void get(long from, double[] to, int offset, int count) {
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
  public void set(long to, double[] from, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, from.length);
    transfer(to, from, offset, count, true);
  }

  /**
   * The elements of this rank, as they are in memory, while others do not change them. Must not be
   * used after the array has been closed, or the job left.
   *
   * @return a view of them
   */
  public DoubleBuffer local() {
    return localBytes().asDoubleBuffer();
  }
}
