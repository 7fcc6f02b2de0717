package io.github.libfar.shared;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What {@code far java --explain} prints at the end: which classes' objects ranks have shared. */
final class Explain {
  private static final int MAX_CLASSES = 20;

  /** A table of this rank, as one write so that ranks' tables do not mix. */
  static void print() {
    final StringBuilder text = new StringBuilder();
    synchronized (Space.lock()) {
      final List<Kind> kinds = new ArrayList<>(Records.all());
      kinds.removeIf(k -> k.published + k.attached == 0);
      kinds.sort(Comparator.comparingLong((Kind k) -> k.read + k.packed).reversed());
      text.append(String.format("far java: rank %d, %d collections of shared objects%n", Job.RANK,
          Collector.count()));
      text.append(String.format("%12s %12s %12s %12s %12s  %s%n", "published", "of others",
          "looked at", "read", "compared", "class"));
      for (Kind k : kinds.subList(0, Math.min(MAX_CLASSES, kinds.size()))) {
        text.append(String.format("%12d %12d %12d %12d %12d  %s%n", k.published, k.attached,
            k.refreshed, k.read, k.packed, shown(k.name)));
      }
    }
    System.err.print(text);
  }

  private static String shown(String name) {
    return name.replace("$far$Statics", " (static fields)").replace("io.github.libfar.shared.", "")
        .replace("io.github.libfar.concurrent.", "").replace("far.java.", "java.");
  }

  private Explain() {}
}
