package io.github.libfar.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
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
  private static final Map<String, Set<String>> OWN_OF = Map.of(
      "java/lang/", Set.of("InheritableThreadLocal", "ThreadLocal"),
      "java/util/", Set.of("StringJoiner", "Timer", "TimerTask"),
      "java/util/concurrent/", Set.of("ArrayBlockingQueue", "CompletableFuture", "CompletionStage",
          "ConcurrentHashMap", "ConcurrentLinkedDeque", "ConcurrentLinkedQueue",
          "ConcurrentSkipListMap", "ConcurrentSkipListSet", "CountDownLatch", "CountedCompleter",
          "CyclicBarrier", "Exchanger", "Executors", "ForkJoinPool", "ForkJoinTask",
          "ForkJoinWorkerThread", "FutureTask", "LinkedBlockingDeque", "LinkedBlockingQueue",
          "LinkedTransferQueue", "Phaser", "PriorityBlockingQueue", "RecursiveAction",
          "RecursiveTask", "RejectedExecutionHandler", "ScheduledThreadPoolExecutor", "Semaphore",
          "SynchronousQueue", "ThreadPoolExecutor"),
      "java/util/concurrent/atomic/", Set.of("AtomicBoolean", "AtomicInteger",
          "AtomicIntegerArray", "AtomicIntegerFieldUpdater", "AtomicLong", "AtomicLongArray",
          "AtomicLongFieldUpdater", "AtomicMarkableReference",
          "AtomicReference", "AtomicReferenceArray", "AtomicReferenceFieldUpdater",
          "AtomicStampedReference",
          "DoubleAccumulator", "DoubleAdder", "LongAccumulator", "LongAdder"),
      "java/util/concurrent/locks/", Set.of("AbstractOwnableSynchronizer",
          "AbstractQueuedLongSynchronizer", "AbstractQueuedSynchronizer", "LockSupport",
          "ReentrantLock", "ReentrantReadWriteLock", "StampedLock"));

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
    final int cut = name.lastIndexOf('/') + 1;
    final Set<String> known = OWN_OF.get(name.substring(0, cut));
    if (known == null) return name;
    final int nested = name.indexOf('$', cut);
    final String outer = nested < 0 ? name.substring(cut) : name.substring(cut, nested);
    return known.contains(outer) ? OWN + name.substring(cut) : name;
  }

  private static final Remapper REMAPPER = new Remapper(Opcodes.ASM9) {
    @Override
    public String map(String name) {
      return nameOf(name);
    }

    /** Of a method reference: like the call of the method. */
    @Override
    public Object mapValue(Object value) {
      return value instanceof Handle h && !isRenamed(h.getOwner()) ? h : super.mapValue(value);
    }
  };

  /** Whether a method's descriptor has the twins' names. */
  private static boolean isRenamed(String owner) {
    return Scope.contains(owner) || has(owner) || owner.startsWith("[");
  }

  static Type typeOf(Type jdk) {
    return jdk.getSort() == Type.OBJECT ? Type.getObjectType(nameOf(jdk.getInternalName())) : jdk;
  }

  static String renameDesc(String desc) {
    return REMAPPER.mapMethodDesc(desc);
  }

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
      if (isRenamed(owner)) {
        super.visitMethodInsn(opcode, owner, name, desc, isInterface);
      } else {
        mv.visitMethodInsn(opcode, owner, name, desc, isInterface);
      }
    }
  }

  private Twins() {}
}
