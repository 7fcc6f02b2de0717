package io.github.libfar.agent;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which classes are the program's: those of no package of the JDK's modules, nor of this agent.
 * The others keep their arrays and have no hidden state.
 */
final class Scope {
  private static final Set<String> JDK_PACKAGES =
      ModuleLayer.boot().modules().stream()
          .flatMap(module -> module.getPackages().stream())
          .map(name -> name.replace('.', '/'))
          .collect(Collectors.toUnmodifiableSet());
  /** What java.lang.reflect.Proxy makes, in the package of an interface. */
  private static final Pattern PROXY = Pattern.compile("(.*/)?\\$Proxy\\d+");
  private static final String OWN = "io/github/libfar/";
  private static final Set<String> OWN_PACKAGES =
      Set.of(OWN + "agent", OWN + "shared", OWN + "asm");

  /** Whether the class of this internal name is the program's. */
  static boolean contains(String name) {
    if (name.startsWith("[") || isOfJdk(name) || OWN_PACKAGES.contains(folderOf(name))) {
      return false;
    }
    return !name.startsWith(OWN + "asm/") && !PROXY.matcher(name).matches();
  }

  static boolean isOfJdk(String name) {
    return JDK_PACKAGES.contains(folderOf(name));
  }

  static boolean isInterfaceOfJdk(String name) {
    if (!isOfJdk(name)) return false;
    try {
      return Class.forName(name.replace('/', '.'), false, ClassLoader.getPlatformClassLoader())
          .isInterface();
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String folderOf(String name) {
    final int end = name.lastIndexOf('/');
    return end < 0 ? "" : name.substring(0, end);
  }

  private Scope() {}
}
