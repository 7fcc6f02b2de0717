package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

/**
 * The stamp of an array of numbers, where ranks work on one memory: a word of its header that tells
 * who uses its elements. It is one of
 *
 * <pre>
 *   {stamp : 48, open : 14, looked : 1, 1}   the elements are in the space
 *   {era : 32, rank + 1 : 31, 0}             that rank has them alone: see Alone
 *   0                                        the array is being published
 * </pre>
 *
 * <p>{@code open} is the number of ranks that may have written what they have not put into the space
 * yet. A rank takes an array for itself by one compare-and-set, which fails if another one is
 * counted: so who is counted may write the elements in the space. Who has looked may read them, for
 * nobody takes values away: what is written there later is newer. {@code looked}, whether a rank has
 * since the stamp was set, tells whether it is worth it to take the array.
 */
final class UseWord {
  private static final long IN_SPACE = 1;
  private static final long LOOKED = 2;
  private static final long OPEN = 4;
  private static final long ALL_OPEN = 0xfffc;
  private static final long STAMP = ~0xffffL;
  /** What look returns if a rank has the elements alone: no stamp. */
  static final long ELSEWHERE = 1;

  static long newStamp(long random) {
    return random & STAMP | STAMP & -STAMP;
  }

  static long load(long address) {
    return U.getLongVolatile(null, address);
  }

  static boolean isAlone(long word) {
    return word != 0 && (word & IN_SPACE) == 0;
  }

  /** The rank that has the elements alone. */
  static int rank(long word) {
    return (int) ((word & 0xffffffffL) >> 1) - 1;
  }

  /** Before elements are read, by a rank that has seen all up to a stamp. Returns the stamp now. */
  static long look(long address, long seen) {
    for (;;) {
      final long word = load(address);
      if (isAlone(word)) return ELSEWHERE;
      final long stamp = word & STAMP;
      if (stamp == seen || (word & LOOKED) != 0) return stamp;
      if (U.compareAndSetLong(null, address, word, word | LOOKED)) return stamp;
    }
  }

  /** Before a rank writes elements. False: another one has them alone. */
  static boolean open(long address) {
    for (;;) {
      final long word = load(address);
      if (isAlone(word)) return false;
      if (U.compareAndSetLong(null, address, word, (word | IN_SPACE) + OPEN)) return true;
    }
  }

  /** All that the rank has written since is in the space. */
  static void close(long address) {
    U.getAndAddLong(null, address, -OPEN);
  }

  /** After a change in the space, of a rank that is counted. Returns the word as it was. */
  static long stamp(long address, long stamp) {
    for (;;) {
      final long word = load(address);
      final long now = stamp | word & ALL_OPEN | IN_SPACE;
      if (U.compareAndSetLong(null, address, word, now)) return word;
    }
  }

  static long stampOf(long word) {
    return word & STAMP;
  }

  /** Whether no rank has looked since the stamp was set. */
  static boolean isUnseen(long word) {
    return (word & LOOKED) == 0;
  }

  /** The rank, which is counted and has set the stamp, gets the elements alone, unless others use them. */
  static boolean take(long address, long stamp, long era) {
    final long alone = era << 32 | (Job.RANK + 1L) << 1;
    return U.compareAndSetLong(null, address, stamp | OPEN | IN_SPACE, alone);
  }

  /** The elements are in the space again. The rank is counted, and somebody is going to read them. */
  static void leave(long address, long stamp) {
    U.putLongVolatile(null, address, stamp | OPEN | LOOKED | IN_SPACE);
  }

  private UseWord() {}
}
