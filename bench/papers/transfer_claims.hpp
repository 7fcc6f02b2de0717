#pragma once
// What armci-host-assisted claims about transfers, and whether it holds on a simulated machine; and
// libfar's own goals there.

#include <string>
#include <vector>

#include "bench/harness/figure.hpp"
#include "bench/harness/report.hpp"
#include "bench/papers/application_figures.hpp"
#include "bench/papers/transfer_figures.hpp"

namespace far::bench {

/// The paper's figures for the machine of a profile; null for other machines.
struct paper_machine {
  const char* profile;
  double put_ns, get_ns, message_ns;             ///< table 1
  double put_mb_s, get_mb_s;                     ///< section 4.1
  double interface_atomic_ns, helper_atomic_ns;  ///< section 4.3
};
[[nodiscard]] const paper_machine* paper_machine_of(const std::string& profile) noexcept;

/// Table 1 and section 4.3 as rows: the limit is the paper's time, at most 5 % more the goal.
[[nodiscard]] std::vector<row> transfer_rows(const transfer_results& of,
                                             const std::string& profile);
[[nodiscard]] std::vector<claim> transfer_claims(const transfer_results& of,
                                                 const std::string& profile);
[[nodiscard]] std::vector<claim> multigrid_claims(const multigrid_results& of);
[[nodiscard]] std::vector<claim> product_claims(const product_results& of);

}  // namespace far::bench
