package io.github.libfar.concurrent;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * java.util.concurrent.ConcurrentHashMap, over ranks: 16 maps, each with a monitor. What iterates
 * goes over a copy, in the order that the JDK's table would have.
 */
public class ConcurrentHashMap<K, V> extends ConcurrentBulk<K, V> implements ConcurrentMap<K, V> {
  private static final int PARTS = 16;
  private static final int MIN_CAPACITY = 16;

  private final ArrayList<HashMap<K, V>> parts = new ArrayList<>();
  private final int capacity;

  public ConcurrentHashMap() {
    this(MIN_CAPACITY / 2, 0.75f);  // a table of 16
  }

  public ConcurrentHashMap(int capacity) {
    this(capacity, 0.75f);
  }

  public ConcurrentHashMap(int capacity, float load) {
    this(capacity, load, 1);
  }

  public ConcurrentHashMap(int capacity, float load, int concurrency) {
    if (capacity < 0 || !(load > 0) || concurrency <= 0) throw new IllegalArgumentException();
    this.capacity = table((long) (1.0 + Math.max(capacity, concurrency) / load));
    for (int k = 0; k < PARTS; k++) parts.add(new HashMap<>());
  }

  public ConcurrentHashMap(Map<? extends K, ? extends V> from) {
    capacity = Math.max(MIN_CAPACITY, table(from.size() * 3L / 2 + 1));
    for (int k = 0; k < PARTS; k++) parts.add(new HashMap<>());
    putAll(from);
  }

  private static int table(long slots) {
    int power = 1;
    while (power < slots && power < 1 << 30) power *= 2;
    return power;
  }

  private HashMap<K, V> part(Object key) {
    final int hash = key.hashCode() * 0x9e3779b9;
    return parts.get(hash >>> 28);
  }

  private static void check(Object value) {
    if (value == null) throw new NullPointerException();
  }

