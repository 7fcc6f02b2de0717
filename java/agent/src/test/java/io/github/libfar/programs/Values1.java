package io.github.libfar.programs;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Objects of the JDK that never change, in fields of objects that threads share. */
public final class Values1 {
  private static final Logger LOGGER = Logger.getLogger(Values1.class.getName());
  private static final PrintStream OUT = System.out;
  private static final Pattern DIGITS = Pattern.compile("\\d+");
  private static final Locale LOCALE = Locale.GERMANY;
  private static final Charset CHARSET = StandardCharsets.UTF_8;
  private static final TimeUnit UNIT = TimeUnit.SECONDS;
  private static final Comparator<String> ORDER = String.CASE_INSENSITIVE_ORDER;
  private static final ThreadLocal<int[]> COUNT = ThreadLocal.withInitial(() -> new int[1]);
  private static final Runtime RUNTIME = Runtime.getRuntime();
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final ClassLoader LOADER = ClassLoader.getSystemClassLoader();
  private static final SplittableRandom RANDOM = new SplittableRandom(7);

  private record Event(Instant at, Duration took, LocalDate day, LocalDateTime time, ZoneId zone,
      DayOfWeek weekday, URI from, Path path) {}

  private static final IntSummaryStatistics LENGTHS =
      Stream.of("a", "bb").mapToInt(String::length).summaryStatistics();
  private static final StringJoiner JOINED = new StringJoiner(",", "<", ">");
  private static Event event;
  private static RuntimeException failure;
  private static Throwable same;

  /** A failure of the program's own, with a cause. */
  private static final class Refused extends RuntimeException {
    final int status;

    Refused(int status, Throwable cause) {
      super(cause);
      this.status = status;
    }
  }

  private static List<String> lines;

  public static void main(String[] args) throws Exception {
    event = new Event(Instant.EPOCH, Duration.ofMinutes(3), LocalDate.of(2020, 2, 29),
        LocalDateTime.of(2021, 1, 2, 3, 4), ZoneId.of("UTC"), DayOfWeek.FRIDAY,
        URI.create("http://a/b"), Path.of("some", "file"));
    COUNT.get()[0] = 5;
    final Path file = Files.createTempFile("far", ".txt");
    Files.write(file, List.of("first", "second"));
    lines = Files.readAllLines(file);
    Files.delete(file);
    final Thread t = new Thread(Values1::show);
    t.start();
    t.join();
    OUT.println(event + " " + COUNT.get()[0] + failure + RANDOM.nextInt(100));
    for (Throwable e = failure; e != null; e = e.getCause()) OUT.println(e);
    OUT.println(((Refused) failure.getCause()).status + " " + (failure == same));
    OUT.println(lines + " " + LENGTHS + " " + JOINED + Stream.of(1, 2).collect(
        Collectors.summarizingDouble(x -> x)).getMax());
  }

  private static void show() {
    COUNT.get()[0]++;
    OUT.println(event + " " + DIGITS.matcher("a12b").replaceAll("#") + LOCALE + CHARSET + UNIT
        + ORDER.compare("A", "a") + (LOGGER == Logger.getLogger(Values1.class.getName()))
        + COUNT.get()[0] + " " + RANDOM.nextInt(100) + DIGITS.pattern());
    LENGTHS.accept(7);
    JOINED.add("x").add("y");
    lines.add("third");
    failure = new IllegalStateException(
        "message", new Refused(404, new IllegalArgumentException((String) null)));
    same = failure;
    OUT.println((RUNTIME == Runtime.getRuntime())
        + " " + (THREADS == ManagementFactory.getThreadMXBean())
        + " " + (LOADER == Values1.class.getClassLoader()));
    event = new Event(event.at().plusSeconds(1), event.took().plusNanos(5), event.day().plusDays(1),
        event.time(), event.zone(), event.weekday().plus(1), event.from().resolve("c"),
        event.path().resolve("x"));
  }
}
