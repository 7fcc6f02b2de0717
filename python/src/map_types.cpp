#include "map_types.hpp"

namespace far::python {

map_type::map_type(std::string_view code)
    : is_text_(code == "text"),
      is_bool_(code == "b1"),
      is_signed_(code.front() == 'i'),
      bits_(code.back() >= '1' && code.back() <= '8' ? 8 * (code.back() - '0') : 0) {}

bool map_type::take(PyObject* from, std::uint64_t& to) const {
  if (is_bool_) {
    if (!PyBool_Check(from)) return false;
    to = from == Py_True ? 1 : 0;
    return true;
  }
  if (!PyLong_CheckExact(from)) return false;
  int overflows = 0;
  const long long value = PyLong_AsLongLongAndOverflow(from, &overflows);
  to = static_cast<std::uint64_t>(value);
  if (is_signed_) {
    return overflows == 0 && value >> (bits_ - 1) == (value < 0 ? -1 : 0);
  }
  if (overflows == 0) return value >= 0 && (bits_ == 64 || value >> bits_ == 0);
  if (overflows < 0 || bits_ < 64) return false;
  to = PyLong_AsUnsignedLongLong(from);
  if (to == ~std::uint64_t{0} && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return false;
  }
  return true;
}

bool map_type::take(PyObject* from, double& to) const {
  if (PyFloat_CheckExact(from)) {
    to = PyFloat_AS_DOUBLE(from);
    return true;
  }
  if (!PyLong_CheckExact(from)) return false;
  to = PyLong_AsDouble(from);
  if (to != -1.0 || PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return false;
}

bool map_type::take(PyObject* from, std::string& to) const {
  if (!is_text_) {
    if (!PyBytes_CheckExact(from)) return false;
    to.assign(PyBytes_AS_STRING(from), static_cast<std::size_t>(PyBytes_GET_SIZE(from)));
    return true;
  }
  if (!PyUnicode_CheckExact(from)) return false;
  Py_ssize_t bytes = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(from, &bytes);
  if (text == nullptr) {
    PyErr_Clear();  // half a surrogate pair
    return false;
  }
  to.assign(text, static_cast<std::size_t>(bytes));
  return true;
}

PyObject* map_type::give(std::uint64_t value) const {
  if (is_bool_) return PyBool_FromLong(value != 0);
  return is_signed_ ? PyLong_FromLongLong(static_cast<long long>(value))
                    : PyLong_FromUnsignedLongLong(value);
}

PyObject* map_type::give(const std::string& value) const {
  const auto bytes = static_cast<Py_ssize_t>(value.size());
  return is_text_ ? PyUnicode_DecodeUTF8(value.data(), bytes, "surrogatepass")
                  : PyBytes_FromStringAndSize(value.data(), bytes);
}

}  // namespace far::python
