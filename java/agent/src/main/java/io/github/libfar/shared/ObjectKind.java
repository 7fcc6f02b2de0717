package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Objects of a class with fields. */
final class ObjectKind extends Kind {
  /**
   * A field: where it is in Java objects and in the space, its width (0: a reference), whether what
   * it refers to may stay elsewhere, and what has happened to it.
   */
  record Field(String name, long java, int far, int width, boolean mayStay, Tally tally) {}

  private record Twin(long[] numbers, Object[] references) {}

  private final Class<?> type;
  private final long farType;
  private boolean isInitialized;
  private final Field[] numbers;
  private final Field[] references;
  private final Map<String, Field> volatiles = new HashMap<>();

  ObjectKind(Class<?> type, Layout layout) {
    super(type.getName());
    this.type = type;
    numbers = layout.numbers().toArray(new Field[0]);
    references = layout.references().toArray(new Field[0]);
    for (Field f : layout.volatiles()) volatiles.put(f.name(), f);
    farType = Native.type("java:" + name, layout.size(), layout.offsets(), layout.widths());
  }

  long farType() {
    return farType;
  }

  /** A volatile field: its word is at {@code far()}, whatever its type. */
  Field volatileField(String field) {
    return volatiles.get(field);
  }

  @Override
  long make(Shared o) {
    final long place = Native.make(farType, -1);
    final long address = Native.at(place, farType, true);
    for (Field f : volatiles.values()) {
      if (f.width() != 0) U.putLong(address + f.far(), number(o, f));
    }
    return place;
  }

  /** References in volatile fields, once the object is known: they may lead back to it. */
  @Override
  Mirror publish(Shared o) {
    final Mirror m = super.publish(o);
    Space.add(o, m);
    for (Field f : volatiles.values()) {
      if (f.width() != 0) continue;
      final long to = Space.placeOf(U.getReference(o, f.java()), this, f.name());
      U.putLong(header(m, true) + f.far(), to);
    }
    return m;
  }

  @Override
  Shared allocate(int length) {
    if (!isInitialized) Uninitialized.check(type);
    try {
      final Shared made = (Shared) U.allocateInstance(type);
      if (made instanceof Throwable t) Throwables.enableSuppression(t);
      isInitialized = isInitialized || !U.shouldBeInitialized(type);
      return made;
    } catch (InstantiationException e) {
      throw Job.fail("cannot make an object of " + type.getName() + ": " + e);
    }
  }

  @Override
  long header(long place, boolean write) {
    return Native.at(place, farType, write);
  }

  @Override
  List<Tally> tallies() {
    return Stream.of(numbers, references).flatMap(Stream::of).map(Field::tally).toList();
  }

  @Override
  List<Object> references(Shared o) {
    final List<Object> all = new ArrayList<>();
    for (Field f : references) all.add(U.getReference(o, f.java()));
    for (Field f : volatiles.values()) {
      if (f.width() == 0) all.add(U.getReference(o, f.java()));
    }
    return all;
  }

  @Override
  void copyVolatiles(Shared o, Mirror m) {
    for (Field f : volatiles.values()) {
      final long value = Native.load(m.place, f.far());
      if (f.width() == 0) {
        U.putReference(o, f.java(), Space.objectOf(value));
      } else {
        put(o, f.java(), f.width(), value);
      }
    }
  }

  @Override
  Twin twin(Shared o) {
    final Twin t = blank(o);
    for (int k = 0; k < numbers.length; k++) t.numbers[k] = number(o, numbers[k]);
    for (int k = 0; k < references.length; k++) {
      t.references[k] = U.getReference(o, references[k].java());
    }
    return t;
  }

  @Override
  Twin blank(Shared o) {
    return new Twin(new long[numbers.length], new Object[references.length]);
  }

  private static long number(Object o, Field f) {
    return switch (f.width()) {
      case 8 -> U.getLong(o, f.java());
      case 4 -> U.getInt(o, f.java());
      case 2 -> U.getShort(o, f.java());
      default -> U.getByte(o, f.java());
    };
  }

  private static void put(Object o, long at, int width, long value) {
    switch (width) {
      case 8 -> U.putLong(o, at, value);
      case 4 -> U.putInt(o, at, (int) value);
      case 2 -> U.putShort(o, at, (short) value);
      default -> U.putByte(o, at, (byte) value);
    }
  }

  private static long far(long at, int width) {
    return switch (width) {
      case 8 -> U.getLong(at);
      case 4 -> U.getInt(at);
      case 2 -> U.getShort(at);
      default -> U.getByte(at);
    };
  }

  @Override
  void pack(Shared o, Mirror m) {
    final Twin twin = (Twin) m.twin;
    boolean changed = twin == null;
    for (int k = 0; k < references.length; k++) {
      final Field f = references[k];
      final Object value = U.getReference(o, f.java());
      if (twin == null ? value == null : value == twin.references[k]) continue;
      final long place = Space.placeOf(value, this, f.name(), f.mayStay());
      final long to = header(m, true) + f.far();
      if (m.seesOther(k, references.length, U.getLong(to)) && twin != null) f.tally().raced++;
      f.tally().written++;
      U.putLong(to, place);
      m.seesOther(k, references.length, place);
      if (twin != null) twin.references[k] = value;
      changed = true;
    }
    long address = 0;
    for (int k = 0; k < numbers.length; k++) {
      final Field f = numbers[k];
      final long value = number(o, f);
      if (twin == null ? value == 0 : value == twin.numbers[k]) continue;
      if (address == 0) address = header(m, true);
      if (twin != null && far(address + f.far(), f.width()) != twin.numbers[k]) f.tally().raced++;
      f.tally().written++;
      put(null, address + f.far(), f.width(), value);
      if (twin != null) twin.numbers[k] = value;
      changed = true;
    }
    if (changed) stamp(m);
  }

  @Override
  void unpack(Shared o, Mirror m) {
    if (isCurrent(m)) return;
    final Twin twin = (Twin) m.twin;
    final long address = header(m, false);
    for (int k = 0; k < numbers.length; k++) {
      final Field f = numbers[k];
      final long value = far(address + f.far(), f.width());
      if (value == (twin == null ? number(o, f) : twin.numbers[k])) continue;
      if (twin != null && number(o, f) != twin.numbers[k]) f.tally().raced++;
      f.tally().changed++;
      put(o, f.java(), f.width(), value);
      if (twin != null) twin.numbers[k] = value;
    }
    // First all of them: to look one up may need the memory that this copy has.
    final long[] places = new long[references.length];
    for (int k = 0; k < places.length; k++) places[k] = U.getLong(address + references[k].far());
    for (int k = 0; k < references.length; k++) {
      final Field f = references[k];
      if (!m.seesOther(k, references.length, places[k])) continue;
      final Object value = m.objectAt(k, places[k]);
      f.tally().changed++;
      if (twin != null && U.getReference(o, f.java()) != twin.references[k]) f.tally().raced++;
      U.putReference(o, f.java(), value);
      if (twin != null) twin.references[k] = value;
    }
  }
}
