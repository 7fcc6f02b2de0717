package io.github.libfar.shared;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Objects that travel by value, because they never change, or by name, because each rank has its
 * own: strings, boxed numbers, enums' constants, classes.
 *
 * <p>Threads: under Space's lock.
 */
final class Values {
  private static final int MAX_KNOWN = 1 << 16;

  private record Codec<T>(Function<T, byte[]> write, Function<byte[], T> read) {}

  private static final Map<Class<?>, Codec<?>> CODECS = new HashMap<>();
  private static final Map<Object, Long> PLACES = bounded(Map.Entry::getValue);
  private static final Map<Long, Object> AT = bounded(Map.Entry::getKey);
  private static final Map<String, Long> RECORDS = new HashMap<>();

  static {
    add(String.class, s -> s.getBytes(StandardCharsets.UTF_16BE),
        b -> new String(b, StandardCharsets.UTF_16BE));
    text(Integer.class, Integer::valueOf);
    text(Long.class, Long::valueOf);
    text(Short.class, Short::valueOf);
    text(Byte.class, Byte::valueOf);
    text(Boolean.class, Boolean::valueOf);
    text(Double.class, Double::valueOf);
    text(Float.class, Float::valueOf);
    text(BigInteger.class, BigInteger::new);
    text(BigDecimal.class, BigDecimal::new);
    text(UUID.class, UUID::fromString);
    add(Character.class, c -> String.valueOf(c).getBytes(StandardCharsets.UTF_16BE),
        b -> new String(b, StandardCharsets.UTF_16BE).charAt(0));
    add(Class.class, c -> c.getName().getBytes(StandardCharsets.UTF_8), Values::classNamed);
  }

  private static <T> void add(Class<T> type, Function<T, byte[]> write, Function<byte[], T> read) {
    CODECS.put(type, new Codec<>(write, read));
  }

  private static <T> void text(Class<T> type, Function<String, T> parse) {
    add(type, v -> v.toString().getBytes(StandardCharsets.UTF_8),
        b -> parse.apply(new String(b, StandardCharsets.UTF_8)));
  }

  /** Of pairs with a place, which is kept as long as the pair. */
  private static <K, V> Map<K, V> bounded(Function<Map.Entry<K, V>, Long> placeOf) {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        if (size() <= MAX_KNOWN) return false;
        Collector.drop(placeOf.apply(eldest));
        return true;
      }
    };
  }

  private static long recordOf(String type) {
    return RECORDS.computeIfAbsent(type, Records::make);
  }

  private static void know(long place, Object value) {
    Native.keep(place);
    AT.put(place, value);
  }

  private static Class<?> classNamed(byte[] name) {
    final String text = new String(name, StandardCharsets.UTF_8);
    for (ArrayKind k : ArrayKind.values()) {
      if (k.element.getName().equals(text)) return k.element;
    }
    return text.equals("void") ? void.class : Records.classOf(text);
  }

  /** Where an object is that travels by value; 0: it does not. */
  @SuppressWarnings("unchecked")
  static long placeOf(Object value) {
    if (Texts.isText(value)) return Space.placeOf(Texts.of(value));
    if (value instanceof Throwable t) return placeOfThrowable(t);
    final boolean isEnum = value instanceof Enum;
    addForeign(value.getClass());
    final Codec<Object> codec = (Codec<Object>) CODECS.get(value.getClass());
    if (codec == null && !isEnum) return 0;
    final Long known = PLACES.get(value);
    if (known != null) return known;
    final String type =
        (isEnum ? ((Enum<?>) value).getDeclaringClass() : value.getClass()).getName();
    final byte[] bytes = isEnum
        ? ((Enum<?>) value).name().getBytes(StandardCharsets.UTF_8) : codec.write.apply(value);
    if (bytes == null) return 0;
    final long place = Records.bytes(recordOf(type), bytes);
    know(place, value);
    PLACES.put(value, place);
    return place;
  }

  /** The value that is there; null: it is an object of this class that does not travel so. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static Object at(long place, String type, int length) {
    final Object known = AT.get(place);
    if (known != null) return known;
    if (!isValue(type)) return null;
    final Class<?> c = Records.classOf(type);
    if (Throwable.class.isAssignableFrom(c)) return throwableAt(place, c);
    if (c.isEnum()) Uninitialized.check(c);
    final byte[] bytes = Records.bytes(place, length);
    final Object value = c.isEnum()
        ? Enum.valueOf((Class) c, new String(bytes, StandardCharsets.UTF_8))
        : ((Codec<Object>) CODECS.get(c)).read.apply(bytes);
    know(place, value);
    return value;
  }

  private static void addForeign(Class<?> type) {
    if (CODECS.containsKey(type) || !JdkValues.has(type)) return;
    CODECS.put(type, new Codec<>(JdkValues::write, b -> JdkValues.read(type, b)));
  }

  /** One may be the cause of its own cause: so it is known before its fields are looked at. */
  private static long placeOfThrowable(Throwable t) {
    final Long known = PLACES.get(t);
    if (known != null) return known;
    final long place = Throwables.make(recordOf(t.getClass().getName()));
    know(place, t);
    PLACES.put(t, place);
    Throwables.write(place, t);
    return place;
  }

  private static Throwable throwableAt(long place, Class<?> type) {
    final Throwable t = Throwables.allocate(type);
    know(place, t);
    Native.keep(place);  // for the second table
    PLACES.put(t, place);
    Uninitialized.withoutStop(() -> Throwables.read(place, t));
    return t;
  }

  private static final Map<String, Boolean> IS_VALUE = new HashMap<>();

  private static boolean isValue(String type) {
    return IS_VALUE.computeIfAbsent(type, name -> {
      final Class<?> c = Records.classOf(name);
      addForeign(c);
      final boolean isThrowable = Throwable.class.isAssignableFrom(c);
      return isThrowable && !Shared.class.isAssignableFrom(c) || c.isEnum() || CODECS.containsKey(c);
    });
  }

  private Values() {}
}
