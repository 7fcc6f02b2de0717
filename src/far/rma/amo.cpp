#include "far/rma/amo.hpp"

namespace far::rma {
namespace {

void perform(fabric::context& context, fabric::amo_request& request) {
  request.domain = domain_of(context.owner(), request.word);
  fabric::completion done;
  context.amo(request, &done);
  context.wait(done, {"atomic operation", request.word.rank(), request.word});
}

}  // namespace

void amo(fabric::context& context, fabric::amo_request request) {
  request.fetched = nullptr;
  perform(context, request);
}

std::uint64_t fetching_amo(fabric::context& context, fabric::amo_request request) {
  std::uint64_t old = 0;
  request.fetched = &old;
  perform(context, request);
  return old;
}

}  // namespace far::rma
