package io.github.libfar.agent;

import java.util.Set;
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
  private static final String OWN = "io/github/libfar/";
  private static final Set<String> OWN_PACKAGES =
      Set.of(OWN + "agent", OWN + "shared", OWN + "asm");

  /** Whether the class of this internal name is the program's. */
  static boolean contains(String name) {
    if (name.startsWith("[")) return false;
    final int end = name.lastIndexOf('/');
    final String folder = end < 0 ? "" : name.substring(0, end);
    if (JDK_PACKAGES.contains(folder)) return false;
    if (OWN_PACKAGES.contains(folder)) return false;
    return !name.startsWith(OWN + "asm/");
  }

  private Scope() {}
}
