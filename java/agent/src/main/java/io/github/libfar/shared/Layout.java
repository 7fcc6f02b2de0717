package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Where the fields of a class's objects are: the same on every rank, whatever the JVM does. */
final class Layout {
  private final List<ObjectKind.Field> numbers = new ArrayList<>();
  private final List<ObjectKind.Field> references = new ArrayList<>();
  private final List<ObjectKind.Field> volatiles = new ArrayList<>();
  private final String type;
  private int size = Kind.HEAD_BYTES;

  private Layout(String type) {
    this.type = type;
  }

  /** Ends the job if objects of the class cannot be shared. */
  static Layout of(Class<?> type) {
    final List<Field> fields = new ArrayList<>();
    Class<?> c = type;
    for (; Shared.class.isAssignableFrom(c) && c != SharedObject.class; c = c.getSuperclass()) {
      for (Field f : c.getDeclaredFields()) {
        if (!Modifier.isStatic(f.getModifiers()) && !f.getName().startsWith("far$")) fields.add(f);
      }
    }
    final String refusal = refusal(type);
    if (refusal != null) throw Job.fail(refusal);
    fields.sort(Comparator.comparing(Field::getName)
        .thenComparing(f -> f.getDeclaringClass().getName()));
    final Layout made = new Layout(type.getName());
    for (int width : new int[] {8, 0, 4, 2, 1}) {
      for (Field f : fields) {
        if (!Modifier.isVolatile(f.getModifiers()) && widthOf(f) == width) made.add(f, width);
      }
    }
    made.size = made.size + 7 & ~7;
    if (Throwable.class.isAssignableFrom(type)) made.addMessageAndCause();
    for (Field f : fields) {
      if (!Modifier.isVolatile(f.getModifiers())) continue;
      made.volatiles.add(made.at(f.getName(), U.objectFieldOffset(f), widthOf(f), false));
      made.size += 8;
    }
    return made;
  }

  /**
   * Why objects of a class cannot be shared; null: they can. Fields of a class of the JDK cannot;
   * these have none, or none that matter.
   */
  static String refusal(Class<?> type) {
    Class<?> c = aboveProgram(type);
    for (; c != null && c != SharedObject.class; c = c.getSuperclass()) {
      final boolean known = c == Thread.class || c == Random.class || c == Enum.class
          || Throwable.class.isAssignableFrom(c);
      if (known) continue;
      for (Field f : c.getDeclaredFields()) {
        if (Modifier.isStatic(f.getModifiers())) continue;
        return "cannot share an object of " + type.getName() + ": it extends " + c.getName()
            + ", whose field " + f.getName() + " ranks cannot share";
      }
    }
    return null;
  }

  /** The closest class above this one that is not the program's. */
  static Class<?> aboveProgram(Class<?> type) {
    Class<?> c = type;
    while (Shared.class.isAssignableFrom(c) && c != SharedObject.class) c = c.getSuperclass();
    return c;
  }

  static int widthOf(Field f) {
    final Class<?> t = f.getType();
    if (!t.isPrimitive()) return 0;
    return ArrayKind.of(t.arrayType()).width;
  }

  private void add(Field f, int width) {
    (width == 0 ? references : numbers).add(at(f.getName(), U.objectFieldOffset(f), width,
        Elsewhere.isChecked(f.getType())));
    size += width == 0 ? 8 : width;
  }

  /** A field at the end of what has been laid out. */
  private ObjectKind.Field at(String name, long java, int width, boolean mayStay) {
    return new ObjectKind.Field(name, java, size, width, mayStay, new Tally(type, name));
  }

  /** What ranks share of an exception besides fields of its own; the stack stays where it is. */
  private void addMessageAndCause() {
    references.add(at("message", Throwables.MESSAGE, 0, false));
    size += 8;
    references.add(at("cause", Throwables.CAUSE, 0, false));
    size += 8;
  }

  List<ObjectKind.Field> numbers() {
    return numbers;
  }

  List<ObjectKind.Field> references() {
    return references;
  }

  List<ObjectKind.Field> volatiles() {
    return volatiles;
  }

  int size() {
    return size;
  }

  private List<int[]> cells() {
    final List<int[]> cells = new ArrayList<>();
    cells.add(new int[] {Kind.HEAD_CLASS, 0});
    for (int at = Kind.HEAD_LENGTH; at < Kind.HEAD_BYTES; at += 8) cells.add(new int[] {at, 8});
    for (ObjectKind.Field f : numbers) cells.add(new int[] {f.far(), f.width()});
    for (ObjectKind.Field f : references) cells.add(new int[] {f.far(), 0});
    for (ObjectKind.Field f : volatiles) cells.add(new int[] {f.far(), f.width() == 0 ? 0 : 8});
    return cells;
  }

  int[] offsets() {
    return cells().stream().mapToInt(cell -> cell[0]).toArray();
  }

  int[] widths() {
    return cells().stream().mapToInt(cell -> cell[1]).toArray();
  }
}
