package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.reflect.Array;
import jdk.internal.util.ArraysSupport;

/** Arrays of one primitive type. */
final class NumberArrays extends ArrayObjects {
  private final ArrayKind array;
  private final long base;
  private final int shift;
  /** So many equal elements end a run of some that differ. */
  private static final int NEAR = 16;

  NumberArrays(ArrayKind array) {
    super(array.element.arrayType(), array.width, false);
    this.array = array;
    base = Unsafes.arrayBase(array.element.arrayType());
    shift = Integer.numberOfTrailingZeros(array.width);
  }

  @Override
  Shared allocate(int length) {
    return array.wrap(Array.newInstance(array.element, length));
  }

  @Override
  boolean keepsTwin() {
    return true;
  }

  @Override
  Object twin(Shared o) {
    final Object raw = ((SharedArray) o).raw();
    final int n = Array.getLength(raw);
    final Object copy = Array.newInstance(array.element, n);
    System.arraycopy(raw, 0, copy, 0, n);
    return copy;
  }

  /** The next element from i on that differs, or n. */
  private int mismatch(Object a, Object b, int i, int n) {
    if (i >= n) return n;
    final long at = base + ((long) i << shift);
    final int found = ArraysSupport.vectorizedMismatch(a, at, b, at, n - i, shift);
    if (found >= 0) return i + found;
    // All but the last few bytes are equal; ~found elements are left.
    for (int k = n - ~found; k < n; k++) {
      if (!equal(a, b, k)) return k;
    }
    return n;
  }

  private boolean equal(Object a, Object b, int i) {
    final long at = base + ((long) i << shift);
    return element(a, at) == element(b, at);
  }

  private long element(Object array, long at) {
    return switch (shift) {
      case 3 -> U.getLong(array, at);
      case 2 -> U.getInt(array, at);
      case 1 -> U.getShort(array, at);
      default -> U.getByte(array, at);
    };
  }

  /** For Explain, before what this rank has written is passed on, or what others have is taken. */
  private void tally(Object raw, Object twin, int begin, int end, long far, boolean packs) {
    for (int i = begin; i < end; i++) {
      final long offset = (long) i << shift;
      final long before = element(twin, base + offset);
      final boolean here = element(raw, base + offset) != before;
      final boolean there = element(null, far + offset) != before;
      if (packs && here) elements.written++;
      if (!packs && there) elements.changed++;
      if (here && there) elements.raced++;
    }
  }

  @Override
  void pack(Shared o, Mirror m) {
    final Object raw = ((SharedArray) o).raw();
    final int n = Array.getLength(raw);
    final Object twin = m.twin;
    if (twin == null) {
      write(m, raw, 0, n);
      stamp(m);
      return;
    }
    int i = mismatch(raw, twin, 0, n);
    if (i == n) return;
    while (i < n) {
      final long to = elements(m, i, n, true) - ((long) i << shift);
      final int end = i + Math.min(found(), n - i);
      if (Explain.ON) tally(raw, twin, i, end, to, true);
      writeDifferent(raw, twin, i, end, to);
      i = mismatch(raw, twin, end, n);
    }
    stamp(m);
  }

  /**
   * Not an element more than those that differ: others may have written the rest. Near one that
   * differs there are likely to be others, so those are looked at one by one.
   */
  private void writeDifferent(Object raw, Object twin, int begin, int end, long far) {
    for (int i = begin; i < end;) {
      final int last = switch (shift) {
        case 3 -> writeLongs(raw, twin, i, end, far);
        case 2 -> writeInts(raw, twin, i, end, far);
        case 1 -> writeShorts(raw, twin, i, end, far);
        default -> writeBytes(raw, twin, i, end, far);
      };
      i = mismatch(raw, twin, last, end);
    }
  }

  /** Up to NEAR equal elements. Returns where it has stopped. The others are the same. */
  private int writeLongs(Object raw, Object twin, int i, int end, long far) {
    for (int equal = 0; i < end && equal < NEAR; i++) {
      final long at = base + ((long) i << 3);
      final long v = U.getLong(raw, at);
      equal++;
      if (v == U.getLong(twin, at)) continue;
      equal = 0;
      U.putLong(twin, at, v);
      U.putLong(far + ((long) i << 3), v);
    }
    return i;
  }

  private int writeInts(Object raw, Object twin, int i, int end, long far) {
    for (int equal = 0; i < end && equal < NEAR; i++) {
      final long at = base + ((long) i << 2);
      final int v = U.getInt(raw, at);
      equal++;
      if (v == U.getInt(twin, at)) continue;
      equal = 0;
      U.putInt(twin, at, v);
      U.putInt(far + ((long) i << 2), v);
    }
    return i;
  }

  private int writeShorts(Object raw, Object twin, int i, int end, long far) {
    for (int equal = 0; i < end && equal < NEAR; i++) {
      final long at = base + ((long) i << 1);
      final short v = U.getShort(raw, at);
      equal++;
      if (v == U.getShort(twin, at)) continue;
      equal = 0;
      U.putShort(twin, at, v);
      U.putShort(far + ((long) i << 1), v);
    }
    return i;
  }

  private int writeBytes(Object raw, Object twin, int i, int end, long far) {
    for (int equal = 0; i < end && equal < NEAR; i++) {
      final long at = base + i;
      final byte v = U.getByte(raw, at);
      equal++;
      if (v == U.getByte(twin, at)) continue;
      equal = 0;
      U.putByte(twin, at, v);
      U.putByte(far + i, v);
    }
    return i;
  }

  private void write(Mirror m, Object from, int begin, int end) {
    for (int i = begin; i < end;) {
      final long to = elements(m, i, end, true);
      final int n = Math.min(found(), end - i);
      U.copyMemory(from, base + ((long) i << shift), null, to, (long) n << shift);
      i += n;
    }
  }

  @Override
  void unpack(Shared o, Mirror m) {
    if (isCurrent(m)) return;
    final Object raw = ((SharedArray) o).raw();
    final int length = Array.getLength(raw);
    for (int i = 0; i < length;) {
      final long from = elements(m, i, length, false);
      final int n = Math.min(found(), length - i);
      if (Explain.ON) {
        tally(raw, m.twin == null ? raw : m.twin, i, i + n, from - ((long) i << shift), false);
      }
      if (m.isWritten()) {
        merge(from, raw, m.twin, i, n);
      } else {
        final long at = base + ((long) i << shift);
        U.copyMemory(null, from, raw, at, (long) n << shift);
        if (m.twin != null) U.copyMemory(raw, at, m.twin, at, (long) n << shift);
      }
      i += n;
    }
  }

  private void merge(long from, Object raw, Object twin, int i, int n) {
    for (int k = 0; k < n; k++) {
      final long at = base + ((long) (i + k) << shift);
      final long far = from + ((long) k << shift);
      switch (shift) {
        case 3 -> {
          final long v = U.getLong(far);
          if (v != U.getLong(twin, at)) {
            U.putLong(raw, at, v);
            U.putLong(twin, at, v);
          }
        }
        case 2 -> {
          final int v = U.getInt(far);
          if (v != U.getInt(twin, at)) {
            U.putInt(raw, at, v);
            U.putInt(twin, at, v);
          }
        }
        case 1 -> {
          final short v = U.getShort(far);
          if (v != U.getShort(twin, at)) {
            U.putShort(raw, at, v);
            U.putShort(twin, at, v);
          }
        }
        default -> {
          final byte v = U.getByte(far);
          if (v != U.getByte(twin, at)) {
            U.putByte(raw, at, v);
            U.putByte(twin, at, v);
          }
        }
      }
    }
  }
}
