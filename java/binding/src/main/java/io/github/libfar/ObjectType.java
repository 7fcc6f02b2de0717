package io.github.libfar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the objects of a type, or the elements of an array, consist of: fields, each of which is read
 * and written whole. Made by {@link ObjectSpace#describe}.
 */
public final class ObjectType {
  final long handle;
  private final String name;
  private final Map<String, Integer> offsets;

  private ObjectType(long handle, String name, Map<String, Integer> offsets) {
    this.handle = handle;
    this.name = name;
    this.offsets = offsets;
  }

  /**
   * The type's name.
   *
   * @return as it was described
   */
  public String name() {
    return name;
  }

  /**
   * Where a field is.
   *
   * @param field its name
   * @return its offset in an object, in bytes
   */
  public int offsetOf(String field) {
    Integer offset = offsets.get(field);
    if (offset == null) throw new IllegalArgumentException(name + " has no field " + field);
    return offset;
  }

  /** Describes a type field by field. Ranks that describe it alike mean the same type. */
  public static final class Builder {
    private final long space;
    private final String name;
    private final Map<String, Integer> offsets = new HashMap<>();
    private final List<Integer> places = new ArrayList<>();
    private final List<Integer> widths = new ArrayList<>();
    private int size;
    private int alignment = 1;

    Builder(long space, String name) {
      this.space = space;
      this.name = name;
    }

    /**
     * The next field is a number.
     *
     * @param field its name
     * @param bytes 1, 2, 4 or 8
     * @return this
     */
    public Builder number(String field, int bytes) {
      if (Integer.bitCount(bytes) != 1 || bytes > 8) {
        throw new IllegalArgumentException(name + "." + field + " of " + bytes + " bytes");
      }
      return add(field, bytes, bytes);
    }

    /**
     * The next field is a reference.
     *
     * @param field its name
     * @return this
     */
    public Builder reference(String field) {
      return add(field, Long.BYTES, 0);
    }

    private Builder add(String field, int bytes, int width) {
      size = (size + bytes - 1) / bytes * bytes;
      if (offsets.putIfAbsent(field, size) != null) {
        throw new IllegalArgumentException(name + " has two fields " + field);
      }
      places.add(size);
      widths.add(width);
      size += bytes;
      alignment = Math.max(alignment, bytes);
      return this;
    }

    /**
     * Ends the description.
     *
     * @return the type
     */
    public ObjectType build() {
      int whole = (size + alignment - 1) / alignment * alignment;
      long made =
          NativeObjects.type(
              space,
              name,
              whole,
              places.stream().mapToInt(Integer::intValue).toArray(),
              widths.stream().mapToInt(Integer::intValue).toArray());
      return new ObjectType(made, name, Map.copyOf(offsets));
    }
  }
}
