// Non-blocking transfers, and waiting for them.

#include <utility>

#include "armci.h"
#include "armci/profiled.hpp"
#include "armci/runtime.hpp"
#include "armci/sections.hpp"
#include "far/fabric/context.hpp"

using namespace far::armci;

namespace {

template <class What>
int begin(const char* call, const far::sections::order& how, const What& what,
          armci_hdl_t* handle) {
  return guarded_0(call,
                   [&] { runtime::get().operations().add(handle, what.proc, start(how, what)); });
}

int begin_vectors(const char* call, const far::sections::order& how, const armci_giov_t* iov,
                  int count, int proc, armci_hdl_t* handle) {
  return guarded_0(
      call, [&] { runtime::get().operations().add(handle, proc, start(how, iov, count, proc)); });
}

/// An accumulate; errors of the type belong to the call too.
far::sections::order added(const char* call, int datatype, const void* scale) {
  return guarded(call, [&] { return accumulate_of(datatype, scale); });
}

}  // namespace

extern "C" {

void ARMCI_INIT_HANDLE(armci_hdl_t* hdl) { *hdl = {}; }
void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t* hdl) { hdl->aggregate = 1; }
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t* hdl) { hdl->aggregate = 0; }

int ARMCI_NbPut(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl) {
  return begin("ARMCI_NbPut", put_order, section{dst, nullptr, src, nullptr, &bytes, 0, proc}, hdl);
}

int ARMCI_NbGet(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl) {
  return begin("ARMCI_NbGet", get_order, section{src, nullptr, dst, nullptr, &bytes, 0, proc}, hdl);
}

int ARMCI_NbAcc(int datatype, void* scale, void* src, void* dst, int bytes, int proc,
                armci_hdl_t* hdl) {
  constexpr const char* call = "ARMCI_NbAcc";
  return begin(call, added(call, datatype, scale),
               section{dst, nullptr, src, nullptr, &bytes, 0, proc}, hdl);
}

int ARMCI_NbPutS(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
                 int stride_levels, int proc, armci_hdl_t* hdl) {
  return begin("ARMCI_NbPutS", put_order,
               section{dst, dst_stride_ar, src, src_stride_ar, count, stride_levels, proc}, hdl);
}

int ARMCI_NbGetS(void* src, int src_stride_ar[], void* dst, int dst_stride_ar[], int count[],
                 int stride_levels, int proc, armci_hdl_t* hdl) {
  return begin("ARMCI_NbGetS", get_order,
               section{src, src_stride_ar, dst, dst_stride_ar, count, stride_levels, proc}, hdl);
}

int ARMCI_NbAccS(int datatype, void* scale, void* src, int src_stride_ar[], void* dst,
                 int dst_stride_ar[], int count[], int stride_levels, int proc, armci_hdl_t* hdl) {
  constexpr const char* call = "ARMCI_NbAccS";
  return begin(call, added(call, datatype, scale),
               section{dst, dst_stride_ar, src, src_stride_ar, count, stride_levels, proc}, hdl);
}

int ARMCI_NbPutV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* hdl) {
  return begin_vectors("ARMCI_NbPutV", put_order, iov, iov_len, proc, hdl);
}

int ARMCI_NbGetV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* hdl) {
  return begin_vectors("ARMCI_NbGetV", get_order, iov, iov_len, proc, hdl);
}

int ARMCI_NbAccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc,
                 armci_hdl_t* hdl) {
  constexpr const char* call = "ARMCI_NbAccV";
  return begin_vectors(call, added(call, datatype, scale), iov, iov_len, proc, hdl);
}

int ARMCI_Wait(armci_hdl_t* hdl) {
  return guarded_0("ARMCI_Wait", [&] {
    if (hdl != nullptr) runtime::get().operations().wait(*hdl);
  });
}

int ARMCI_Test(armci_hdl_t* hdl) {
  return guarded("ARMCI_Test", [&] {
    if (hdl == nullptr) return 0;
    runtime& self = runtime::get();
    if (!self.operations().is_complete(*hdl)) self.world().progress();
    if (!self.operations().is_complete(*hdl)) return 1;
    self.operations().wait(*hdl);
    return 0;
  });
}

int ARMCI_WaitProc(int proc) {
  return guarded_0("ARMCI_WaitProc", [&] { runtime::get().operations().wait_proc(proc); });
}

int ARMCI_WaitAll(void) {
  return guarded_0("ARMCI_WaitAll", [] { runtime::get().operations().wait_all(); });
}

void ARMCI_Fence(int proc) {
  guarded("ARMCI_Fence", [&] { runtime::get().fence(proc); });
}

void ARMCI_AllFence(void) {
  guarded("ARMCI_AllFence", [] { runtime::get().fence_all(); });
}

void ARMCI_Barrier(void) {
  guarded("ARMCI_Barrier", [] {
    runtime& self = runtime::get();
    self.fence_all();
    self.barrier();
  });
}

}  // extern "C"

FAR_ARMCI_PROFILED(ARMCI_NbPut);
FAR_ARMCI_PROFILED(ARMCI_NbGet);
FAR_ARMCI_PROFILED(ARMCI_NbAcc);
FAR_ARMCI_PROFILED(ARMCI_NbPutS);
FAR_ARMCI_PROFILED(ARMCI_NbGetS);
FAR_ARMCI_PROFILED(ARMCI_NbAccS);
FAR_ARMCI_PROFILED(ARMCI_NbPutV);
FAR_ARMCI_PROFILED(ARMCI_NbGetV);
FAR_ARMCI_PROFILED(ARMCI_NbAccV);
FAR_ARMCI_PROFILED(ARMCI_Wait);
FAR_ARMCI_PROFILED(ARMCI_Test);
FAR_ARMCI_PROFILED(ARMCI_WaitProc);
FAR_ARMCI_PROFILED(ARMCI_WaitAll);
FAR_ARMCI_PROFILED(ARMCI_Fence);
FAR_ARMCI_PROFILED(ARMCI_AllFence);
FAR_ARMCI_PROFILED(ARMCI_Barrier);
