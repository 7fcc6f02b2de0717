package io.github.libfar.concurrent;

import java.util.Objects;

/** java.util.StringJoiner, which ranks can share. */
public final class StringJoiner {
  private final String prefix;
  private final String delimiter;
  private final String suffix;
  /** What has been joined; null: nothing. */
  private String joined;
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
    joined = joined == null ? String.valueOf(text) : joined + delimiter + text;
    return this;
  }

  public StringJoiner merge(StringJoiner other) {
    if (other.joined != null) add(other.joined);
    return this;
  }

  public int length() {
    return toString().length();
  }

  @Override
  public String toString() {
    if (joined == null && empty != null) return empty;
    return prefix + (joined == null ? "" : joined) + suffix;
  }
}
