package io.github.libfar.shared;

import io.github.libfar.agent.Ahead;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** Starts the program: {@code far java} has the JVM run this with its main class and arguments. */
public final class Main {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0) {
      System.err.println("far java: no class to run");
      System.exit(2);
    }
    final boolean isJar = arguments[0].equals("-jar");
    final String[] rest = Arrays.copyOfRange(arguments, isJar ? 2 : 1, arguments.length);
    if (!Job.ACTIVE) {
      runAlone(mainOf(isJar ? mainClassOf(arguments[1]) : arguments[0]), rest);
      return;
    }
    Job.common();
    final String main = isJar ? mainClassOf(arguments[1]) : arguments[0];
    if (Job.RANK == 0) {
      Threads.startMain(new Program(mainOf(main), rest));
    } else {
      Ahead.begin(main);
    }
    Messages.serve();
    Alone.end();
    final int status = Threads.finish();
    Job.runHooks();
    if (Explain.ON) Explain.print();
    System.out.flush();
    System.err.flush();
    Native.barrier();
    if (Job.RANK == 0) Native.exit(status);
    Native.barrier();  // ends with the job: daemons may still be in the space
  }

  /** Runs the main method; never leaves its rank. */
  private static final class Program extends SharedObject implements Runnable {
    private static Method main;
    private static String[] arguments;

    Program(Method runs, String[] with) {
      main = runs;
      arguments = with;
    }

    @Override
    public void run() {
      try {
        main.invoke(null, (Object) arguments);
      } catch (InvocationTargetException e) {
        throw Main.<RuntimeException>unchecked(e.getCause());
      } catch (IllegalAccessException e) {
        throw Main.<RuntimeException>unchecked(e);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable e) throws E {
    throw (E) e;
  }

  private static void runAlone(Method main, String[] arguments) throws Exception {
    try {
      main.invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      System.err.print("Exception in thread \"main\" ");
      e.getCause().printStackTrace();
      System.exit(1);
    }
  }

  private static String mainClassOf(String jar) {
    try (JarFile file = new JarFile(jar)) {
      final Manifest manifest = file.getManifest();
      final String name =
          manifest == null ? null : manifest.getMainAttributes().getValue("Main-Class");
      if (name != null) return name.trim();
    } catch (IOException e) {
      throw Job.fail("cannot read " + jar + ": " + e.getMessage());
    }
    throw Job.fail(jar + " does not say which class to run: its manifest has no Main-Class;"
        + " use -cp " + jar + " and the name of the class");
  }

  private static Method mainOf(String name) {
    try {
      final Class<?> c = Class.forName(name, true, ClassLoader.getSystemClassLoader());
      final Method main = c.getMethod("main", String[].class);
      if (!Modifier.isStatic(main.getModifiers())) throw new NoSuchMethodException();
      main.setAccessible(true);
      return main;
    } catch (ClassNotFoundException e) {
      throw Job.fail("there is no class " + name + " in the class path");
    } catch (NoSuchMethodException e) {
      throw Job.fail("the class " + name
          + " has no method 'public static void main(String[])' to start with");
    }
  }

  private Main() {}
}
