// Values in the place of buffers, and read-modify-write.

#include <atomic>
#include <concepts>

#include <fmt/format.h>

#include "armci.h"
#include "armci/profiled.hpp"
#include "armci/runtime.hpp"
#include "far/base/error.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/transfer.hpp"

using namespace far::armci;

namespace {

/// Whether `place` is to be accessed as plain memory of this process. Errors: bad_argument for
/// null.
bool is_plain(runtime& self, const void* place, int proc) {
  if (place == nullptr) throw far::bad_argument("the remote address is null");
  return proc == self.rank() && !self.is_shared(place);
}

template <class T>
far::ptr<T> ptr_of(runtime& self, const void* place, int proc) {
  return far::ptr<T>(self.address_of(place, proc, sizeof(T)));
}

template <class T>
int put_value(const char* call, T value, void* place, int proc) {
  return guarded_0(call, [&] {
    runtime& self = runtime::get();
    if (is_plain(self, place, proc)) {
      *static_cast<T*>(place) = value;
    } else {
      far::put(self.world(), ptr_of<T>(self, place, proc), value);
    }
  });
}

template <class T>
T get_value(const char* call, const void* place, int proc) {
  return guarded(call, [&] {
    runtime& self = runtime::get();
    if (is_plain(self, place, proc)) return *static_cast<const T*>(place);
    return far::get(self.world(), ptr_of<T>(self, place, proc));
  });
}

template <class Word, std::integral T>
void update(const Word& word, bool is_swap, T* local, int value) {
  *local = is_swap ? word.exchange(*local) : word.fetch_add(static_cast<T>(value));
}

template <std::integral T>
void read_modify_write(bool is_swap, void* local, void* place, int value, int proc) {
  runtime& self = runtime::get();
  T* const result = static_cast<T*>(local);
  if (result == nullptr) throw far::bad_argument("the local address is null");
  if (is_plain(self, place, proc)) {
    update(std::atomic_ref<T>(*static_cast<T*>(place)), is_swap, result, value);
  } else {
    update(far::atomic_ref<T>(self.world(), ptr_of<T>(self, place, proc)), is_swap, result, value);
  }
}

}  // namespace

extern "C" {

int ARMCI_PutValueInt(int src, void* dst, int proc) {
  return put_value("ARMCI_PutValueInt", src, dst, proc);
}
int ARMCI_PutValueLong(long src, void* dst, int proc) {
  return put_value("ARMCI_PutValueLong", src, dst, proc);
}
int ARMCI_PutValueFloat(float src, void* dst, int proc) {
  return put_value("ARMCI_PutValueFloat", src, dst, proc);
}
int ARMCI_PutValueDouble(double src, void* dst, int proc) {
  return put_value("ARMCI_PutValueDouble", src, dst, proc);
}

// A word is put at once, so no handle has anything to wait for.
int ARMCI_NbPutValueInt(int src, void* dst, int proc, armci_hdl_t*) {
  return put_value("ARMCI_NbPutValueInt", src, dst, proc);
}
int ARMCI_NbPutValueLong(long src, void* dst, int proc, armci_hdl_t*) {
  return put_value("ARMCI_NbPutValueLong", src, dst, proc);
}
int ARMCI_NbPutValueFloat(float src, void* dst, int proc, armci_hdl_t*) {
  return put_value("ARMCI_NbPutValueFloat", src, dst, proc);
}
int ARMCI_NbPutValueDouble(double src, void* dst, int proc, armci_hdl_t*) {
  return put_value("ARMCI_NbPutValueDouble", src, dst, proc);
}

int ARMCI_GetValueInt(void* src, int proc) {
  return get_value<int>("ARMCI_GetValueInt", src, proc);
}
long ARMCI_GetValueLong(void* src, int proc) {
  return get_value<long>("ARMCI_GetValueLong", src, proc);
}
float ARMCI_GetValueFloat(void* src, int proc) {
  return get_value<float>("ARMCI_GetValueFloat", src, proc);
}
double ARMCI_GetValueDouble(void* src, int proc) {
  return get_value<double>("ARMCI_GetValueDouble", src, proc);
}

int ARMCI_Rmw(int op, void* ploc, void* prem, int value, int proc) {
  return guarded_0("ARMCI_Rmw", [&] {
    const bool is_swap = op == ARMCI_SWAP || op == ARMCI_SWAP_LONG;
    switch (op) {
      case ARMCI_FETCH_AND_ADD:
      case ARMCI_SWAP:
        return read_modify_write<int>(is_swap, ploc, prem, value, proc);
      case ARMCI_FETCH_AND_ADD_LONG:
      case ARMCI_SWAP_LONG:
        return read_modify_write<long>(is_swap, ploc, prem, value, proc);
      default:
        throw far::bad_argument(
            fmt::format("there is no operation {}: it is one of ARMCI_Rmw_e", op));
    }
  });
}

}  // extern "C"

FAR_ARMCI_PROFILED(ARMCI_PutValueInt);
FAR_ARMCI_PROFILED(ARMCI_PutValueLong);
FAR_ARMCI_PROFILED(ARMCI_PutValueFloat);
FAR_ARMCI_PROFILED(ARMCI_PutValueDouble);
FAR_ARMCI_PROFILED(ARMCI_NbPutValueInt);
FAR_ARMCI_PROFILED(ARMCI_NbPutValueLong);
FAR_ARMCI_PROFILED(ARMCI_NbPutValueFloat);
FAR_ARMCI_PROFILED(ARMCI_NbPutValueDouble);
FAR_ARMCI_PROFILED(ARMCI_GetValueInt);
FAR_ARMCI_PROFILED(ARMCI_GetValueLong);
FAR_ARMCI_PROFILED(ARMCI_GetValueFloat);
FAR_ARMCI_PROFILED(ARMCI_GetValueDouble);
FAR_ARMCI_PROFILED(ARMCI_Rmw);
