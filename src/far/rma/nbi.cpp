#include "far/rma/nbi.hpp"

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/rma/continuation_queue.hpp"
#include "far/rma/transfer.hpp"

namespace far::rma {

fabric::completion& until_flush(fabric::context& context) {
  return detail::continuation_queue::of(context).until_flush;
}

void put_nbi(const world& world, fabric::address to, const void* from, std::size_t bytes,
             const signal* after) {
  const put_part part{to, from, bytes};
  if (after != nullptr) check_signal({&part, 1}, *after);
  fabric::release_fence();  // after this thread's earlier operations
  world.context().put({&part, 1}, nullptr, nullptr, after);
}

void get_nbi(const world& world, fabric::address from, void* to, std::size_t bytes) {
  fabric::context& context = world.context();
  const get_part part{from, to, bytes};
  context.get({&part, 1}, &until_flush(context));
}

void amo_nbi(fabric::context& context, fabric::amo_request request) {
  request.domain = domain_of(context.owner(), request.word);
  context.amo(request, request.fetched == nullptr ? nullptr : &until_flush(context));
}

void throw_no_operation() {
  throw bad_argument("amo_nbi: only words of integers have this operation");
}

}  // namespace far::rma
