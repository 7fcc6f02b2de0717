package io.github.libfar.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.ClassNode;

/**
 * The jar with the twins: copies, out of the JDK's own image, of these classes, and of those that
 * only they can use. It is made once for each version of the JDK and of libfar.
 */
final class TwinJar {
  static final String LIST = "META-INF/twins";
  private static final Map<String, List<String>> COPIED = Map.of(
      "java/util/", List.of("AbstractCollection", "AbstractList", "AbstractMap", "AbstractQueue",
          "AbstractSequentialList", "AbstractSet", "ArrayDeque", "ArrayList", "BitSet",
          "Collections", "Comparators", "DoubleSummaryStatistics", "EnumMap", "EnumSet", "HashMap",
          "HashSet", "Hashtable", "IdentityHashMap", "ImmutableCollections", "IntSummaryStatistics",
          "KeyValueHolder", "LinkedHashMap", "LinkedHashSet", "LinkedList", "LongSummaryStatistics",
          "Optional", "OptionalDouble", "OptionalInt", "OptionalLong", "PriorityQueue",
          "Properties", "SplittableRandom", "Stack", "StringTokenizer", "TreeMap", "TreeSet",
          "Vector"),
      "java/util/stream/", List.of("Collectors"),
      "java/util/concurrent/", List.of("AbstractExecutorService", "CopyOnWriteArrayList",
          "CopyOnWriteArraySet", "DelayQueue", "ExecutorCompletionService"));

  /** Methods of Properties that give the object to another class of the JDK. */
  private static final Set<String> OMITTED = Set.of("loadFromXML", "storeToXML");

  private final Map<String, byte[]> files = new TreeMap<>();

  /** The jar for this JVM, which may have been made before. */
  static JarFile find() throws IOException {
    final String name = "java-"
        + System.getProperty("java.vm.version").replaceAll("[^A-Za-z0-9.]", "_") + "-"
        + Long.toHexString(versionOfAgent()) + ".jar";
    final Path path = folder().resolve(name);
    if (!Files.isReadable(path)) new TwinJar().write(path);
    return new JarFile(path.toFile());
  }

  /** The user's folder for what can be made again; nobody else may write there. */
  private static Path folder() throws IOException {
    final String cache = System.getenv("XDG_CACHE_HOME");
    final Path folder = cache != null && !cache.isEmpty() ? Path.of(cache)
        : Path.of(System.getProperty("user.home"), ".cache");
    try {
      return Files.createDirectories(folder.resolve("libfar"));
    } catch (IOException e) {
      return Files.createTempDirectory("libfar");
    }
  }

  /** Another build may make other twins. The agent is a jar, or, in its own tests, a folder. */
  private static long versionOfAgent() throws IOException {
    final Path path =
        Path.of(Agent.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    if (!Files.isDirectory(path)) return Files.getLastModifiedTime(path).toMillis();
    long newest = 0;
    for (File f : path.resolve("io/github/libfar/agent").toFile().listFiles()) {
      newest = Math.max(newest, f.lastModified());
    }
    return newest;
  }

  private TwinJar() throws IOException {
    final Deque<String> open = new ArrayDeque<>();
    COPIED.forEach((folder, names) -> names.forEach(name -> open.add(folder + name)));
    while (!open.isEmpty()) {
      final String name = open.poll();
      if (files.containsKey(name)) continue;
      try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        if (in == null) continue;
        files.put(name, copy(in.readAllBytes()));
      }
      open.addAll(needs(name));
    }
  }

  private static byte[] copy(byte[] file) {
    final ClassWriter writer = new ClassWriter(0);
    new ClassReader(file).accept(new ClassVisitor(Opcodes.ASM9, writer) {
      @Override
      public MethodVisitor visitMethod(int access, String name, String desc, String signature,
          String[] exceptions) {
        return OMITTED.contains(name) ? null
            : super.visitMethod(access, name, desc, signature, exceptions);
      }
    }, 0);
    return writer.toByteArray();
  }

  /** Nested classes, and classes of the same package that are not public. */
  private List<String> needs(String name) {
    final Set<String> named = new TreeSet<>();
    new ClassReader(files.get(name)).accept(new ClassRemapper(Opcodes.ASM9, new ClassNode(
        Opcodes.ASM9), new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String other) {
            named.add(other);
            return other;
          }
        }) {}, 0);
    final String folder = folderOf(name);
    named.removeIf(other -> !folderOf(other).equals(folder)
        || !other.startsWith(name + "$") && isPublic(other));
    return List.copyOf(named);
  }

  private static String folderOf(String name) {
    return name.substring(0, name.lastIndexOf('/') + 1);
  }

  private static boolean isPublic(String name) {
    final ClassInfo info = Hierarchy.of(ClassLoader.getSystemClassLoader()).find(name);
    return info == null || info.isPublicWithin();
  }

  private void write(Path path) throws IOException {
    Twins.use(Set.copyOf(files.keySet()));
    final Path part = Files.createTempFile(path.getParent(), "far-java", ".part");
    try (OutputStream out = Files.newOutputStream(part);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(1);
      zip.putNextEntry(new ZipEntry(LIST));
      zip.write(String.join("\n", files.keySet()).getBytes(StandardCharsets.UTF_8));
      for (Map.Entry<String, byte[]> e : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(Twins.nameOf(e.getKey()) + ".class"));
        zip.write(Twins.rename(e.getValue()));
      }
      for (String name : InterfaceMethods.INTERFACES) {
        zip.putNextEntry(new ZipEntry(InterfaceMethods.nameOf(name) + ".class"));
        zip.write(Twins.rename(InterfaceMethods.copy(name)));
      }
    }
    // Other ranks may be making it, too.
    Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
