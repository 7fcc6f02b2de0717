package io.github.libfar.concurrent;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentNavigableMap;

/** java.util.concurrent.ConcurrentSkipListSet, over ranks: the keys of a ConcurrentSkipListMap. */
public class ConcurrentSkipListSet<E> extends AbstractSet<E>
    implements NavigableSet<E>, Cloneable {
  private final ConcurrentNavigableMap<E, ?> map;

  public ConcurrentSkipListSet() {
    this(new ConcurrentSkipListMap<E, Object>());
  }

  public ConcurrentSkipListSet(Comparator<? super E> order) {
    this(new ConcurrentSkipListMap<E, Object>(order));
  }

  public ConcurrentSkipListSet(Collection<? extends E> from) {
    this();
    addAll(from);
  }

  public ConcurrentSkipListSet(SortedSet<E> from) {
    this(from.comparator());
    addAll(from);
  }

  ConcurrentSkipListSet(ConcurrentNavigableMap<E, ?> map) {
    this.map = map;
  }

  @Override
  public ConcurrentSkipListSet<E> clone() {
    return new ConcurrentSkipListSet<>((SortedSet<E>) this);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(Object o) {
    return map.containsKey(o);
  }

  /** The keys of a map can be added to only if the set has made the map. */
  @Override
  @SuppressWarnings("unchecked")
  public boolean add(E e) {
    return ((ConcurrentNavigableMap<E, Object>) map).putIfAbsent(e, Boolean.TRUE) == null;
  }

  @Override
  public boolean remove(Object o) {
    return map.remove(o) != null;
  }

  @Override
  public boolean removeAll(Collection<?> c) {
    boolean changed = false;
    for (Object o : c) changed |= remove(o);
    return changed;
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<E> iterator() {
    return ((ConcurrentSkipListMap<E, ?>) map).keys();
  }

  @Override
  public Iterator<E> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public E lower(E e) {
    return map.lowerKey(e);
  }

  @Override
  public E floor(E e) {
    return map.floorKey(e);
  }

  @Override
  public E ceiling(E e) {
    return map.ceilingKey(e);
  }

  @Override
  public E higher(E e) {
    return map.higherKey(e);
  }

  @Override
  public E pollFirst() {
    final java.util.Map.Entry<E, ?> e = map.pollFirstEntry();
    return e == null ? null : e.getKey();
  }

  @Override
  public E pollLast() {
    final java.util.Map.Entry<E, ?> e = map.pollLastEntry();
    return e == null ? null : e.getKey();
  }

  @Override
  public Comparator<? super E> comparator() {
    return map.comparator();
  }

  @Override
  public E first() {
    return map.firstKey();
  }

  @Override
  public E last() {
    return map.lastKey();
  }

  @Override
  public NavigableSet<E> descendingSet() {
    return new ConcurrentSkipListSet<>(map.descendingMap());
  }

  @Override
  public NavigableSet<E> subSet(E from, boolean withFrom, E to, boolean withTo) {
    return new ConcurrentSkipListSet<>(map.subMap(from, withFrom, to, withTo));
  }

  @Override
  public NavigableSet<E> headSet(E to, boolean withTo) {
    return new ConcurrentSkipListSet<>(map.headMap(to, withTo));
  }

  @Override
  public NavigableSet<E> tailSet(E from, boolean withFrom) {
    return new ConcurrentSkipListSet<>(map.tailMap(from, withFrom));
  }

  @Override
  public NavigableSet<E> subSet(E from, E to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<E> headSet(E to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<E> tailSet(E from) {
    return tailSet(from, true);
  }
}
