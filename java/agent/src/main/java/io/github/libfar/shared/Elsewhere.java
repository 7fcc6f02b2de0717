package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Objects of the JDK, and of classes that extend it, which ranks cannot share, and to which fields
 * refer that are declared as such: {@code static Scanner in}. They stay with the rank that has
 * published them, as long as the job runs. Another rank has a stand-in for one, whose constructor
 * has not run. The program never gets it: a check behind each load of such a field ends the job
 * instead.
 *
 * <p>Threads: under Space's lock, but for check.
 */
public final class Elsewhere {
  /** Instead of a class's name, in the record of such an object. */
  static final String RECORD = "far$elsewhere";

  private static final Map<Object, Long> PLACES = new IdentityHashMap<>();
  private static final Map<Long, Object> AT = new HashMap<>();

  private record Same(Object o) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Same s && s.o == o;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(o);
    }
  }

  /** What to say of a stand-in. Without the lock: it is looked up behind loads. */
  private static final Map<Same, String> REFUSALS = new ConcurrentHashMap<>();
  private static volatile boolean any;
  private static long record;

  /**
   * Whether loads of fields of this type are checked, because it is a class of the JDK or one of the
   * program's that extends such: see agent.FieldCode. Those of java.lang are known.
   */
  static boolean isChecked(Class<?> type) {
    if (type.isInterface() || type.isArray() || type.isPrimitive()) return false;
    final Class<?> above = Layout.aboveProgram(type);
    return above.getModule().isNamed() && !above.getPackageName().equals("java.lang");
  }

  /** What cannot be done; why, is to follow. */
  static String refusal(Object o, Kind of, String field) {
    return "cannot share an object of " + o.getClass().getName() + ", to which " + field + " of "
        + of.name.replace("$far$Statics", " (static)") + " refers";
  }

  static long placeOf(Object o, String refusal) {
    final Long known = PLACES.get(o);
    if (known != null) return known;
    if (record == 0) record = Records.make(RECORD);
    final String text = o.getClass().getName() + '\n' + refusal + "; it stays on rank " + Job.RANK;
    final long place = Records.bytes(record, text.getBytes(StandardCharsets.UTF_8));
    know(place, o);
    return place;
  }

  static Object at(long place, int length) {
    final Object known = AT.get(place);
    if (known != null) return known;
    final String[] text = new String(Records.bytes(place, length), StandardCharsets.UTF_8)
        .split("\n", 2);
    final Object standIn;
    try {
      standIn = U.allocateInstance(Records.classOf(text[0]));
    } catch (InstantiationException e) {
      throw Job.fail(text[1]);
    }
    know(place, standIn);
    REFUSALS.put(new Same(standIn), text[1]);
    any = true;
    return standIn;
  }

  private static void know(long place, Object o) {
    Native.keep(place);
    AT.put(place, o);
    PLACES.put(o, place);
  }

  /** Of what a field refers to. */
  public static void check(Object o) {
    if (any && o != null) refuse(o);
  }

  private static void refuse(Object o) {
    final String refusal = REFUSALS.get(new Same(o));
    if (refusal != null) throw Job.fail(refusal);
  }

  private Elsewhere() {}
}
