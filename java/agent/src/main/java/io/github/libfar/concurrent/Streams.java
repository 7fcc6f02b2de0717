package io.github.libfar.concurrent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Methods of streams whose results ranks can share. */
public final class Streams {
  @SuppressWarnings("unchecked")
  public static <T> List<T> toList(Stream<T> stream) {
    final Object[] elements = stream.toArray();
    return (List<T>) Collections.unmodifiableList(new ArrayList<>(Arrays.asList(elements)));
  }

  private Streams() {}
}
