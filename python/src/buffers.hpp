#pragma once
// The memory of Python's arrays as lists of T: what they are made of, Python has looked at. Buffers
// cost a third of what nanobind's arrays do, which know more.

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace far::python {

/// A contiguous list that its array keeps. const T: read-only arrays, too.
template <class T>
class buffer_of {
 public:
  buffer_of() noexcept = default;
  /// Returns an empty handle with an exception set if the object has no such memory.
  explicit buffer_of(PyObject* from) {
    const int flags = std::is_const_v<T> ? PyBUF_SIMPLE : PyBUF_WRITABLE;
    is_there_ = PyObject_GetBuffer(from, &view_, flags) == 0;
  }
  ~buffer_of() {
    if (is_there_) PyBuffer_Release(&view_);
  }
  buffer_of(buffer_of&& other) noexcept
      : view_(other.view_), is_there_(std::exchange(other.is_there_, false)) {}
  buffer_of& operator=(buffer_of&& other) noexcept {
    std::swap(view_, other.view_);
    std::swap(is_there_, other.is_there_);
    return *this;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return is_there_; }
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(view_.buf); }
  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(view_.len) / sizeof(T);
  }

 private:
  Py_buffer view_{};
  bool is_there_ = false;
};

}  // namespace far::python

namespace nanobind::detail {

template <class T>
struct type_caster<far::python::buffer_of<T>> {
  NB_TYPE_CASTER(far::python::buffer_of<T>, const_name("buffer"))

  bool from_python(handle from, std::uint8_t /*flags*/, cleanup_list* /*cleanup*/) noexcept {
    value = far::python::buffer_of<T>(from.ptr());
    if (!value) PyErr_Clear();
    return static_cast<bool>(value);
  }
};

}  // namespace nanobind::detail
