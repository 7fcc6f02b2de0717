package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.reflect.Array;

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
    final Object[] twin = (Object[]) m.twin;
    for (int i = 0; i < raw.length;) {
      final long from = elements(m, i, raw.length, false);
      // First all of them: to look one up may need the memory that this copy has.
      final long[] places = new long[Math.min(found(), raw.length - i)];
      for (int k = 0; k < places.length; k++) places[k] = U.getLong(from + 8L * k);
      for (int k = 0; k < places.length; k++, i++) {
        if (!m.seesOther(i, raw.length, places[k])) continue;
        elements.changed++;
        if (twin != null && raw[i] != twin[i]) elements.raced++;
        final Object value = Space.objectOf(places[k]);
        raw[i] = value;
        if (twin != null) twin[i] = value;
      }
    }
  }
}
