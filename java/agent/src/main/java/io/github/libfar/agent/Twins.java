package io.github.libfar.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.MethodRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Classes of the JDK that the program gets a copy of, its twin, under another name: the twin is
 * rewritten like the program's own classes, so ranks can share collections. Interfaces are not
 * copied: a twin of ArrayList is a java.util.List. TwinJar makes the copies.
 */
final class Twins {
  private static final String PREFIX = "far/";
  /** Classes of libfar that stand for classes of the JDK whose code cannot be copied. */
  private static final String OWN = "io/github/libfar/concurrent/";
  private static final Set<String> ATOMICS = Set.of("AtomicInteger", "AtomicLong",
      "AtomicBoolean", "AtomicReference");
  private static final Set<String> LOCKS = Set.of("ReentrantLock");
  private static final Set<String> CONCURRENT = Set.of("CountDownLatch", "Semaphore",
      "CyclicBarrier", "ConcurrentHashMap", "LinkedBlockingQueue", "ArrayBlockingQueue",
      "Executors");

  private static volatile Set<String> names = Set.of();

  /** Before the first class is rewritten. */
  static void use(JarFile jar) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(TwinJar.LIST))) {
      names = Set.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"));
    }
  }

  static void use(Set<String> twins) {
    names = twins;
  }

  /** Whether a class of the JDK has a twin. */
  static boolean has(String name) {
    return names.contains(name) || !own(name).equals(name);
  }

  static String nameOf(String name) {
    return names.contains(name) ? PREFIX + name : own(name);
  }

  private static String own(String name) {
    final String packages = "java/util/concurrent/";
    if (!name.startsWith(packages)) return name;
    final String rest = name.substring(packages.length());
    final int cut = rest.indexOf('/');
    final String folder = cut < 0 ? "" : rest.substring(0, cut);
    final String simple = rest.substring(cut + 1);
    final boolean known = switch (folder) {
      case "" -> CONCURRENT.contains(simple);
      case "atomic" -> ATOMICS.contains(simple);
      case "locks" -> LOCKS.contains(simple);
      default -> false;
    };
    return known ? OWN + simple : name;
  }

  private static final Remapper REMAPPER = new Remapper(Opcodes.ASM9) {
    @Override
    public String map(String name) {
      return nameOf(name);
    }
  };

  /** Passes a class on with the twins' names. */
  static ClassVisitor renaming(ClassVisitor to) {
    return new ClassRemapper(Opcodes.ASM9, to, REMAPPER) {
      @Override
      protected MethodVisitor createMethodRemapper(MethodVisitor m) {
        return new Renaming(m);
      }
    };
  }

  static byte[] rename(byte[] file) {
    final ClassWriter writer = new ClassWriter(0);
    new ClassReader(file).accept(renaming(writer), 0);
    return writer.toByteArray();
  }

  /** The JDK's other classes know nothing of twins: their methods keep their descriptors. */
  private static final class Renaming extends MethodRemapper {
    Renaming(MethodVisitor to) {
      super(Opcodes.ASM9, to, REMAPPER);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String desc,
        boolean isInterface) {
      if (Scope.contains(owner) || has(owner) || owner.startsWith("[")) {
        super.visitMethodInsn(opcode, owner, name, desc, isInterface);
      } else {
        mv.visitMethodInsn(opcode, owner, name, desc, isInterface);
      }
    }
  }

  private Twins() {}
}
