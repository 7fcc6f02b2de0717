package io.github.libfar;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * An array whose elements are distributed over the ranks, in blocks of equal length: rank 0 has the
 * first, and so on. Elements begin as 0. An access to another rank's element is an instruction on one
 * machine, and a message each way between machines; ranges of many elements cost little more.
 *
 * <p>Elements are read and written whole. Other ranks see what a thread has set once the call has
 * returned.
 */
public abstract sealed class FarArray implements AutoCloseable
    permits FarDoubleArray, FarIntArray, FarLongArray {
  private final Handle handle;
  private final long length;
  private final long perRank;
  private final int rank;
  final int width;

  FarArray(Job job, long length, int width) {
    if (length < 0) throw new IllegalArgumentException("an array of " + length + " elements");
    this.length = length;
    this.width = width;
    this.rank = job.rank();
    this.perRank = (length + job.size() - 1) / job.size();
    long bytes = Math.multiplyExact(Math.max(perRank, 1), width);
    this.handle = new Handle(Native.allocate(bytes), "the array", Native::free);
  }

  /**
   * The number of elements of all ranks.
   *
   * @return at least 0
   */
  public final long length() {
    return length;
  }

  /**
   * The rank that has an element.
   *
   * @param i the element
   * @return the rank
   */
  public final int ownerOf(long i) {
    return (int) (Objects.checkIndex(i, length) / perRank);
  }

  /**
   * The first element that this rank has; it has those up to {@link #localEnd}.
   *
   * @return its number
   */
  public final long localBegin() {
    return Math.min(length, rank * perRank);
  }

  /**
   * The end of what this rank has.
   *
   * @return the first element behind it
   */
  public final long localEnd() {
    return Math.min(length, (rank + 1) * perRank);
  }

  /** This rank's elements in memory. Not to be used after the array is closed, or the job left. */
  final ByteBuffer localBytes() {
    long bytes = (localEnd() - localBegin()) * width;
    return Native.local(handle.get(), bytes).order(ByteOrder.nativeOrder());
  }

  /** Where an element is. */
  final long placeOf(long i) {
    Objects.checkIndex(i, length);
    return Native.placeOn(handle.get(), (int) (i / perRank), i % perRank * width);
  }

  /** Copies elements between the array and a Java array, block by block. */
  final void transfer(long from, Object array, int offset, int count, boolean puts) {
    Objects.checkFromIndexSize(from, count, length);
    for (int done = 0; done < count; ) {
      long i = from + done;
      int some = (int) Math.min(count - done, perRank - i % perRank);
      Native.transfer(placeOf(i), array, offset + done, some, width, puts);
      done += some;
    }
  }

  /** This rank does not use it any more. Never waits. */
  @Override
  public final void close() {
    handle.close();
  }
}
