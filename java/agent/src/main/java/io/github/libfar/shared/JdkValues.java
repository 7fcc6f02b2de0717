package io.github.libfar.shared;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.math.MathContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Currency;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * More objects of the JDK that travel by value, since they never change, as the JDK serializes
 * them; and some that each rank has one of, which travel by name.
 */
final class JdkValues {
  private static final Class<?>[] SERIALIZED = {
    Currency.class, File.class, InetAddress.class, InetSocketAddress.class, Locale.class,
    MathContext.class, Pattern.class, StackTraceElement.class, ThreadLocalRandom.class, URI.class,
    URL.class, String.CASE_INSENSITIVE_ORDER.getClass()
  };

  static boolean has(Class<?> c) {
    if (c == PrintStream.class || c == ThreadGroup.class || c == Unsafes.U.getClass()) return true;
    if (c.getName().equals("java.util.logging.Logger") || JvmObjects.has(c)) return true;
    return Charset.class.isAssignableFrom(c) || Path.class.isAssignableFrom(c) || isSerialized(c);
  }

  private static boolean isSerialized(Class<?> c) {
    if (!Serializable.class.isAssignableFrom(c)) return false;
    if (c.getName().startsWith("java.time.")) return true;
    for (Class<?> known : SERIALIZED) {
      if (known == c || known == InetAddress.class && known.isAssignableFrom(c)) return true;
    }
    return false;
  }

  /** Returns null if this one does not travel. */
  static byte[] write(Object value) {
    if (isSerialized(value.getClass())) return serialized(value);
    final String text;
    if (JvmObjects.has(value.getClass())) {
      text = JvmObjects.is(value) ? "" : null;
    } else if (value instanceof PrintStream) {
      text = value == System.out ? "out" : value == System.err ? "err" : null;
    } else if (value instanceof Charset c) {
      text = c.name();
    } else if (value instanceof ThreadGroup g) {
      text = g.getName();
    } else if (value instanceof Path || value == Unsafes.U) {
      text = value.toString();
    } else {
      text = ((Logger) value).getName();
    }
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  static Object read(Class<?> c, byte[] bytes) {
    if (isSerialized(c)) return deserialized(bytes);
    final String text = new String(bytes, StandardCharsets.UTF_8);
    if (c == Unsafes.U.getClass()) return Unsafes.U;
    if (JvmObjects.has(c)) return JvmObjects.of(c);
    if (c == ThreadGroup.class) return group(text);
    if (c == PrintStream.class) return text.equals("out") ? System.out : System.err;
    if (Charset.class.isAssignableFrom(c)) return Charset.forName(text);
    return Path.class.isAssignableFrom(c) ? Path.of(text) : Logger.getLogger(text);
  }

  private static ThreadGroup group(String name) {
    final ThreadGroup mine = Thread.currentThread().getThreadGroup();
    return mine.getName().equals(name) ? mine : new ThreadGroup(mine, name);
  }

  private static byte[] serialized(Object value) {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException e) {
      throw Job.fail("cannot share an object of " + value.getClass().getName() + ": " + e);
    }
    return bytes.toByteArray();
  }

  private static Object deserialized(byte[] bytes) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw Job.fail("cannot read an object that another rank has shared: " + e);
    }
  }

  private JdkValues() {}
}
