// Counts the words of files, in which every rank reads every n-th line, and prints the commonest.
//
//     far run -n 4 java -cp PREFIX/share/java/far.jar WordCount.java FILE...

import io.github.libfar.Codec;
import io.github.libfar.FarLock;
import io.github.libfar.FarMap;
import io.github.libfar.FarQueue;
import io.github.libfar.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class WordCount {
  private static final int SHOWN = 5;

  public static void main(String[] files) {
    Job.run(
        job -> {
          Map<String, Long> mine = countLines(job, files);
          try (FarMap<String, Long> counts = new FarMap<>(job, Codec.STRING, Codec.LONG);
              FarLock lock = new FarLock(job);
              FarQueue<String> best = new FarQueue<>(job, 0, 1024, 200, Codec.STRING)) {
            // A key's value is read and set in two steps, so one rank at a time does it.
            try (FarLock.Hold hold = lock.acquire()) {
              mine.forEach((word, n) -> counts.put(word, counts.getOrDefault(word, 0L) + n));
            }
            job.barrier();
            for (String line : commonest(counts)) best.push(line);
            job.barrier();
            if (job.rank() == 0) print(best);
          }
        });
  }

  private static Map<String, Long> countLines(Job job, String[] files) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    for (String file : files) {
      List<String> lines = Files.readAllLines(Path.of(file));
      for (int i = job.rank(); i < lines.size(); i += job.size()) {
        for (String word : lines.get(i).toLowerCase().split("[^a-z]+")) {
          if (!word.isEmpty()) counts.merge(word, 1L, Long::sum);
        }
      }
    }
    return counts;
  }

  /** Of this rank's part of the map. */
  private static List<String> commonest(FarMap<String, Long> counts) {
    Map<String, Long> here = new TreeMap<>();
    counts.forEachLocal(here::put);
    return here.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(SHOWN)
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .toList();
  }

  private static void print(FarQueue<String> best) {
    Map<String, Long> all = new TreeMap<>();
    for (String line = best.poll(); line != null; line = best.poll()) {
      all.put(line, Long.parseLong(line.substring(0, line.indexOf(' '))));
    }
    all.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
        .limit(SHOWN)
        .forEach(entry -> System.out.println(entry.getKey()));
  }
}
