// Transfers of lists of segments.

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "armci.h"
#include "armci/profiled.hpp"
#include "armci/runtime.hpp"
#include "armci/sections.hpp"
#include "far/base/error.hpp"
#include "far/rma/promise.hpp"

namespace far::armci {
namespace {

/// Moves what is plain memory of this process, and collects the rest as pieces.
class collector {
 public:
  collector(const sections::order& how, int proc) : how_(how), proc_(proc) {
    self_.check_rank(proc);
  }

  void add(const armci_giov_t& vector) {
    if (vector.bytes < 0 || vector.ptr_array_len < 0) {
      throw bad_argument(fmt::format("{} segments of {} bytes: no number can be negative",
                                     vector.ptr_array_len, vector.bytes));
    }
    if (vector.bytes == 0) return;
    const auto bytes = static_cast<std::uint64_t>(vector.bytes);
    check_elements(how_, bytes);
    const bool is_get = how_.operation == section_operation::get;
    void** const there = is_get ? vector.src_ptr_array : vector.dst_ptr_array;
    void** const here = is_get ? vector.dst_ptr_array : vector.src_ptr_array;
    if (vector.ptr_array_len > 0 && (there == nullptr || here == nullptr)) {
      throw bad_argument("an array of addresses is null");
    }
    pieces_.reserve(pieces_.size() + static_cast<std::size_t>(vector.ptr_array_len));
    for (int i = 0; i < vector.ptr_array_len; ++i) add(there[i], here[i], bytes, i);
  }

  [[nodiscard]] sections::plan plan() { return sections::plan(std::move(pieces_)); }

 private:
  void add(void* there, void* here, std::uint64_t bytes, int index) {
    if (here == nullptr) {
      throw bad_argument(fmt::format("the local address of segment {} is null", index));
    }
    if (proc_ == self_.rank() && !self_.is_shared(there)) {
      const int count = static_cast<int>(bytes);
      return run(how_, section{there, nullptr, here, nullptr, &count, 0, proc_});
    }
    pieces_.push_back(
        {self_.address_of(there, proc_, bytes), static_cast<std::byte*>(here), bytes, position_});
    position_ += bytes;
  }

  runtime& self_ = runtime::get();
  const sections::order& how_;
  int proc_;
  std::uint64_t position_ = 0;
  std::vector<sections::piece> pieces_;
};

sections::plan plan_of(const sections::order& how, const armci_giov_t* vectors, int count,
                       int proc) {
  collector all(how, proc);
  for (int i = 0; i < count; ++i) all.add(vectors[i]);
  return all.plan();
}

}  // namespace

void run(const sections::order& how, const armci_giov_t* vectors, int count, int proc) {
  const sections::plan of = plan_of(how, vectors, count, proc);
  sections::run(runtime::get().world(), how, of);
}

future<void> start(const sections::order& how, const armci_giov_t* vectors, int count, int proc) {
  const world& world = runtime::get().world();
  if (how.operation == section_operation::accumulate && world.fabric().coherent()) {
    run(how, vectors, count, proc);  // as that of a section
    return ready_future(world);
  }
  return sections::start(world, how, plan_of(how, vectors, count, proc));
}

}  // namespace far::armci

using namespace far::armci;

extern "C" {

int ARMCI_PutV(armci_giov_t* iov, int iov_len, int proc) {
  return guarded_0("ARMCI_PutV", [&] { run(put_order, iov, iov_len, proc); });
}

int ARMCI_GetV(armci_giov_t* iov, int iov_len, int proc) {
  return guarded_0("ARMCI_GetV", [&] { run(get_order, iov, iov_len, proc); });
}

int ARMCI_AccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc) {
  return guarded_0("ARMCI_AccV", [&] { run(accumulate_of(datatype, scale), iov, iov_len, proc); });
}

}  // extern "C"

FAR_ARMCI_PROFILED(ARMCI_PutV);
FAR_ARMCI_PROFILED(ARMCI_GetV);
FAR_ARMCI_PROFILED(ARMCI_AccV);
