package io.github.libfar.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts programs, and collects what they print. */
final class Programs {
  record Outcome(int status, String text) {}

  private static final String AGENT = System.getProperty("far.agent");
  private static final String LIBRARY = System.getProperty("far.library", "");
  private static final String FAR = System.getProperty("far.command", "");
  private static final String CLASSES = System.getProperty("java.class.path");
  private static final String PACKAGE = "io.github.libfar.programs.";
  private static final int LIMIT_S = 180;

  /** Whether there is a build of libfar to run on. */
  static boolean haveRanks() {
    return !FAR.isEmpty() && !LIBRARY.isEmpty();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** As it was compiled. */
  static Outcome plain(String program, String... arguments) throws Exception {
    return run(words(List.of(java(), "-ea", "-cp", CLASSES, PACKAGE + program), arguments));
  }

  /** Rewritten, in one JVM. */
  static Outcome rewritten(String program, String... arguments) throws Exception {
    return run(words(List.of(java(), "-ea", "-Xverify:all", "-javaagent:" + AGENT, "-cp", CLASSES,
        "io.github.libfar.shared.Main", PACKAGE + program), arguments));
  }

  /** Rewritten, in one JVM, which compiles each method when it is first called, and tells of it. */
  static String compiled(String program) throws Exception {
    return run(words(List.of(java(), "-Xcomp", "-XX:+PrintCompilation", "-XX:CompileCommand=quiet",
        "-XX:CompileCommand=compileonly,io.github.libfar.programs.*::*",
        "-XX:CompileCommand=compileonly,io.github.libfar.concurrent.*::*",
        "-XX:CompileCommand=compileonly,far.java.util.*::*", "-javaagent:" + AGENT, "-cp", CLASSES,
        "io.github.libfar.shared.Main", PACKAGE + program))).text();
  }

  /** By far java. */
  static Outcome onRanks(int ranks, boolean copies, String program, String... arguments)
      throws Exception {
    return onRanks(ranks, copies, List.of(), program, arguments);
  }

  static Outcome onRanks(int ranks, boolean copies, List<String> options, String program,
      String... arguments) throws Exception {
    return run(farJava(ranks, copies, options, program, arguments));
  }

  static List<String> farJava(int ranks, boolean copies, List<String> options, String program,
      String... arguments) {
    final List<String> command = new ArrayList<>(List.of(FAR, "java", "-n", "" + ranks));
    if (copies) command.add("--copies");
    command.addAll(options);
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
        CLASSES, PACKAGE + program));
    return words(command, arguments);
  }

  /** By another launcher, whose ranks are far java. */
  static Outcome inJob(List<String> launcher, String program) throws Exception {
    final List<String> command = new ArrayList<>(launcher);
    command.addAll(List.of(FAR, "java", "-Xmx128m", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-cp", CLASSES, PACKAGE + program));
    return run(command);
  }

  /** The command far itself. */
  static String far() {
    return FAR;
  }

  private static List<String> words(List<String> first, String... rest) {
    final List<String> all = new ArrayList<>(first);
    all.addAll(List.of(rest));
    return all;
  }

  static Outcome run(List<String> command) throws IOException, InterruptedException {
    return outcome(start(command));
  }

  /** With classes of a folder before all others, for so long at most. */
  static Outcome runWith(Path classes, int limit, List<String> command)
      throws IOException, InterruptedException {
    final List<String> words = new ArrayList<>(command);
    words.replaceAll(word -> word.equals(CLASSES) ? classes + ":" + CLASSES : word);
    return outcome(start(words, limit));
  }

  private static Outcome outcome(Process process) throws IOException, InterruptedException {
    final String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), text);
  }

  /** It ends after some minutes, whatever it does. */
  static Process start(List<String> command) throws IOException {
    return start(command, LIMIT_S);
  }

  private static Process start(List<String> command, int limit) throws IOException {
    final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("FAR_JAVA_AGENT", AGENT);
    builder.environment().put("FAR_JAVA_LIBRARY", LIBRARY);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    final Process process = builder.start();
    process.getOutputStream().close();
    final Thread killer = new Thread(() -> {
      try {
        if (!process.waitFor(limit, TimeUnit.SECONDS)) process.destroyForcibly();
      } catch (InterruptedException e) {
        process.destroyForcibly();
      }
    });
    killer.setDaemon(true);
    killer.start();
    return process;
  }

  private Programs() {}
}