  @Override
  public V get(Object key) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.get(key);
    }
  }

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  public boolean containsValue(Object value) {
    check(value);
    return super.containsValue(value);
  }

  public boolean contains(Object value) {
    return containsValue(value);
  }

  @Override
  public V getOrDefault(Object key, V otherwise) {
    final V found = get(key);
    return found == null ? otherwise : found;
  }

  @Override
  public V put(K key, V value) {
    check(value);
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.put(key, value);
    }
  }

  @Override
  public V putIfAbsent(K key, V value) {
    check(value);
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.putIfAbsent(key, value);
    }
  }

  @Override
  public V remove(Object key) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.remove(key);
    }
  }

  @Override
  public boolean remove(Object key, Object value) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return value != null && part.remove(key, value);
    }
  }

  @Override
  public V replace(K key, V value) {
    check(value);
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.replace(key, value);
    }
  }

  @Override
  public boolean replace(K key, V old, V value) {
    check(old);
    check(value);
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.replace(key, old, value);
    }
  }

  /** In the part's monitor. {@code value} null: the key is removed. */
  private V store(HashMap<K, V> part, K key, V value) {
    if (value == null) part.remove(key); else part.put(key, value);
    return value;
  }

  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> f) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      final V found = part.get(key);
      if (found != null) return found;
      final V made = f.apply(key);
      if (part.get(key) != null) throw new IllegalStateException("Recursive update");
      if (made != null) part.put(key, made);
      return made;
    }
  }

  @Override
  public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> f) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      final V found = part.get(key);
      return found == null ? null : store(part, key, f.apply(key, found));
    }
  }

  @Override
  public V compute(K key, BiFunction<? super K, ? super V, ? extends V> f) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      final V found = part.get(key);
      final V made = f.apply(key, found);
      if (part.get(key) != found) throw new IllegalStateException("Recursive update");
      return store(part, key, made);
    }
  }

  @Override
  public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> f) {
    check(value);
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      final V found = part.get(key);
      return store(part, key, found == null ? value : f.apply(found, value));
    }
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> f) {
    for (K key : keySet()) {
      computeIfPresent(key, (k, v) -> {
        final V now = f.apply(k, v);
        check(now);
        return now;
      });
    }
  }

  @Override
  public int size() {
    int n = 0;
    for (HashMap<K, V> part : parts) {
      synchronized (part) {
        n += part.size();
      }
    }
    return n;
  }

  @Override
  public void clear() {
    for (HashMap<K, V> part : parts) {
      synchronized (part) {
        part.clear();
      }
    }
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> f) {
    for (Entry<K, V> e : entries()) f.accept(e.getKey(), e.getValue());
  }

  /** The entries as they are now. */
  @Override
  final ArrayList<Entry<K, V>> entries() {
    final ArrayList<Entry<K, V>> all = new ArrayList<>();
    for (HashMap<K, V> part : parts) {
      synchronized (part) {
        for (Map.Entry<K, V> e : part.entrySet()) all.add(new Entry<>(this, e));
      }
    }
    int table = capacity;
    while (all.size() >= table - (table >>> 2)) table *= 2;
    final int mask = table - 1;
    all.sort(Comparator.comparingInt(e -> e.slot(mask)));
    return all;
  }

  /** One that was there; what is set goes to the map. */
  static final class Entry<K, V> extends AbstractMap.SimpleEntry<K, V> {
    private final ConcurrentHashMap<K, V> map;

    Entry(ConcurrentHashMap<K, V> map, Map.Entry<K, V> e) {
      super(e);
      this.map = map;
    }

    private int slot(int mask) {
      final int hash = getKey().hashCode();
      return (hash ^ hash >>> 16) & mask;
    }

    @Override
    public V setValue(V value) {
      map.put(getKey(), value);
      return super.setValue(value);
    }
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new EntrySet<>(this);
  }

  private static final class EntrySet<K, V> extends AbstractSet<Map.Entry<K, V>> {
    private final ConcurrentHashMap<K, V> map;

    EntrySet(ConcurrentHashMap<K, V> map) {
      this.map = map;
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return new Snapshot<>(this, new ArrayList<>(map.entries()));
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean contains(Object o) {
      return o instanceof Map.Entry<?, ?> e && e.getValue() != null
          && e.getValue().equals(map.get(e.getKey()));
    }

    @Override
    public boolean add(Map.Entry<K, V> e) {
      return map.put(e.getKey(), e.getValue()) == null;
    }

    @Override
    public boolean remove(Object o) {
      return o instanceof Map.Entry<?, ?> e && map.remove(e.getKey(), e.getValue());
    }

    @Override
    public void clear() {
      map.clear();
    }
  }

  @Override
  public KeySetView<K, V> keySet() {
    return new KeySetView<>(this, null);
  }

  /** The keys, to which can be added if there is a value for them. */
  public KeySetView<K, V> keySet(V value) {
    check(value);
    return new KeySetView<>(this, value);
  }

  public static <T> KeySetView<T, Boolean> newKeySet() {
    return new KeySetView<>(new ConcurrentHashMap<>(), Boolean.TRUE);
  }

  public static <T> KeySetView<T, Boolean> newKeySet(int capacity) {
    return new KeySetView<>(new ConcurrentHashMap<>(capacity), Boolean.TRUE);
  }

  /** The keys of a map as a set. */
  public static final class KeySetView<K, V> extends AbstractSet<K> {
    private final ConcurrentHashMap<K, V> map;
    private final V value;

    KeySetView(ConcurrentHashMap<K, V> map, V value) {
      this.map = map;
      this.value = value;
    }

    public ConcurrentHashMap<K, V> getMap() {
      return map;
    }

    public V getMappedValue() {
      return value;
    }

    @Override
    public Iterator<K> iterator() {
      final ArrayList<K> keys = new ArrayList<>();
      for (Entry<K, V> e : map.entries()) keys.add(e.getKey());
      return new Snapshot<>(this, keys);
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean contains(Object o) {
      return map.containsKey(o);
    }

    @Override
    public boolean add(K key) {
      if (value == null) throw new UnsupportedOperationException();
      return map.putIfAbsent(key, value) == null;
    }

    @Override
    public boolean remove(Object o) {
      return map.remove(o) != null;
    }

    @Override
    public boolean removeAll(Collection<?> c) {
      return removeIf(c::contains);
    }

    @Override
    public void clear() {
      map.clear();
    }
  }

  public Enumeration<K> keys() {
    return java.util.Collections.enumeration(keySet());
  }

  public Enumeration<V> elements() {
    return java.util.Collections.enumeration(values());
  }
}
