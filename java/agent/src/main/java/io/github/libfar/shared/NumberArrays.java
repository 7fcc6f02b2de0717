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
      final long to = elements(m.place, i, true) - ((long) i << shift);
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
    int equal = 0;
    for (int i = begin; i < end; i++) {
      final long offset = (long) i << shift;
      equal = copyDifferent(raw, twin, base + offset, far + offset) ? 0 : equal + 1;
      if (equal == NEAR) {
        i = mismatch(raw, twin, i + 1, end) - 1;
        equal = 0;
      }
    }
  }

  private boolean copyDifferent(Object raw, Object twin, long at, long far) {
    switch (shift) {
      case 3 -> {
        final long v = U.getLong(raw, at);
        if (v == U.getLong(twin, at)) return false;
        U.putLong(twin, at, v);
        U.putLong(far, v);
      }
      case 2 -> {
        final int v = U.getInt(raw, at);
        if (v == U.getInt(twin, at)) return false;
        U.putInt(twin, at, v);
        U.putInt(far, v);
      }
      case 1 -> {
        final short v = U.getShort(raw, at);
        if (v == U.getShort(twin, at)) return false;
        U.putShort(twin, at, v);
        U.putShort(far, v);
      }
      default -> {
        final byte v = U.getByte(raw, at);
        if (v == U.getByte(twin, at)) return false;
        U.putByte(twin, at, v);
        U.putByte(far, v);
      }
    }
    return true;
  }

  private void write(Mirror m, Object from, int begin, int end) {
    for (int i = begin; i < end;) {
      final long to = elements(m.place, i, true);
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
      final long from = elements(m.place, i, false);
      final int n = Math.min(found(), length - i);
      if (Explain.ON) {
        tally(raw, m.twin == null ? raw : m.twin, i, i + n, from - ((long) i << shift), false);
      }
      if (m.twin == null) {
        U.copyMemory(null, from, raw, base + ((long) i << shift), (long) n << shift);
      } else {
        merge(from, raw, m.twin, i, n);
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
