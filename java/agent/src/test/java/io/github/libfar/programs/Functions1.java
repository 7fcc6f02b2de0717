package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the JDK makes, in fields that threads share: lists, comparators, functions, optionals. */
public final class Functions1 {
  /** Has a default method of its own. */
  private interface Named<T> extends Predicate<T> {
    @Override
    default Predicate<T> negate() {
      return t -> {
        throw new IllegalStateException("negated");
      };
    }
  }

  private static final class Any implements Predicate<String>, Named<String> {
    @Override
    public boolean test(String s) {
      return true;
    }
  }

  private record Person(String name, int age, String city) {}

  private enum Day {
    MON, TUE, WED, THU
  }

  private static List<Integer> fixed;
  private static List<Object> lists;
  private static Map<String, Object> maps;
  private static Comparator<Person> order;
  private static List<Comparator<String>> orders;
  private static Function<Integer, Integer> function;
  private static Predicate<String> predicate;
  private static List<Supplier<Object>> others;
  private static Optional<Person> oldest;
  private static OptionalInt max;
  private static Map<String, List<Person>> byCity;
  private static List<Person> sorted;
  private static Iterator<Integer> iterator;
  private static EnumMap<Day, Integer> days;
  private static Set<Day> some;
  private static Map.Entry<String, Integer> entry;
  private static Map<Person, Integer> identities;

  /** Runs something in a thread of another rank. */
  private static void elsewhere(Runnable f) throws InterruptedException {
    final Thread t = new Thread(f);
    t.start();
    t.join();
  }

  public static void main(String[] args) throws Exception {
    final List<Person> people = List.of(new Person("Eve", 30, "Oslo"),
        new Person("Bob", 25, "Bern"), new Person("Ann", 30, "Bern"),
        new Person("Dan", 41, "Rome"));
    lists(people);
    functions();
    streams(people);
    elsewhere(Functions1::showLists);
    elsewhere(() -> showFunctions(people));
    elsewhere(Functions1::showStreams);
    // What the other thread has changed.
    System.out.println(fixed + " " + days + " " + entry + iterator.next());
    collections();
  }

  private static void lists(List<Person> people) {
    final Integer[] backing = {3, 1, 2};
    fixed = Arrays.asList(backing);
    backing[1] = 7;
    lists = List.of(List.of(), List.of(1), List.of(1, 2), List.of(1, 2, 3), Set.of("one"),
        List.copyOf(people).size(), Set.copyOf(List.of("x")), Map.of("k", 1),
        Map.ofEntries(Map.entry("e", 2)), Map.copyOf(Map.of("c", 3)), Map.entry("a", 1),
        Collections.emptyList(), Collections.singletonList(4), Collections.singleton(5),
        Collections.singletonMap("s", 6), Collections.emptyMap(), Collections.nCopies(2, "n"));
    maps = new TreeMap<>(Map.of("a", Arrays.asList("x", "y"), "b", new int[] {1}.length));
    iterator = fixed.iterator();
    iterator.next();
    days = new EnumMap<>(Day.class);
    days.put(Day.WED, 3);
    some = EnumSet.of(Day.TUE, Day.THU);
    entry = new java.util.AbstractMap.SimpleEntry<>("key", 1);
    identities = new IdentityHashMap<>();
    for (Person p : people) identities.put(p, p.age());
  }

  private static void showLists() {
    System.out.println(fixed + " " + lists + " " + maps);
    System.out.println(fixed.indexOf(7) + " " + fixed.contains(2) + days + some
        + EnumSet.complementOf(EnumSet.copyOf(some)) + EnumSet.allOf(Day.class) + entry);
    fixed.set(0, 9);
    Collections.sort(fixed);
    days.put(Day.MON, 1);
    days.merge(Day.WED, 4, Integer::sum);
    entry.setValue(2);
    System.out.println(iterator.next() + " " + identities.size() + " "
        + identities.values().stream().mapToInt(i -> i).sum());
    try {
      lists.add("no");
    } catch (UnsupportedOperationException e) {
      System.out.println("fixed");
    }
  }

