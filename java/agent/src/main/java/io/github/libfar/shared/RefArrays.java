package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;

/** Arrays of references to objects of one class. */
final class RefArrays extends ArrayObjects {
  private final Class<?> element;

  RefArrays(Class<?> raw) {
    super(raw, 8, true);
    element = raw.getComponentType();
  }

  @Override
  Shared allocate(int length) {
    return ArrayKind.REF.wrap(Array.newInstance(element, length));
  }

  @Override
  List<Object> references(Shared o) {
    return Arrays.asList((Object[]) ((SharedArray) o).raw());
  }

  @Override
  Object twin(Shared o) {
    return ((Object[]) ((SharedArray) o).raw()).clone();
  }

  @Override
  Object blank(Shared o) {
    return Array.newInstance(element, length(o));
  }

  @Override
  void pack(Shared o, Mirror m) {
    final Object[] raw = (Object[]) ((SharedArray) o).raw();
    final Object[] twin = (Object[]) m.twin;
    boolean changed = twin == null;
    for (int i = 0; i < raw.length; i++) {
      final Object value = raw[i];
      if (twin == null ? value == null : value == twin[i]) continue;
      final long place = Space.placeOf(value, this, "an element");
      final long to = elements(m, i, raw.length, true);
      if (m.seesOther(i, raw.length, U.getLong(to)) && twin != null) elements.raced++;
      elements.written++;
      U.putLong(to, place);
      m.seesOther(i, raw.length, place);
      if (twin != null) twin[i] = value;
      changed = true;
    }
    if (changed) stamp(m);
  }

  @Override
  void unpack(Shared o, Mirror m) {
    if (isCurrent(m)) return;
    final Object[] raw = (Object[]) ((SharedArray) o).raw();
    final long[] seen = m.seen(raw.length);
    for (int begin = 0; begin < raw.length;) {
      final long from = elements(m, begin, raw.length, false) - 8L * begin;
      final int end = begin + Math.min(found(), raw.length - begin);
      // First all of them: to look one up may need the memory that this copy has.
      final int[] changed = takeOthers(seen, from, begin, end);
      for (int k = 0; k < changed.length; k++) {
        final int i = changed[k];
        final Object value;
        try {
          value = m.objectAt(i, seen[i]);
        } catch (Uninitialized e) {
          for (int j : Arrays.copyOfRange(changed, k, changed.length)) seen[j] = Mirror.UNSEEN;
          throw e;
        }
        take(raw, (Object[]) m.twin, i, value);
      }
      elements.changed += changed.length;
      begin = end;
    }
  }

  /** The indices of the references that differ from those that the rank has seen, which follow. */
  private static int[] takeOthers(long[] seen, long from, int begin, int end) {
    int[] changed = new int[16];
    int n = 0;
    for (int i = begin; i < end; i++) {
      long place = U.getLong(from + 8L * i);
      if (place == seen[i]) {
        i = Native.nextDifferent(seen, from, i + 1, end);
        if (i == end) break;
        place = U.getLong(from + 8L * i);
      }
      seen[i] = place;
      if (n == changed.length) changed = Arrays.copyOf(changed, 2 * n);
      changed[n++] = i;
    }
    return Arrays.copyOf(changed, n);
  }

  private void take(Object[] raw, Object[] twin, int i, Object value) {
    if (twin != null && raw[i] != twin[i]) elements.raced++;
    raw[i] = value;
    if (twin != null) twin[i] = value;
  }
}
