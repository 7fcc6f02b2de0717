#include "far/fabric/ucx/interfaces.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace far::fabric::ucx {
namespace {

/// Sets an environment variable for the lifetime of the object.
class changed_variable {
 public:
  changed_variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) {
      had_ = true;
      old_ = old;
    }
    setenv(name, value, 1);
  }
  ~changed_variable() {
    if (had_) {
      setenv(name_, old_.c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  changed_variable(const changed_variable&) = delete;
  changed_variable& operator=(const changed_variable&) = delete;

 private:
  const char* name_;
  bool had_ = false;
  std::string old_;
};

TEST(interfaces_test, launchers_are_found_where_they_say) {
  const changed_variable open_mpi("OMPI_MCA_orte_hnp_uri",
                                  "1460469760.0;tcp://10.83.0.1,192.168.7.2:37353");
  const changed_variable slurm("SLURM_LAUNCH_NODE_IPADDR", "10.1.2.3");
  const changed_variable ssh("SSH_CONNECTION", "10.4.5.6 50000 10.4.5.7 22");
  EXPECT_EQ(launcher_addresses(),
            (std::vector<std::string>{"10.83.0.1", "192.168.7.2", "10.1.2.3", "10.4.5.6"}));
}

TEST(interfaces_test, what_is_no_address_is_passed_over) {
  const changed_variable open_mpi("OMPI_MCA_orte_hnp_uri", "nothing");
  const changed_variable slurm("SLURM_LAUNCH_NODE_IPADDR", "");
  const changed_variable ssh("SSH_CONNECTION", "x");
  EXPECT_EQ(interface_towards({"", "nothing", "300.1.2.3", "::x"}), "");
  EXPECT_EQ(interface_towards(launcher_addresses()), "");
}

TEST(interfaces_test, the_loopback_leads_nowhere) {
  EXPECT_EQ(interface_towards({"127.0.0.1", "::1"}), "");
}

}  // namespace
}  // namespace far::fabric::ucx
