#include "far/sections/read_modify_write.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/model/known_costs.hpp"
#include "far/rpc/call.hpp"
#include "far/rpc/serialize.hpp"

namespace far::sections {
namespace {

/// What only simulated machines have.
struct helper_figures {
  explicit helper_figures(rank_state& state)
      : wake_ps(state.fabric().work_cost_ps("handoff")),
        atomic_ps(state.fabric().work_cost_ps("helper_atomic")) {}
  std::uint64_t wake_ps;
  std::uint64_t atomic_ps;
};

/// On the owner. The word is changed by an atomic of the fabric, because others do so, too.
future<std::uint64_t> perform_amo(const world& world, fabric::address word, std::uint8_t op,
                                  std::uint8_t bytes, bool is_signed, std::uint64_t operand) {
  fabric::amo_request request;
  request.word = word;
  request.op = static_cast<fabric::amo_op>(op);
  request.bytes = bytes;
  request.is_signed = is_signed;
  request.operand = operand;
  if (request.op != fabric::amo_op::add && request.op != fabric::amo_op::swap) {
    wire::throw_malformed("an unknown read-modify-write");
  }
  if (word.rank() != world.rank()) {
    throw bad_argument(fmt::format("rank {} was asked for a word of rank {}: send to the owner",
                                   world.rank(), word.rank()));
  }
  world.context().charge(world.state().get<helper_figures>().atomic_ps);
  return future<std::uint64_t>(rma::start_amo<std::uint64_t>(world.context(), request));
}

}  // namespace

rmw_costs costs_of_rmw(const world& world, fabric::address word, fabric::amo_op op) {
  const model::component_costs& costs = model::costs_of(world, word.rank());
  const auto& helper = world.state().get<helper_figures>();
  rmw_costs result;
  result.fabric = costs.of(op == fabric::amo_op::add ? model::component::fetch_add
                                                     : model::component::compare_swap);
  result.helper = costs.of(model::component::message) +
                  static_cast<double>(helper.wake_ps + helper.atomic_ps) / 1000;
  const bool is_reached = fabric::reached(world.atomics(), word) != nullptr;
  if (!is_reached && result.helper < result.fabric) result.how = rmw_way::helper;
  return result;
}

future<std::uint64_t> start_by_helper(const world& world, const fabric::amo_request& request) {
  world.fabric().check_bounds(request.word, request.bytes);
  if (request.word.offset() % request.bytes != 0) {
    throw bad_argument(fmt::format("read-modify-write at offset {}: not aligned to its {} bytes",
                                   request.word.offset(), request.bytes));
  }
  return rpc<perform_amo>(world, request.word.rank(), request.word,
                          static_cast<std::uint8_t>(request.op), request.bytes, request.is_signed,
                          request.operand);
}

}  // namespace far::sections
