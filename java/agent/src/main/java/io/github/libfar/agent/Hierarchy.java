package io.github.libfar.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.Opcodes;

/**
 * The classes that a class loader can find; none is loaded for it. A missing class is
 * {@code null}, because the program may never use it.
 */
final class Hierarchy {
  private static final Map<ClassLoader, Hierarchy> ALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final ClassLoader loader;
  private final Map<String, Optional<ClassInfo>> known = new ConcurrentHashMap<>();

  private Hierarchy(ClassLoader loader) {
    this.loader = loader;
  }

  static Hierarchy of(ClassLoader loader) {
    return ALL.computeIfAbsent(loader, Hierarchy::new);
  }

  ClassInfo find(String name) {
    if (name == null || name.startsWith("[")) return null;
    final Optional<ClassInfo> found = known.get(name);
    if (found != null) return found.orElse(null);
    final ClassInfo read = read(name);
    known.put(name, Optional.ofNullable(read));
    return read;
  }

  /** Tells of a class that is being defined: one whose file the loader cannot find. */
  ClassInfo add(byte[] classFile) {
    final ClassInfo info = ClassInfo.of(classFile);
    known.put(info.name, Optional.of(info));
    return info;
  }

  private ClassInfo read(String name) {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      return in == null ? null : ClassInfo.of(in.readAllBytes());
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Whether objects of the class have hidden state. */
  boolean isRewritten(String name) {
    final ClassInfo info = find(name);
    return info != null && info.isRewritten();
  }

  /** The class that declares a field, as the JVM resolves it; null if it is not to be found. */
  ClassInfo.Field field(String owner, String name, String desc) {
    final ClassInfo info = find(owner);
    if (info == null) return null;
    final ClassInfo.Field own = info.fields.get(name + desc);
    if (own != null) return own;
    for (String i : info.interfaces) {
      final ClassInfo.Field inherited = field(i, name, desc);
      if (inherited != null) return inherited;
    }
    return info.superName == null ? null : field(info.superName, name, desc);
  }

  /** The class or interface that declares a method; null if it is not to be found. */
  ClassInfo method(String owner, String name, String desc) {
    for (ClassInfo c = find(owner); c != null; c = find(c.superName)) {
      if (c.methods.containsKey(name + desc)) return c;
    }
    return methodOfInterfaces(find(owner), name, desc);
  }

  private ClassInfo methodOfInterfaces(ClassInfo of, String name, String desc) {
    for (ClassInfo c = of; c != null; c = find(c.superName)) {
      for (String i : c.interfaces) {
        final ClassInfo info = find(i);
        if (info == null) continue;
        if (info.methods.containsKey(name + desc)) return info;
        final ClassInfo above = methodOfInterfaces(info, name, desc);
        if (above != null) return above;
      }
    }
    return null;
  }

  /** Whether a method is one that the JDK declares above the class, so that the JDK may call it. */
  boolean overridesForeign(ClassInfo of, String name, String desc) {
    final List<String> above = new ArrayList<>(of.interfaces);
    if (of.superName != null) above.add(of.superName);
    for (String a : above) {
      final ClassInfo info = find(a);
      if (info == null) continue;
      if (!info.isRewritten()) {
        final Integer access = info.methods.get(name + desc);
        if (access != null && (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0) {
          return true;
        }
      }
      if (overridesForeign(info, name, desc)) return true;
    }
    return false;
  }

  /** Whether nobody can tell when a class is initialized, nor one above it. */
  boolean isQuiet(String name) {
    final ClassInfo info = find(name);
    if (info == null) return false;
    if (!info.isRewritten()) return true;
    return info.isQuiet() && info.interfaces.stream().allMatch(this::isQuiet)
        && (info.superName == null || isQuiet(info.superName));
  }

  /** The topmost rewritten class above a rewritten class, or itself; null if one is missing. */
  ClassInfo root(String name) {
    ClassInfo at = find(name);
    if (at == null || !at.isRewritten()) return null;
    for (;;) {
      final ClassInfo above = find(at.superName);
      if (above == null) return null;
      if (!above.isRewritten()) return at;
      at = above;
    }
  }

  boolean isSubclass(String name, String of) {
    for (ClassInfo c = find(name); c != null; c = find(c.superName)) {
      if (c.name.equals(of)) return true;
    }
    return false;
  }

  /** The closest common superclass; Object where the verifier would not know better. */
  String commonSuper(String a, String b) {
    if (a.equals(b)) return a;
    final ClassInfo first = find(a);
    final ClassInfo second = find(b);
    if (first == null || second == null || first.isInterface() || second.isInterface()) {
      return Names.OBJECT;
    }
    for (ClassInfo c = first; c != null; c = find(c.superName)) {
      if (isSubclass(b, c.name)) return c.name;
    }
    return Names.OBJECT;
  }
}
