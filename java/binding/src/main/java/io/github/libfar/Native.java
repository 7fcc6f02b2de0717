package io.github.libfar;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;

/**
 * The functions of libfar_c, by libfar_jni. They throw what {@link FarException#of} makes of their
 * status.
 */
final class Native {
  static {
    load();
  }

  private Native() {}

  /** The library that a property names, or that is installed with the jar, or in the library path. */
  private static void load() {
    String named = System.getProperty("far.library");
    if (named != null) {
      System.load(new File(named).getAbsolutePath());
      return;
    }
    Path installed = besideJar();
    if (installed != null && installed.toFile().exists()) {
      System.load(installed.toString());
      return;
    }
    try {
      System.loadLibrary("far_jni");
    } catch (UnsatisfiedLinkError missing) {
      throw new UnsatisfiedLinkError(
          "libfar_jni.so is neither beside this jar's folder, in lib, nor in java.library.path: "
              + "name it by -Dfar.library=PATH");
    }
  }

  /** PREFIX/lib/libfar_jni.so of PREFIX/share/java/far.jar; null: this is no installed jar. */
  private static Path besideJar() {
    CodeSource source = Native.class.getProtectionDomain().getCodeSource();
    if (source == null) return null;
    try {
      Path folder = Path.of(source.getLocation().toURI()).getParent();
      return folder.resolve("../../lib/libfar_jni.so").normalize();
    } catch (URISyntaxException | RuntimeException unusual) {
      return null;
    }
  }

  /** A timeout in nanoseconds; null and what is too long for them: none. */
  static long nanosOf(Duration timeout) {
    if (timeout == null) return -1;
    if (timeout.isNegative()) return 0;
    try {
      return timeout.toNanos();
    } catch (ArithmeticException tooLong) {
      return -1;
    }
  }

  // -- the job

  static native void join();

  static native void leave();

  static native void fail(String why);

  static native void exit(int status);

  static native int rank();

  static native int size();

  static native int nodeOf(int rank);

  static native void barrier();

  static native void attach(long nanos);

  static native void detach();

  // -- maps

  static native long mapCreate();

  static native void mapDrop(long map);

  static native boolean mapPut(long map, byte[] key, byte[] value);

  static native boolean mapPutNew(long map, byte[] key, byte[] value);

  static native byte[] mapGet(long map, byte[] key);

  static native boolean mapRemove(long map, byte[] key);

  static native long mapSize(long map);

  static native void mapClear(long map);

  /** Keys and values of this rank, by turns. */
  static native byte[][] mapItems(long map);

  // -- queues

  static native long queueCreate(int host, long capacity, int maxBytes);

  static native void queueDrop(long queue);

  static native boolean queuePush(long queue, byte[] element, boolean waits);

  static native byte[] queuePop(long queue, boolean waits);

  // -- locks

  static native long lockCreate(int home);

  static native void lockDrop(long lock);

  static native boolean lockAcquire(long lock, long nanos);

  static native void lockRelease(long lock);

  static native long rwLockCreate();

  static native void rwLockDrop(long lock);

  static native boolean rwLockAcquire(long lock, int mode, long nanos);

  static native void rwLockRelease(long lock, int mode);

  // -- memory

  // far_atomic_op
  static final int EXCHANGE = 2;
  static final int COMPARE_EXCHANGE = 3;
  static final int ADD = 4;

  static native long allocate(long bytes);

  static native void free(long memory);

  static native ByteBuffer local(long memory, long bytes);

  static native long placeOn(long memory, int rank, long offset);

  /** A word of 4 or 8 bytes; the former with its sign. */
  static native long getWord(long place, int width);

  static native void putWord(long place, int width, long value);

  /** Returns what the word was before. */
  static native long atomic(long place, int width, int op, long operand, long compare);

  /** Between memory and a Java array of elements of this width. */
  static native void transfer(
      long place, Object array, int offset, int count, int width, boolean puts);
}
