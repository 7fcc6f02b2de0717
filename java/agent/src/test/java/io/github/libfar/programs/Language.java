package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Classes of all sorts, lambdas, records, enumerations, exceptions. */
public final class Language {
  static final String CONSTANT = "constant";
  static int counter;
  static final List<String> LOG = new ArrayList<>();

  static {
    LOG.add("initialized");
  }

  interface Shape extends Comparable<Shape> {
    double[] UNIT = {1.0};

    double area();

    default String text() {
      return getClass().getSimpleName() + " " + area() * UNIT[0];
    }

    @Override
    default int compareTo(Shape other) {
      return Double.compare(area(), other.area());
    }
  }

  record Circle(double radius) implements Shape {
    @Override
    public double area() {
      return 3 * radius * radius;
    }
  }

  record Box(double[] sides, String name) implements Shape {
    Box {
      counter++;
    }

    @Override
    public double area() {
      return sides[0] * sides[1];
    }
  }

  enum Operation implements IntBinaryOperator {
    ADD("+") {
      @Override
      public int applyAsInt(int a, int b) {
        return a + b;
      }
    },
    MULTIPLY("*") {
      @Override
      public int applyAsInt(int a, int b) {
        return a * b;
      }
    };

    private static final Map<String, Operation> BY_SIGN = new HashMap<>();
    final String sign;

    static {
      for (Operation o : values()) BY_SIGN.put(o.sign, o);
    }

    Operation(String sign) {
      this.sign = sign;
    }
  }

  static class Node<T extends Comparable<T>> implements Cloneable {
    T value;
    Node<T> next;
    protected int depth = 1;

    Node(T value, Node<T> next) {
      this.value = value;
      this.next = next;
      if (next != null) depth = next.depth + 1;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Node<T> clone() {
      try {
        return (Node<T>) super.clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  static final class Problem extends Exception {
    private final int code;

    Problem(String text, int code) {
      super(text);
      this.code = code;
    }
  }

  private final class Inner {
    int mine = outer * 2;
  }

  private int outer = 21;
  private transient volatile long ticks;
  private volatile String word = "w";

  private static long fails(int n) throws Problem {
    try {
      if (n > 2) throw new Problem("too many", n);
      return n;
    } finally {
      counter += 100;
    }
  }

  public static void main(String[] args) throws Exception {
    System.out.println(CONSTANT + LOG + counter);
    shapes();
    enums();
    lambdas();
    exceptions();
    final Language me = new Language();
    me.ticks += 5;
    me.word += "x";
    System.out.println(me.new Inner().mine + " " + me.ticks + me.word);
    final Node<String> list = new Node<>("a", new Node<>("b", null));
    final Node<String> copy = list.clone();
    copy.value = "c";
    System.out.println(list.value + copy.value + copy.next.value + copy.depth);
    final Object lock = new Object();
    synchronized (lock) {
      System.out.println(lock.equals(lock) + " " + (lock.hashCode() == lock.hashCode())
          + lock.getClass());
    }
    final long big = 1L << 40;
    System.out.println(big + " " + (int) big + " " + (char) ('a' + 1) + 1.0f / 3);
    assert counter >= 0;
  }

  private static void shapes() {
    final List<Shape> shapes = new ArrayList<>();
    shapes.add(new Box(new double[] {2, 3}, "box"));
    shapes.add(new Circle(1));
    Collections.sort(shapes);
    for (Shape s : shapes) System.out.println(s.text());
    System.out.println(new Circle(2) + " " + new Circle(2).equals(new Circle(2)) + " "
        + new Circle(2).hashCode() + " " + counter);
    final Object o = shapes.get(0);
    if (o instanceof Circle c && c.radius() == 1) System.out.println("one");
  }

  private static void enums() {
    final EnumMap<Operation, Integer> results = new EnumMap<>(Operation.class);
    for (Operation o : Operation.values()) results.put(o, o.applyAsInt(3, 4));
    System.out.println(results + " " + Operation.valueOf("ADD").sign
        + Operation.BY_SIGN.get("*").ordinal());
    switch (Operation.BY_SIGN.get("+")) {
      case ADD -> System.out.println("adds");
      case MULTIPLY -> System.out.println("multiplies");
    }
    switch ("two") {
      case "one":
        System.out.println(1);
        break;
      case "two":
        System.out.println(2);
        break;
      default:
    }
  }

  private int add(int n) {
    return outer + n;
  }

  private static void lambdas() {
    final int base = 10;
    final Function<Integer, Integer> plus = n -> n + base;
    final Supplier<List<String>> maker = ArrayList::new;
    final BiFunction<Language, Integer, Integer> method = Language::add;
    final Function<String, Integer> length = String::length;
    final Supplier<int[]> array = () -> new int[] {1, 2, 3};
    final Function<int[], Integer> first = a -> a[0];
    final List<String> made = maker.get();
    made.add("z");
    System.out.println(plus.apply(5) + " " + made + method.apply(new Language(), 1)
        + length.apply("four") + array.get().length + first.apply(array.get()));
    final Runnable r = (Runnable & java.io.Serializable) () -> counter += base;
    r.run();
    System.out.println(counter);
    final Map<Integer, List<String>> byLength = List.of("a", "bb", "cc").stream()
        .collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.toList()));
    System.out.println(byLength);
    final IntBinaryOperator max = Math::max;
    final Function<Object, String> text = String::valueOf;
    System.out.println(max.applyAsInt(3, 9) + text.andThen(s -> s + "!").apply(7L));
  }

  private static void exceptions() {
    try {
      System.out.println(fails(1) + fails(3));
    } catch (Problem e) {
      System.out.println(e.getMessage() + e.code + " " + counter);
    }
    try {
      final Node<String> none = new Node<>("x", null);
      System.out.println(none.next.value);
    } catch (NullPointerException e) {
      System.out.println("null");
    }
  }
}