  private static void functions() {
    order = Comparator.comparing(Person::city).reversed().thenComparing(Person::age,
        Comparator.reverseOrder()).thenComparing(Comparator.comparing(p -> p.name()));
    orders = new ArrayList<>();
    orders.add(Comparator.naturalOrder());
    orders.add(Comparator.reverseOrder());
    orders.add(Comparator.nullsFirst(Comparator.naturalOrder()));
    orders.add(Comparator.nullsLast(String::compareTo).reversed());
    orders.add(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    orders.add(Comparator.comparingDouble((String s) -> -s.length()).thenComparingLong(s -> 1));
    orders.add(String.CASE_INSENSITIVE_ORDER);
    orders.add(Collections.reverseOrder(String::compareTo));
    final Function<Integer, Integer> twice = x -> 2 * x;
    final Function<Integer, Integer> tenfold = x -> x * 10;
    function = twice.andThen(x -> x + 1).compose(tenfold).andThen(Function.identity());
    final Predicate<String> empty = String::isEmpty;
    predicate = empty.negate().and(Predicate.not(s -> s.startsWith("x"))).or(
        Predicate.isEqual("xx"));
    final BiFunction<Integer, Integer, Integer> plus = Integer::sum;
    final BiFunction<Integer, Integer, String> shown = plus.andThen(n -> "=" + n);
    final IntUnaryOperator next = n -> n + 1;
    final IntUnaryOperator nexts = next.andThen(next).compose(next);
    final IntPredicate even = n -> n % 2 == 0;
    final BinaryOperator<String> longest =
        BinaryOperator.maxBy(Comparator.comparing(String::length));
    final UnaryOperator<String> same = UnaryOperator.identity();
    final IntFunction<String[]> arrays = String[]::new;
    others = List.of(() -> shown.apply(1, 2), () -> nexts.applyAsInt(0),
        () -> even.negate().test(3), () -> longest.apply("a", "bb"), () -> same.apply("same"),
        () -> arrays.apply(3).length);
  }

  private static void showFunctions(List<Person> people) {
    final List<Person> copy = new ArrayList<>(people);
    copy.sort(order);
    System.out.println(copy.stream().map(Person::name).collect(Collectors.joining(",")));
    final List<String> words = new ArrayList<>(Arrays.asList("bb", "A", "ccc", "a", "b"));
    for (Comparator<String> o : orders) {
      words.sort(Comparator.naturalOrder());
      words.sort(o);
      System.out.println(words);
    }
    System.out.println(function.apply(3) + " " + predicate.test("") + predicate.test("y")
        + predicate.test("xy") + predicate.test("xx"));
    try {
      new Any().and(s -> true).and(new Any().negate()).test("");
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
    for (Supplier<Object> s : others) System.out.print(s.get() + " ");
    System.out.println();
  }

  private static void streams(List<Person> people) {
    oldest = people.stream().max(Comparator.comparingInt(Person::age));
    max = people.stream().mapToInt(Person::age).max();
    byCity = people.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new,
        Collectors.toList()));
    sorted = people.stream().sorted(order).toList();
  }

  private static void showStreams() {
    System.out.println(oldest + " " + max + oldest.map(Person::name).orElse("none"));
    byCity.computeIfAbsent("Paris", c -> new ArrayList<>()).add(oldest.get());
    System.out.println(byCity);
    System.out.println(sorted);
    System.out.println(Stream.of(3, 1, 2).findFirst() + " " + IntStream.empty().max()
        + IntStream.of(1, 2).average() + Stream.of("b", "a").collect(Collectors.toList())
        + Optional.empty().isPresent() + Optional.ofNullable("o").stream().count());
    System.out.println(sorted.stream().collect(Collectors.partitioningBy(p -> p.age() > 30,
        Collectors.counting())) + " " + sorted.stream().collect(Collectors.toMap(Person::name,
            Person::age, Integer::sum, TreeMap::new)) + sorted.stream().map(Person::age).collect(
                Collectors.collectingAndThen(Collectors.toSet(), TreeSet::new)) + sorted.stream()
                    .collect(Collectors.averagingInt(Person::age)) + sorted.stream().map(
                        Person::age).reduce(Integer::sum).get());
  }

  private static List<List<Integer>> views;

  private static void collections() throws InterruptedException {
    final List<Integer> base = new ArrayList<>(List.of(5, 3, 4));
    views = new ArrayList<>();
    views.add(Collections.unmodifiableList(base));
    views.add(Collections.synchronizedList(base));
    views.add(Collections.checkedList(base, Integer.class));
    views.add(base.subList(1, 3));
    elsewhere(() -> {
      views.get(1).set(1, 6);
      views.get(3).set(1, 8);
    });
    System.out.println(views + " " + base);
    final Map<String, Integer> map = new TreeMap<>(Map.of("q", 2, "p", 3));
    final List<Map.Entry<String, Integer>> entries = new ArrayList<>(map.entrySet());
    entries.sort(Map.Entry.comparingByValue());
    final List<Map.Entry<String, Integer>> reversed = new ArrayList<>(entries);
    reversed.sort(Map.Entry.<String, Integer>comparingByValue().reversed());
    elsewhere(() -> System.out.println(entries + " " + reversed));
  }
}
