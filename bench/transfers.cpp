// Put, get and accumulate, by size and shape (armci-host-assisted; rows D1 to D3).

#include "bench/transfers.hpp"

#include "bench/array.hpp"
#include "bench/harness/registry.hpp"
#include "far/fabric/job.hpp"

namespace far::bench {
namespace {

report measure_transfers(const settings& chosen) {
  check_settings("transfers", chosen);
  return fabric::in_job() ? measure_transfers_in_job() : measure_transfers_here(chosen);
}

const benchmark registered("transfers",
                           "put, get and accumulate, against loops by hand and Global Arrays",
                           measure_transfers);

}  // namespace
}  // namespace far::bench
