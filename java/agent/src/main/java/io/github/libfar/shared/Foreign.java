package io.github.libfar.shared;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** Objects of the JDK's own classes, where the program has others of the same name: see Adopt. */
public final class Foreign {
  public static final int OTHER = 0;
  public static final int OPTIONAL = 1;
  public static final int OPTIONAL_INT = 2;
  public static final int OPTIONAL_LONG = 3;
  public static final int OPTIONAL_DOUBLE = 4;
  public static final int FUTURE = 5;
  public static final int INT_STATISTICS = 6;
  public static final int LONG_STATISTICS = 7;
  public static final int DOUBLE_STATISTICS = 8;
  public static final int PROPERTIES = 9;
  public static final int LIST = 10;

  public static int kindOf(Object o) {
    if (o instanceof Optional) return OPTIONAL;
    if (o instanceof OptionalInt) return OPTIONAL_INT;
    if (o instanceof OptionalLong) return OPTIONAL_LONG;
    if (o instanceof OptionalDouble) return OPTIONAL_DOUBLE;
    if (o instanceof IntSummaryStatistics) return INT_STATISTICS;
    if (o instanceof LongSummaryStatistics) return LONG_STATISTICS;
    if (o instanceof DoubleSummaryStatistics) return DOUBLE_STATISTICS;
    if (o instanceof Properties) return PROPERTIES;
    if (o != null && o.getClass() == ArrayList.class) return LIST;
    return o instanceof CompletionStage ? FUTURE : OTHER;
  }

  /** What is in an optional; null: nothing. */
  public static Object content(Object o) {
    if (o instanceof OptionalInt i) return i.isPresent() ? i.getAsInt() : null;
    if (o instanceof OptionalLong l) return l.isPresent() ? l.getAsLong() : null;
    if (o instanceof OptionalDouble d) return d.isPresent() ? d.getAsDouble() : null;
    return ((Optional<?>) o).orElse(null);
  }

  /** The count, the sum, the least and the greatest number of statistics. */
  public static Number[] numbers(Object o) {
    if (o instanceof IntSummaryStatistics s) {
      return new Number[] {s.getCount(), s.getSum(), s.getMin(), s.getMax()};
    }
    if (o instanceof LongSummaryStatistics s) {
      return new Number[] {s.getCount(), s.getSum(), s.getMin(), s.getMax()};
    }
    final DoubleSummaryStatistics s = (DoubleSummaryStatistics) o;
    return new Number[] {s.getCount(), s.getSum(), s.getMin(), s.getMax()};
  }

  @SuppressWarnings("unchecked")
  public static void whenComplete(Object stage, BiConsumer<Object, Object> action) {
    ((CompletionStage<Object>) stage).whenComplete(action::accept);
  }

  /** Nobody but null can be passed to that call. */
  public static Object refuse(Object o, String call) {
    if (o == null) return null;
    throw Job.fail("cannot call " + call + " of the program's: the JDK takes only its own, which"
        + " ranks cannot share");
  }

  /** An object that other ranks know cannot be passed to that native method. */
  public static Object refuseShared(Object o, String method) {
    if (!Slow.isShared(o)) return o;
    throw Job.fail("cannot call the native method " + method + " with an object of "
        + o.getClass().getName() + " that ranks share");
  }

  private Foreign() {}
}
