package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;

/** A volatile field of the program's objects, which an updater knows by its name. */
public final class VolatileField extends SharedObject {
  private final Class<?> owner;
  private final String name;
  private final boolean isInt;

  /** Throws what the JDK's updaters do if there is no such field of that type. */
  public VolatileField(Class<?> owner, String name, Class<?> type) {
    final Field f;
    try {
      f = owner.getDeclaredField(name);
    } catch (NoSuchFieldException e) {
      throw new RuntimeException(e);
    }
    final boolean isArray = SharedArray.class.isAssignableFrom(f.getType());
    if (isArray ? !type.isArray() : f.getType() != type) {
      throw type.isPrimitive() ? new IllegalArgumentException("Must be " + type + " type")
          : new ClassCastException();
    }
    if (!Modifier.isVolatile(f.getModifiers()) || Modifier.isStatic(f.getModifiers())) {
      throw new IllegalArgumentException("Must be volatile type");
    }
    this.owner = owner;
    this.name = name;
    isInt = type == int.class;
  }

  private void check(Object o) {
    far$read(this);
    if (!owner.isInstance(o)) throw new ClassCastException();
  }

  private long offset() {
    return OFFSETS.get(owner).get(name);
  }

  public long getNumber(Object o) {
    check(o);
    if (SharedObject.far$isShared(o)) return Volatiles.getLong(o, name);
    return isInt ? U.getIntVolatile(o, offset()) : U.getLongVolatile(o, offset());
  }

  public void setNumber(Object o, long value) {
    check(o);
    if (SharedObject.far$isShared(o)) {
      Volatiles.set(o, name, value);
    } else if (isInt) {
      U.putIntVolatile(o, offset(), (int) value);
    } else {
      U.putLongVolatile(o, offset(), value);
    }
  }

  public boolean replaceNumber(Object o, long expected, long value) {
    check(o);
    if (SharedObject.far$isShared(o)) return Volatiles.compareAndSet(o, name, expected, value);
    return isInt ? U.compareAndSetInt(o, offset(), (int) expected, (int) value)
        : U.compareAndSetLong(o, offset(), expected, value);
  }

  public Object getReference(Object o) {
    check(o);
    return SharedObject.far$isShared(o) ? Volatiles.get(o, name) : U.getReferenceVolatile(o, offset());
  }

  public void setReference(Object o, Object value) {
    check(o);
    if (SharedObject.far$isShared(o)) {
      Volatiles.set(o, name, value);
    } else {
      U.putReferenceVolatile(o, offset(), value);
    }
  }

  /** Values that are equal, and travel by value, count as the same. */
  public boolean replaceReference(Object o, Object expected, Object value) {
    check(o);
    if (SharedObject.far$isShared(o)) return Volatiles.compareAndSetReference(o, name, expected, value);
    for (;;) {
      final Object old = U.getReferenceVolatile(o, offset());
      if (!Volatiles.isSame(old, expected)) return false;
      if (U.compareAndSetReference(o, offset(), old, value)) return true;
    }
  }

  /** Where the fields of a class are on this rank. */
  private static final ClassValue<Map<String, Long>> OFFSETS = new ClassValue<>() {
    @Override
    protected Map<String, Long> computeValue(Class<?> c) {
      final Map<String, Long> all = new HashMap<>();
      for (Field f : c.getDeclaredFields()) {
        if (!Modifier.isStatic(f.getModifiers())) all.put(f.getName(), U.objectFieldOffset(f));
      }
      return all;
    }
  };
}
