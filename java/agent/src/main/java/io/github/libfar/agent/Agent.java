package io.github.libfar.agent;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.jar.JarFile;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Rewrites the program's classes when they are loaded: objects get hidden state, which is tested
 * before they are read and written; arrays are put into objects. See docs/java.md.
 */
public final class Agent implements ClassFileTransformer {
  /** Names of the classes whose static fields have a class, by loader. */
  private static final Map<ClassLoader, Set<String>> WITH_STATICS = new WeakHashMap<>();

  /** What {@code -javaagent} calls. */
  public static void premain(String arguments, Instrumentation instrumentation)
      throws IOException {
    final Module base = Object.class.getModule();
    final Set<Module> own = Set.of(Agent.class.getModule());
    instrumentation.redefineModule(base, Set.of(),
        Map.of("jdk.internal.misc", own, "jdk.internal.access", own,
            "jdk.internal.util", own, "jdk.internal.util.random", own),
        Map.of("java.lang", own), Set.of(), Map.of());
    ArrayClasses.define(ClassLoader.getSystemClassLoader());
    final JarFile twins = TwinJar.find();
    Twins.use(twins);
    instrumentation.appendToSystemClassLoaderSearch(twins);
    instrumentation.addTransformer(new Agent());
  }

  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
      ProtectionDomain domain, byte[] file) {
    if (loader == null || name == null || redefined != null || !Scope.contains(name)) return null;
    if (Ahead.isThisThread()) return null;
    try {
      return rewrite(loader, name, file);
    } catch (Throwable e) {
      // The JVM would go on with the class as it was, whose objects others could not use.
      System.err.println("far java: cannot rewrite the class " + name.replace('/', '.') + ": " + e);
      if (Boolean.getBoolean("far.debug")) e.printStackTrace();
      Runtime.getRuntime().halt(1);
      return null;
    }
  }

  private static byte[] rewrite(ClassLoader loader, String name, byte[] file) throws Exception {
    ClassRewriter.Result result = Ahead.take(loader, name, file);
    if (result == null) result = ClassRewriter.rewrite(Hierarchy.of(loader), file);
    if (result == null) return null;
    result.lambdas().forEach((lambda, lambdaFile) -> Lambdas.add(loader, lambda, lambdaFile));
    if (result.statics() != null) defineStatics(loader, name, result.statics());
    return result.file();
  }

  /** Once: a class is loaded again if a class that it needs was missing. */
  private static void defineStatics(ClassLoader loader, String name, byte[] file)
      throws AnalyzerException {
    synchronized (WITH_STATICS) {
      if (!WITH_STATICS.computeIfAbsent(loader, l -> new HashSet<>()).add(name)) return;
      // The JVM does not call an agent for a class that the agent defines.
      Definer.define(loader, Names.staticsClass(name),
          ClassRewriter.rewrite(Hierarchy.of(loader), file).file());
    }
  }
}
