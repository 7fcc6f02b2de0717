package io.github.libfar.agent;

import jdk.internal.access.SharedSecrets;

/** Defines classes that the program does not have as files, beside those that it has. */
final class Definer {
  static Class<?> define(ClassLoader loader, String name, byte[] file) {
    return SharedSecrets.getJavaLangAccess()
        .defineClass(loader, name.replace('/', '.'), file, null, "libfar");
  }

  private Definer() {}
}
