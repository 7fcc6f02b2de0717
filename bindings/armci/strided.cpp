// Blocking transfers of contiguous memory and of sections.

#include "armci.h"
#include "armci/profiled.hpp"
#include "armci/runtime.hpp"
#include "armci/sections.hpp"
#include "far/base/error.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/sections/copy_rows.hpp"

using namespace far::armci;

namespace {

/// Stores `value` at the target, after what this rank has put there.
void set_flag(int* flag, int value, int proc) {
  runtime& self = runtime::get();
  if (flag == nullptr) throw far::bad_argument("the address of the flag is null");
  if (proc == self.rank() && !self.is_shared(flag)) {
    return std::atomic_ref<int>(*flag).store(value, std::memory_order_release);
  }
  const far::ptr<int> word(self.address_of(flag, proc, sizeof(int)));
  far::atomic_ref<int>(self.world(), word).store(value);
}

/// Between a section of local memory and a dense buffer: copy(section, buffer, strides, rows).
template <class Copy>
void for_each_block(void* ptr, int levels, const int* strides, const int* count, char* buffer,
                    Copy copy) {
  const far::sections::shape form = packed_shape_of(strides, count, levels);
  if (form.bytes() == 0) return;
  if (ptr == nullptr || buffer == nullptr) {
    throw far::bad_argument("the address of the section, or of the buffer, is null");
  }
  far::sections::for_each_block(
      form, 0, form.bytes(),
      [&](std::uint64_t at, std::uint64_t in_buffer, std::uint64_t stride,
          std::uint64_t stride_dense, std::uint64_t rows, std::uint64_t row_bytes) {
        copy(static_cast<std::byte*>(ptr) + at, stride,
             reinterpret_cast<std::byte*>(buffer) + in_buffer, stride_dense, rows, row_bytes);
      });
}

}  // namespace

extern "C" {

int ARMCI_Put(void* src, void* dst, int bytes, int proc) {
  return guarded_0("ARMCI_Put", [&] {
    run(put_order, section{dst, nullptr, src, nullptr, &bytes, 0, proc});
  });
}

int ARMCI_Get(void* src, void* dst, int bytes, int proc) {
  return guarded_0("ARMCI_Get", [&] {
    run(get_order, section{src, nullptr, dst, nullptr, &bytes, 0, proc});
  });
}

int ARMCI_Acc(int datatype, void* scale, void* src, void* dst, int bytes, int proc) {
  return guarded_0("ARMCI_Acc", [&] {
    run(accumulate_of(datatype, scale), section{dst, nullptr, src, nullptr, &bytes, 0, proc});
  });
}

int ARMCI_PutS(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
               int stride_levels, int proc) {
  return guarded_0("ARMCI_PutS", [&] {
    run(put_order, section{dst, dst_stride_ar, src, src_stride_ar, count, stride_levels, proc});
  });
}

int ARMCI_GetS(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
               int stride_levels, int proc) {
  return guarded_0("ARMCI_GetS", [&] {
    run(get_order, section{src, src_stride_ar, dst, dst_stride_ar, count, stride_levels, proc});
  });
}

int ARMCI_AccS(int datatype, void* scale, void* src, int src_stride_ar[], void* dst,
               int dst_stride_ar[], int count[], int stride_levels, int proc) {
  return guarded_0("ARMCI_AccS", [&] {
    run(accumulate_of(datatype, scale),
        section{dst, dst_stride_ar, src, src_stride_ar, count, stride_levels, proc});
  });
}

int ARMCI_Put_flag(void* src, void* dst, int bytes, int* flag, int value, int proc) {
  return guarded_0("ARMCI_Put_flag", [&] {
    run(put_order, section{dst, nullptr, src, nullptr, &bytes, 0, proc});
    set_flag(flag, value, proc);
  });
}

int ARMCI_PutS_flag(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
                    int stride_levels, int* flag, int value, int proc) {
  return guarded_0("ARMCI_PutS_flag", [&] {
    run(put_order, section{dst, dst_stride_ar, src, src_stride_ar, count, stride_levels, proc});
    set_flag(flag, value, proc);
  });
}

void armci_write_strided(void* ptr, int stride_levels, int stride_ar[], int count[], char* buf) {
  guarded("armci_write_strided", [&] {
    for_each_block(ptr, stride_levels, stride_ar, count, buf,
                   [](const std::byte* section, std::uint64_t stride, std::byte* dense,
                      std::uint64_t stride_dense, std::uint64_t rows, std::uint64_t row_bytes) {
                     far::sections::copy_rows(dense, stride_dense, section, stride, rows,
                                              row_bytes);
                   });
  });
}

void armci_read_strided(void* ptr, int stride_levels, int stride_ar[], int count[], char* buf) {
  guarded("armci_read_strided", [&] {
    for_each_block(ptr, stride_levels, stride_ar, count, buf,
                   [](std::byte* section, std::uint64_t stride, const std::byte* dense,
                      std::uint64_t stride_dense, std::uint64_t rows, std::uint64_t row_bytes) {
                     far::sections::copy_rows(section, stride, dense, stride_dense, rows,
                                              row_bytes);
                   });
  });
}

}  // extern "C"

FAR_ARMCI_PROFILED(ARMCI_Put);
FAR_ARMCI_PROFILED(ARMCI_Get);
FAR_ARMCI_PROFILED(ARMCI_Acc);
FAR_ARMCI_PROFILED(ARMCI_PutS);
FAR_ARMCI_PROFILED(ARMCI_GetS);
FAR_ARMCI_PROFILED(ARMCI_AccS);
FAR_ARMCI_PROFILED(ARMCI_Put_flag);
FAR_ARMCI_PROFILED(ARMCI_PutS_flag);
