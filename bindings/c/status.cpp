#include "bindings/c/status.hpp"

#include <new>
#include <string>

#include <fmt/format.h>

namespace far::c {
namespace {

/// Of a thread's last failure.
struct last_failure {
  std::string message;
  int rank = -1;
};

last_failure& failure_here() {
  thread_local last_failure here;
  return here;
}

far_status keep(far_status status, const char* message) noexcept {
  try {
    failure_here().message = message;
  } catch (const std::bad_alloc&) {
    failure_here().message.clear();
  }
  return status;
}

}  // namespace

far_status status_of_exception() noexcept {
  try {
    throw;
  } catch (const interrupted& e) {
    failure_here().rank = e.rank();
    return keep(FAR_INTERRUPTED, e.what());
  } catch (const rank_failed& e) {
    failure_here().rank = e.rank();
    return keep(FAR_RANK_FAILED, e.what());
  } catch (const no_job& e) {
    return keep(FAR_NO_JOB, e.what());
  } catch (const bad_argument& e) {
    return keep(FAR_BAD_ARGUMENT, e.what());
  } catch (const out_of_bounds& e) {
    return keep(FAR_OUT_OF_BOUNDS, e.what());
  } catch (const out_of_memory& e) {
    return keep(FAR_OUT_OF_MEMORY, e.what());
  } catch (const std::bad_alloc&) {
    return keep(FAR_OUT_OF_MEMORY, "this process has no memory left");
  } catch (const fabric_error& e) {
    return keep(FAR_FABRIC_ERROR, e.what());
  } catch (const std::exception& e) {
    return keep(FAR_ERROR, e.what());
  } catch (...) {
    return keep(FAR_ERROR, "an unknown exception");
  }
}

void check_not_null(const void* pointer, const char* what) {
  if (pointer == nullptr) throw bad_argument(fmt::format("{} is a null pointer", what));
}

}  // namespace far::c

extern "C" {

const char* far_error_message(void) { return far::c::failure_here().message.c_str(); }
int far_failed_rank(void) { return far::c::failure_here().rank; }
}
