package io.github.libfar.shared;

import java.util.List;

/** What arrays of numbers and of references have in common: the first elements are the header. */
abstract class ArrayObjects extends Kind {
  private final long farType;
  private final int headElements;
  private final long[] count = new long[1];
  /** Of all elements. */
  final Tally elements;

  ArrayObjects(Class<?> arrays, int width, boolean references) {
    super(arrays.getName());
    elements = new Tally(arrays.getTypeName(), "elements");
    farType = references ? Records.REFERENCES : Records.ofWidth(width);
    headElements = HEAD_BYTES / width;
  }

  @Override
  long make(Shared o) {
    return Native.make(farType, headElements + (long) length(o));
  }

  @Override
  int length(Shared o) {
    return ((SharedArray) o).length();
  }

  @Override
  long bytes(Shared o) {
    return (long) length(o) * HEAD_BYTES / headElements;
  }

  @Override
  long header(long place, boolean write) {
    return Native.elements(place, farType, 0, write, count);
  }

  @Override
  List<Tally> tallies() {
    return List.of(elements);
  }

  /** The address of element i of n; found() of them are there. */
  long elements(Mirror m, int i, int n, boolean write) {
    if (m.whole) {
      count[0] = n - i;
      return m.address + (headElements + (long) i) * HEAD_BYTES / headElements;
    }
    final long at = Native.elements(m.place, farType, headElements + (long) i, write, count);
    m.whole = i == 0 && count[0] >= n && at == m.address + HEAD_BYTES;
    return at;
  }

  int found() {
    return (int) Math.min(count[0], Integer.MAX_VALUE);
  }
}
