#pragma once
// One element of an array, as a number of Python.

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace far::python {

/// What one element is to Python. All other types go through NumPy.
enum class scalar : std::uint8_t { other, boolean, i1, i2, i4, i8, u1, u2, u4, u8, f4, f8 };

/// Of a type's code, as "f8".
[[nodiscard]] scalar scalar_of(std::string_view code);

/// The element, or null with an exception set. `from` is a place or a copy.
[[nodiscard]] PyObject* to_python(scalar kind, const std::byte* from);

/// Stores exact ints and floats of Python that the type holds. Returns false for all other values,
/// and leaves them to NumPy.
[[nodiscard]] bool from_python(scalar kind, PyObject* value, std::byte* to);

}  // namespace far::python
