package io.github.libfar.shared;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What {@code far java --explain} prints at the end: which classes' objects ranks have shared, which
 * fields they have changed, and races that they have come across.
 */
final class Explain {
  static final boolean ON = Boolean.getBoolean("far.explain");
  private static final int MAX_LINES = 20;

  /** The tables of this rank, as one write so that ranks' tables do not mix. */
  static void print() {
    final StringBuilder text = new StringBuilder();
    synchronized (Space.lock()) {
      text.append(String.format("far java: rank %d, %d collections of shared objects%n", Job.RANK,
          Collector.count()));
      final List<Kind> kinds = new ArrayList<>(Records.all());
      printClasses(text, kinds);
      printFields(text, kinds.stream().flatMap(k -> k.tallies().stream()).toList());
    }
    System.err.print(text);
  }

  private static void printClasses(StringBuilder text, List<Kind> kinds) {
    text.append(String.format("%12s %12s %12s %12s %12s  %s%n", "published", "of others",
        "looked at", "read", "compared", "class"));
    kinds.stream().filter(k -> k.published + k.attached > 0)
        .sorted(Comparator.comparingLong((Kind k) -> k.read + k.packed).reversed())
        .limit(MAX_LINES)
        .forEach(k -> text.append(String.format("%12d %12d %12d %12d %12d  %s%n", k.published,
            k.attached, k.refreshed, k.read, k.packed, shown(k.name))));
  }

  private static void printFields(StringBuilder text, List<Tally> tallies) {
    text.append(String.format("%12s %12s  %s%n", "written", "by others", "field"));
    tallies.stream().filter(t -> t.written + t.changed > 0)
        .sorted(Comparator.comparingLong((Tally t) -> t.written + t.changed).reversed())
        .limit(MAX_LINES)
        .forEach(t -> text.append(String.format("%12d %12d  %s%n", t.written, t.changed,
            shown(t.name))));
    final Stream<Tally> raced = tallies.stream().filter(t -> t.raced > 0);
    raced.forEach(t -> text.append(String.format(
        "far java: warning: a race: rank %d and another one wrote %s at the same time; seen %d"
        + " times%n", Job.RANK, shown(t.name), t.raced)));
  }

  static String shown(String name) {
    return name.replace("$far$Statics", " (static fields)").replace("io.github.libfar.shared.", "")
        .replace("io.github.libfar.concurrent.", "").replace("far.java.", "java.");
  }

  private Explain() {}
}
