package io.github.libfar.programs;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;

/** Loads and links all classes of jars. Prints those that the verifier refuses, and a count. */
public final class LoadAll {
  public static void main(String[] jars) throws Exception {
    int loaded = 0;
    int refused = 0;
    for (String jar : jars) {
      for (String name : namesIn(jar)) {
        try {
          Class.forName(name, false, LoadAll.class.getClassLoader()).getDeclaredMethods();
          loaded++;
        } catch (NoClassDefFoundError | ClassNotFoundException e) {
          if (String.valueOf(e.getMessage()).contains("far$")) {
            System.out.println(name + ": " + e);
            refused++;
          }
        } catch (LinkageError e) {
          System.out.println(name + ": " + String.valueOf(e).split("\n")[0]);
          refused++;
        }
      }
    }
    System.out.println(loaded + " loaded, " + refused + " refused");
  }

  private static List<String> namesIn(String jar) throws Exception {
    final List<String> names = new ArrayList<>();
    try (JarFile file = new JarFile(new File(jar))) {
      file.stream().forEach(entry -> {
        final String name = entry.getName();
        if (name.endsWith(".class") && !name.startsWith("META-INF") && !name.contains("-info")) {
          names.add(name.substring(0, name.length() - 6).replace('/', '.'));
        }
      });
    }
    Collections.sort(names);
    return names;
  }
}
