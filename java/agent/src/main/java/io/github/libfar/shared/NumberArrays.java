package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.reflect.Array;

/** Arrays of one primitive type. */
final class NumberArrays extends ArrayObjects {
  private final ArrayKind array;
  private final long base;
  private final int shift;

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
    final Object copy = U.allocateUninitializedArray(array.element, n);
    System.arraycopy(raw, 0, copy, 0, n);
    return copy;
  }

  @Override
  void renewTwin(Shared o, Mirror m) {
    System.arraycopy(((SharedArray) o).raw(), 0, m.twin, 0, length(o));
    m.twinIsOld = false;
  }

  @Override
  Object blank(Shared o) {
    return Array.newInstance(array.element, length(o));
  }

  // ---- who uses the elements, where ranks work on one memory

  private long useWord(Mirror m) {
    return header(m, true) + HEAD_STAMP;
  }

  @Override
  boolean look(Mirror m) {
    if (!Space.COHERENT) return true;
    m.looked = UseWord.look(useWord(m), m.stamp);
    return m.looked != UseWord.ELSEWHERE;
  }

  @Override
  boolean isCurrent(Mirror m) {
    if (Space.COHERENT && m.looked == m.stamp && m.stamp != 0) return true;
    m.stamp = m.looked;
    read++;
    return false;
  }

  @Override
  boolean beginWrites(Mirror m) {
    if (!Space.COHERENT || m.counted) return true;
    m.counted = UseWord.open(useWord(m));
    return m.counted;
  }

  @Override
  void endWrites(Mirror m) {
    if (!m.counted) return;
    UseWord.close(useWord(m));
    m.counted = false;
  }

  @Override
  void stamp(Mirror m) {
    if (!Space.COHERENT) return;
    final long stamp = UseWord.newStamp(Space.newStamp());
    final long before = UseWord.stamp(useWord(m), stamp);
    final long seen = UseWord.stampOf(before);
    // Another rank's change that this one has not seen has left its stamp.
    final boolean isLast = seen == m.stamp || seen == 0;
    m.stamp = isLast ? stamp : 0;
    m.unseen = isLast && UseWord.isUnseen(before) ? m.unseen + 1 : 0;
  }

  @Override
  boolean takeAlone(Shared o, Mirror m) {
    if (m.unseen == 0 || m.stamp == 0 || !Alone.isTime(m, bytes(o))) return false;
    if (!UseWord.take(useWord(m), m.stamp, Alone.newEra())) return false;
    m.counted = false;
    m.unseen = 0;
    Alone.add(o, m);
    return true;
  }

  @Override
  void leaveAlone(Mirror m) {
    final int n = Array.getLength(m.twin);
    for (int i = 0; i < n;) {
      final long to = first(m, i, n, true);
      final int end = i + Math.min(found(), n - i);
      U.copyMemory(m.twin, base + bytes(i), null, to + bytes(i), bytes(end - i));
      i = end;
    }
    m.stamp = UseWord.newStamp(Space.newStamp());
    m.counted = true;
    UseWord.leave(useWord(m), m.stamp);
  }

  // ---- values

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
      for (int i = 0; i < n;) {
        final long to = first(m, i, n, true);
        final int end = i + Math.min(found(), n - i);
        Native.writeNotZero(raw, to, bytes(i), bytes(end));
        i = end;
      }
      stamp(m);
      return;
    }
    int i = mismatch(raw, twin, 0, n);
    if (i == n) return;
    while (i < n) {
      final long to = first(m, i, n, true);
      final int end = i + Math.min(found(), n - i);
      if (Explain.ON) tally(raw, twin, i, end, to, true);
      Native.writeDifferent(raw, twin, to, bytes(i), bytes(end), array.width);
      i = mismatch(raw, twin, end, n);
    }
    stamp(m);
  }

  /** The next element from i on that differs, or n. */
  private int mismatch(Object a, Object b, int i, int n) {
    return (int) (Native.mismatch(a, b, bytes(i), bytes(n)) >> shift);
  }

  private long bytes(int n) {
    return (long) n << shift;
  }

  /** The address of the first element of all, if they were where element i is. */
  private long first(Mirror m, int i, int n, boolean write) {
    return elements(m, i, n, write) - bytes(i);
  }

  @Override
  void unpack(Shared o, Mirror m) {
    if (isCurrent(m)) return;
    final Object raw = ((SharedArray) o).raw();
    final int length = Array.getLength(raw);
    for (int i = 0; i < length;) {
      final long from = first(m, i, length, false);
      final int end = i + Math.min(found(), length - i);
      if (Explain.ON) tally(raw, m.isWritten() ? m.twin : raw, i, end, from, false);
      if (m.isWritten()) {
        Native.readDifferent(raw, m.twin, from, bytes(i), bytes(end), array.width);
      } else {
        U.copyMemory(null, from + bytes(i), raw, base + bytes(i), bytes(end - i));
        m.twinIsOld = true;
      }
      i = end;
    }
  }
}
