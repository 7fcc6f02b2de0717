package io.github.libfar.concurrent;

import io.github.libfar.shared.Foreign;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;

/** Makes of an object that the JDK has returned one of the class that the program has instead. */
public final class Adopt {
  /** Returns the object itself if there is no such class. */
  public static Object adopt(Object o) {
    switch (Foreign.kindOf(o)) {
      case Foreign.OPTIONAL:
        return Optional.ofNullable(Foreign.content(o));
      case Foreign.OPTIONAL_INT:
        return Foreign.content(o) == null ? OptionalInt.empty()
            : OptionalInt.of((Integer) Foreign.content(o));
      case Foreign.OPTIONAL_LONG:
        return Foreign.content(o) == null ? OptionalLong.empty()
            : OptionalLong.of((Long) Foreign.content(o));
      case Foreign.OPTIONAL_DOUBLE:
        return Foreign.content(o) == null ? OptionalDouble.empty()
            : OptionalDouble.of((Double) Foreign.content(o));
      case Foreign.FUTURE:
        return future(o);
      case Foreign.INT_STATISTICS:
      case Foreign.LONG_STATISTICS:
      case Foreign.DOUBLE_STATISTICS:
        return statistics(Foreign.kindOf(o), Foreign.numbers(o));
      case Foreign.PROPERTIES:
        final Properties copy = new Properties();
        copy.putAll((Map<?, ?>) o);
        return copy;
      case Foreign.LIST:
        return new ArrayList<>((List<?>) o);
      default:
        return o;
    }
  }

  private static Object statistics(int kind, Number[] n) {
    final long count = n[0].longValue();
    if (kind == Foreign.INT_STATISTICS) {
      return new IntSummaryStatistics(count, n[2].intValue(), n[3].intValue(), n[1].longValue());
    }
    if (kind == Foreign.LONG_STATISTICS) {
      return new LongSummaryStatistics(count, n[2].longValue(), n[3].longValue(),
          n[1].longValue());
    }
    return new DoubleSummaryStatistics(count, n[2].doubleValue(), n[3].doubleValue(),
        n[1].doubleValue());
  }

  private static CompletableFuture<Object> future(Object stage) {
    final CompletableFuture<Object> made = new CompletableFuture<>();
    Foreign.whenComplete(stage, (value, e) -> {
      if (e == null) made.complete(value); else made.completeExceptionally((Throwable) e);
    });
    return made;
  }

  private Adopt() {}
}
