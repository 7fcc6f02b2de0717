package io.github.libfar.concurrent;

import java.util.ArrayList;
import java.util.Objects;

/** java.util.StringJoiner, which ranks can share. */
public final class StringJoiner {
  private final String prefix;
  private final String delimiter;
  private final String suffix;
  private final ArrayList<String> parts = new ArrayList<>();
  private String empty;

  public StringJoiner(CharSequence delimiter) {
    this(delimiter, "", "");
  }

  public StringJoiner(CharSequence delimiter, CharSequence prefix, CharSequence suffix) {
    this.prefix = prefix.toString();
    this.delimiter = delimiter.toString();
    this.suffix = suffix.toString();
  }

  public StringJoiner setEmptyValue(CharSequence value) {
    empty = Objects.requireNonNull(value).toString();
    return this;
  }

  public StringJoiner add(CharSequence text) {
    parts.add(String.valueOf(text));
    return this;
  }

  public StringJoiner merge(StringJoiner other) {
    if (!other.parts.isEmpty()) add(other.joined());
    return this;
  }

  private String joined() {
    return String.join(delimiter, parts);
  }

  public int length() {
    return toString().length();
  }

  @Override
  public String toString() {
    if (parts.isEmpty() && empty != null) return empty;
    return prefix + joined() + suffix;
  }
}
