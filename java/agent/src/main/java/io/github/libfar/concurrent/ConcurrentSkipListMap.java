package io.github.libfar.concurrent;

import java.util.AbstractMap;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * java.util.concurrent.ConcurrentSkipListMap, over ranks: a TreeMap, or a view of one, in
 * the monitor that all views have in common. What iterates goes from key to key, and sees
 * what others change.
 */
public class ConcurrentSkipListMap<K, V> extends AbstractMap<K, V>
    implements ConcurrentNavigableMap<K, V>, Cloneable {
  private final NavigableMap<K, V> map;
  private final Object monitor;

  public ConcurrentSkipListMap() {
    this((Comparator<? super K>) null);
  }

  public ConcurrentSkipListMap(Comparator<? super K> order) {
    this(new TreeMap<>(order), new Object());
  }

  public ConcurrentSkipListMap(Map<? extends K, ? extends V> from) {
    this();
    putAll(from);
  }

  public ConcurrentSkipListMap(SortedMap<K, ? extends V> from) {
    this(from.comparator());
    putAll(from);
  }

  private ConcurrentSkipListMap(NavigableMap<K, V> map, Object monitor) {
    this.map = map;
    this.monitor = monitor;
  }

  @Override
  public ConcurrentSkipListMap<K, V> clone() {
    return new ConcurrentSkipListMap<>((SortedMap<K, V>) this);
  }

  private static void check(Object o) {
    if (o == null) throw new NullPointerException();
  }

  /** What is told of an entry does not change with it. */
  private static <K, V> Map.Entry<K, V> copy(Map.Entry<K, V> e) {
    return e == null ? null : new AbstractMap.SimpleImmutableEntry<>(e);
  }

  @Override
  public V get(Object key) {
    check(key);
    synchronized (monitor) {
      return map.get(key);
    }
  }

  @Override
  public boolean containsKey(Object key) {
    check(key);
    synchronized (monitor) {
      return map.containsKey(key);
    }
  }

  @Override
  public boolean containsValue(Object value) {
    check(value);
    synchronized (monitor) {
      return map.containsValue(value);
    }
  }

  @Override
  public V getOrDefault(Object key, V otherwise) {
    check(key);
    synchronized (monitor) {
      return map.getOrDefault(key, otherwise);
    }
  }

  @Override
  public V put(K key, V value) {
    check(key);
    check(value);
    synchronized (monitor) {
      return map.put(key, value);
    }
  }

  @Override
  public V putIfAbsent(K key, V value) {
    check(key);
    check(value);
    synchronized (monitor) {
      return map.putIfAbsent(key, value);
    }
  }

  @Override
  public V remove(Object key) {
    check(key);
    synchronized (monitor) {
      return map.remove(key);
    }
  }

  @Override
  public boolean remove(Object key, Object value) {
    check(key);
    synchronized (monitor) {
      return value != null && map.remove(key, value);
    }
  }

  @Override
  public V replace(K key, V value) {
    check(key);
    check(value);
    synchronized (monitor) {
      return map.replace(key, value);
    }
  }

  @Override
  public boolean replace(K key, V old, V value) {
    check(key);
    check(old);
    check(value);
    synchronized (monitor) {
      return map.replace(key, old, value);
    }
  }

  @Override
  public int size() {
    synchronized (monitor) {
      return map.size();
    }
  }

  @Override
  public void clear() {
    synchronized (monitor) {
      map.clear();
    }
  }

  @Override
  public Comparator<? super K> comparator() {
    synchronized (monitor) {
      return map.comparator();
    }
  }

  @Override
  public Map.Entry<K, V> lowerEntry(K key) {
    check(key);
    synchronized (monitor) {
      return copy(map.lowerEntry(key));
    }
  }

  @Override
  public K lowerKey(K key) {
    check(key);
    synchronized (monitor) {
      return map.lowerKey(key);
    }
  }

  @Override
  public Map.Entry<K, V> floorEntry(K key) {
    check(key);
    synchronized (monitor) {
      return copy(map.floorEntry(key));
    }
  }

  @Override
  public K floorKey(K key) {
    check(key);
    synchronized (monitor) {
      return map.floorKey(key);
    }
  }

  @Override
  public Map.Entry<K, V> ceilingEntry(K key) {
    check(key);
    synchronized (monitor) {
      return copy(map.ceilingEntry(key));
    }
  }

  @Override
  public K ceilingKey(K key) {
    check(key);
    synchronized (monitor) {
      return map.ceilingKey(key);
    }
  }

  @Override
  public Map.Entry<K, V> higherEntry(K key) {
    check(key);
    synchronized (monitor) {
      return copy(map.higherEntry(key));
    }
  }

  @Override
  public K higherKey(K key) {
    check(key);
    synchronized (monitor) {
      return map.higherKey(key);
    }
  }

  @Override
  public K firstKey() {
    synchronized (monitor) {
      return map.firstKey();
    }
  }

  @Override
  public Map.Entry<K, V> firstEntry() {
    synchronized (monitor) {
      return copy(map.firstEntry());
    }
  }

  @Override
  public K lastKey() {
    synchronized (monitor) {
      return map.lastKey();
    }
  }

  @Override
  public Map.Entry<K, V> lastEntry() {
    synchronized (monitor) {
      return copy(map.lastEntry());
    }
  }

  @Override
  public Map.Entry<K, V> pollFirstEntry() {
    synchronized (monitor) {
      return copy(map.pollFirstEntry());
    }
  }

  @Override
  public Map.Entry<K, V> pollLastEntry() {
    synchronized (monitor) {
      return copy(map.pollLastEntry());
    }
  }

  private V store(K key, V value) {
    if (value == null) map.remove(key); else map.put(key, value);
    return value;
  }

  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> f) {
    check(key);
    synchronized (monitor) {
      final V found = map.get(key);
      if (found != null) return found;
      final V made = f.apply(key);
      if (made != null) map.put(key, made);
      return made;
    }
  }

  @Override
  public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> f) {
    check(key);
    synchronized (monitor) {
      final V found = map.get(key);
      return found == null ? null : store(key, f.apply(key, found));
    }
  }

  @Override
  public V compute(K key, BiFunction<? super K, ? super V, ? extends V> f) {
    check(key);
    synchronized (monitor) {
      return store(key, f.apply(key, map.get(key)));
    }
  }

  @Override
  public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> f) {
    check(key);
    check(value);
    synchronized (monitor) {
      final V found = map.get(key);
      return store(key, found == null ? value : f.apply(found, value));
    }
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> f) {
    for (Map.Entry<K, V> e : entrySet()) f.accept(e.getKey(), e.getValue());
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> f) {
    for (K key : keySet()) computeIfPresent(key, f);
  }

  // ---- views

  private ConcurrentSkipListMap<K, V> view(NavigableMap<K, V> of) {
    return new ConcurrentSkipListMap<>(of, monitor);
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(K from, boolean withFrom, K to, boolean withTo) {
    return view(map.subMap(from, withFrom, to, withTo));
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to, boolean withTo) {
    return view(map.headMap(to, withTo));
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from, boolean withFrom) {
    return view(map.tailMap(from, withFrom));
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(K from, K to) {
    return subMap(from, true, to, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to) {
    return headMap(to, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from) {
    return tailMap(from, true);
  }

  @Override
  public ConcurrentNavigableMap<K, V> descendingMap() {
    return view(map.descendingMap());
  }

  @Override
  public NavigableSet<K> keySet() {
    return new ConcurrentSkipListSet<>(this);
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return keySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return descendingMap().navigableKeySet();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new SkipListEntries<>(this);
  }

  final Iterator<K> keys() {
    return SkipListEntries.keys(this);
  }
}
