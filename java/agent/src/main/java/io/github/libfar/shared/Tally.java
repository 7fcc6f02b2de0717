package io.github.libfar.shared;

/** For Explain: what has happened to a field, or to the elements of a kind of array. */
final class Tally {
  /** As the program calls it: Class.field. */
  final String name;
  /** How often this rank has passed a change on to others. */
  long written;
  /** How often it has come across a change of another rank. */
  long changed;
  /** How often both at once: nothing had ordered the two. Of elements, only with --explain. */
  long raced;

  Tally(String kind, String field) {
    name = kind.replace("$far$Statics", "") + "." + field;
  }
}
