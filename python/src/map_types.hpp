#pragma once
// Keys and values of maps as Python has them: words, doubles and bytes of libfar's.

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace far::python {

/// A type of keys or values. It takes exact ints, floats, str and bytes that fit. All other
/// objects, such as NumPy's numbers, are left to Python, which also has the error messages.
class map_type {
 public:
  /// code: of an integer or float type, as "i4", or "text", "bytes".
  explicit map_type(std::string_view code);

  [[nodiscard]] bool is_signed() const noexcept { return is_signed_; }

  /// Returns false if this is left to Python.
  bool take(PyObject* from, std::uint64_t& to) const;
  bool take(PyObject* from, double& to) const;
  bool take(PyObject* from, std::string& to) const;

  /// Null with an exception set, if there is no memory.
  [[nodiscard]] PyObject* give(std::uint64_t value) const;
  [[nodiscard]] PyObject* give(double value) const { return PyFloat_FromDouble(value); }
  [[nodiscard]] PyObject* give(const std::string& value) const;

 private:
  bool is_text_, is_bool_, is_signed_;
  int bits_;  // of a number
};

}  // namespace far::python
