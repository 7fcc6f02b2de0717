package io.github.libfar;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * How values travel as bytes. Equal keys of a map have equal bytes.
 *
 * @param <T> the values' type
 */
public interface Codec<T> {
  /**
   * A value as bytes.
   *
   * @param value not null
   * @return its bytes
   */
  byte[] encode(T value);

  /**
   * The reverse.
   *
   * @param bytes what encode has returned, on any rank
   * @return the value
   */
  T decode(byte[] bytes);

  /** Strings, as UTF-8. */
  Codec<String> STRING =
      of(s -> s.getBytes(StandardCharsets.UTF_8), b -> new String(b, StandardCharsets.UTF_8));

  /** Longs, as 8 bytes. */
  Codec<Long> LONG =
      of(v -> ByteBuffer.allocate(8).putLong(v).array(), b -> ByteBuffer.wrap(b).getLong());

  /** Ints, as 4 bytes. */
  Codec<Integer> INT =
      of(v -> ByteBuffer.allocate(4).putInt(v).array(), b -> ByteBuffer.wrap(b).getInt());

  /** Doubles, as 8 bytes. As keys, 0.0 and -0.0 differ. */
  Codec<Double> DOUBLE =
      of(v -> ByteBuffer.allocate(8).putDouble(v).array(), b -> ByteBuffer.wrap(b).getDouble());

  /** Bytes, as they are. Arrays are not copied. */
  Codec<byte[]> BYTES = of(b -> b, b -> b);

  /**
   * Objects that can be serialized. As keys, only those whose serialized form is the same whenever
   * they are equal.
   *
   * @param <T> their type
   * @param type their class
   * @return a codec that throws {@link IllegalArgumentException} for what cannot be serialized
   */
  static <T extends Serializable> Codec<T> serialized(Class<T> type) {
    return of(
        value -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
          } catch (IOException failure) {
            throw new IllegalArgumentException("a " + type + " cannot be serialized", failure);
          }
          return bytes.toByteArray();
        },
        bytes -> {
          try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return type.cast(in.readObject());
          } catch (IOException | ClassNotFoundException failure) {
            throw new IllegalArgumentException("bytes that are no " + type, failure);
          }
        });
  }

  /**
   * A codec of two functions.
   *
   * @param <T> the values' type
   * @param encode as {@link #encode}
   * @param decode as {@link #decode}
   * @return the codec
   */
  static <T> Codec<T> of(Function<T, byte[]> encode, Function<byte[], T> decode) {
    return new Codec<>() {
      @Override
      public byte[] encode(T value) {
        return encode.apply(value);
      }

      @Override
      public T decode(byte[] bytes) {
        return decode.apply(bytes);
      }
    };
  }
}
