#include "array_scalars.hpp"

#include <bit>
#include <concepts>
#include <limits>

#include <far/far.hpp>

namespace far::python {
namespace {

template <class T>
T loaded(const std::byte* from) noexcept {
  return rma::load_word<T>(from);
}

template <std::integral T>
bool store_integer(PyObject* value, std::byte* to) {
  if constexpr (std::is_signed_v<T>) {
    int overflows = 0;
    const long long x = PyLong_AsLongLongAndOverflow(value, &overflows);
    if (overflows != 0 || x < std::numeric_limits<T>::min() || x > std::numeric_limits<T>::max()) {
      return false;
    }
    rma::store_word(to, static_cast<T>(x));
  } else {
    const unsigned long long x = PyLong_AsUnsignedLongLong(value);
    if (x == ~0ULL && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      return false;
    }
    if (x > std::numeric_limits<T>::max()) return false;
    rma::store_word(to, static_cast<T>(x));
  }
  return true;
}

}  // namespace

scalar scalar_of(std::string_view code) {
  constexpr std::string_view codes[] = {"",   "b1", "i1", "i2", "i4", "i8",
                                        "u1", "u2", "u4", "u8", "f4", "f8"};
  for (std::size_t i = 1; i < std::size(codes); ++i) {
    if (code == codes[i]) return static_cast<scalar>(i);
  }
  return scalar::other;
}

PyObject* to_python(scalar kind, const std::byte* from) {
  switch (kind) {
    case scalar::i8:
      return PyLong_FromLongLong(loaded<std::int64_t>(from));
    case scalar::f8:
      return PyFloat_FromDouble(std::bit_cast<double>(loaded<std::uint64_t>(from)));
    case scalar::u8:
      return PyLong_FromUnsignedLongLong(loaded<std::uint64_t>(from));
    case scalar::i4:
      return PyLong_FromLong(loaded<std::int32_t>(from));
    case scalar::u4:
      return PyLong_FromUnsignedLong(loaded<std::uint32_t>(from));
    case scalar::f4:
      return PyFloat_FromDouble(
          static_cast<double>(std::bit_cast<float>(loaded<std::uint32_t>(from))));
    case scalar::i2:
      return PyLong_FromLong(loaded<std::int16_t>(from));
    case scalar::u2:
      return PyLong_FromLong(loaded<std::uint16_t>(from));
    case scalar::i1:
      return PyLong_FromLong(loaded<std::int8_t>(from));
    case scalar::u1:
      return PyLong_FromLong(loaded<std::uint8_t>(from));
    case scalar::boolean:
      return PyBool_FromLong(loaded<std::uint8_t>(from));
    case scalar::other:
      break;
  }
  return nullptr;
}

bool from_python(scalar kind, PyObject* value, std::byte* to) {
  if (kind == scalar::f8 || kind == scalar::f4) {
    double x = 0;
    if (PyFloat_CheckExact(value)) {
      x = PyFloat_AS_DOUBLE(value);
    } else if (PyLong_CheckExact(value)) {
      x = PyLong_AsDouble(value);
      if (x == -1.0 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        return false;
      }
    } else {
      return false;
    }
    if (kind == scalar::f8) {
      rma::store_word(to, std::bit_cast<std::uint64_t>(x));
    } else {
      rma::store_word(to, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    }
    return true;
  }
  if (!PyLong_CheckExact(value)) return false;
  switch (kind) {
    case scalar::i8:
      return store_integer<std::int64_t>(value, to);
    case scalar::u8:
      return store_integer<std::uint64_t>(value, to);
    case scalar::i4:
      return store_integer<std::int32_t>(value, to);
    case scalar::u4:
      return store_integer<std::uint32_t>(value, to);
    case scalar::i2:
      return store_integer<std::int16_t>(value, to);
    case scalar::u2:
      return store_integer<std::uint16_t>(value, to);
    case scalar::i1:
      return store_integer<std::int8_t>(value, to);
    case scalar::u1:
      return store_integer<std::uint8_t>(value, to);
    default:
      return false;
  }
}

}  // namespace far::python
