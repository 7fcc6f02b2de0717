#pragma once
// Handles: references that keep objects.

#include "far/object/heap/roots.hpp"
#include "far/object/object_view.hpp"

namespace far {

/// A reference that keeps its object, and all that can be reached from it, from being collected. It
/// is a ref<T>, so it can be used wherever one can; a copy of type ref<T> keeps nothing. Not a
/// field of objects: there, every reference keeps what it names.
///
///     const far::rooted head(space, space.make<node>(1u));
///     head = space.read(head).next;
///
/// Threads: belongs to the thread of its view, and keeps nothing once that view is destroyed.
///   Other threads may read it.
/// Cost: a few instructions; no lock.
/// Checked by: object_collection_test.handles_keep_objects
template <class T>
class rooted : public ref<T> {
 public:
  explicit rooted(object_view& view) noexcept : link_(view.access_.handles(), &this->at_) {}
  rooted(object_view& view, ref<T> object) noexcept
      : ref<T>(object), link_(view.access_.handles(), &this->at_) {}
  rooted(const rooted& other) noexcept : ref<T>(other), link_(other.link_, &this->at_) {}
  rooted& operator=(const rooted& other) noexcept = default;
  /// Keeps another object from now on, or none if `object` is null.
  rooted& operator=(ref<T> object) noexcept {
    this->at_ = object.place();
    return *this;
  }
  ~rooted() = default;

 private:
  /// Stays where it is when values are assigned.
  struct link : objects::root_link {
    using root_link::root_link;
    link(const link& ring, const objects::place* at) noexcept
        : root_link(const_cast<link&>(ring), at) {}
    link& operator=(const link&) noexcept { return *this; }
  };
  link link_;
};

template <class T>
rooted(object_view&, ref<T>) -> rooted<T>;

}  // namespace far
