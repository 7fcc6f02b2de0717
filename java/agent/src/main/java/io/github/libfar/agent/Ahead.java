package io.github.libfar.agent;

import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Rewrites classes before they are loaded. A rank that waits for its first thread does so with those
 * that the main class leads to: else the thread would wait while this JVM loads the rewriter, and
 * runs it for the first time. No class of the program is loaded, and none is told of that cannot be
 * rewritten: the program may never use it.
 */
public final class Ahead {
  private static final int MAX_CLASSES = 150;
  /** Where the classes are that rewritten ones call. These are loaded. */
  private static final String RUN_TIME = "io/github/libfar/shared/";
  /** What a class's constant is that names a class. */
  private static final byte CLASS = 7;

  private record Rewritten(byte[] file, ClassRewriter.Result result) {}

  private static final Map<String, Rewritten> DONE = new ConcurrentHashMap<>();
  private static volatile boolean ends;

  private static volatile Thread thread;

  /** Begins, in a thread of its own. */
  public static void begin(String main) {
    thread = new Thread(() -> prepare(main.replace('.', '/')), "far ahead");
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether this thread rewrites ahead: what it loads is libfar's, whatever its name. */
  static boolean isThisThread() {
    return Thread.currentThread() == thread;
  }

  /** Leaves the processor to the program. */
  public static void end() {
    ends = true;
  }

  /** What has been made of a class's file; null: nothing. */
  static ClassRewriter.Result take(ClassLoader loader, String name, byte[] file) {
    if (loader != ClassLoader.getSystemClassLoader()) return null;
    final Rewritten done = DONE.remove(name);
    return done != null && Arrays.equals(done.file, file) ? done.result : null;
  }

  private static void prepare(String main) {
    final ClassLoader loader = ClassLoader.getSystemClassLoader();
    final ArrayDeque<String> left = new ArrayDeque<>(List.of(RUN_TIME + "Threads", main));
    final Set<String> seen = new HashSet<>(left);
    for (int n = 0; n < MAX_CLASSES && !left.isEmpty() && !ends; n++) {
      final String name = left.poll();
      try (InputStream in = loader.getResourceAsStream(name + ".class")) {
        if (in == null) continue;
        final byte[] file = in.readAllBytes();
        addReferences(name.startsWith(RUN_TIME) ? load(name, file) : rewrite(name, file), seen, left);
      } catch (Exception | LinkageError e) {
        // Told when the program needs the class.
      }
    }
  }

  private static byte[] load(String name, byte[] file) throws ClassNotFoundException {
    Class.forName(name.replace('/', '.'));
    return file;
  }

  private static byte[] rewrite(String name, byte[] file) throws AnalyzerException {
    final Hierarchy hierarchy = Hierarchy.of(ClassLoader.getSystemClassLoader());
    final ClassRewriter.Result result = ClassRewriter.rewrite(hierarchy, file);
    if (result == null) return file;
    DONE.put(name, new Rewritten(file, result));
    return result.file();
  }

  private static void addReferences(byte[] file, Set<String> seen, ArrayDeque<String> left) {
    final ClassReader c = new ClassReader(file);
    final char[] buffer = new char[c.getMaxStringLength()];
    for (int k = 1; k < c.getItemCount(); k++) {
      final int at = c.getItem(k);
      if (at == 0 || c.readByte(at - 1) != CLASS) continue;
      final String name = c.readUTF8(at, buffer);
      final boolean isOurs = name.startsWith(RUN_TIME);
      if (!isOurs && !Scope.contains(name) || !seen.add(name)) continue;
      if (isOurs) left.addFirst(name); else left.addLast(name);
    }
  }

  private Ahead() {}
}
