#include "far/containers/queue/ring_ways.hpp"

#include "far/containers/queue/ring_calls.hpp"

namespace far::containers {

ring_ways::ring_ways(const world& world, const ring& where, policy how, ring_choices* choices)
    : user_(world, where), how_(how), choices_(choices) {
  const bool chooses = choices != nullptr && choices->concerns(world, where.host());
  if (how == policy::automatic && !chooses) how_ = policy::one_sided;
}

ring_choices::begun ring_ways::begin(ring_operation what, std::uint64_t n) {
  const ring& where = user_.where();
  return choices_->begin(user_.world(), where.host(), what, n * where.slot_bytes);
}

bool ring_ways::push_by_policy(const std::byte* values, std::uint64_t n) {
  call_times times;
  if (how_ == policy::rpc) return push_by_call(user_, values, n, times);
  const auto begun =
      begin(was_refused_push_ ? ring_operation::push_again : ring_operation::push, n);
  const bool pushed =
      begun.by_call() ? push_by_call(user_, values, n, times) : user_.try_push(values, n);
  choices_->end(user_.world(), begun, times);
  was_refused_push_ = !pushed;
  return pushed;
}

std::uint64_t ring_ways::pop_otherwise(std::byte* values, std::uint64_t n) {
  call_times times;
  if (how_ == policy::rpc) return pop_by_call(user_, values, n, times);
  const auto begun = begin(was_refused_pop_ ? ring_operation::pop_again : ring_operation::pop, n);
  const std::uint64_t count =
      begun.by_call() ? pop_by_call(user_, values, n, times) : user_.try_pop(values, n);
  choices_->end(user_.world(), begun, times);
  was_refused_pop_ = count == 0;
  return count;
}

}  // namespace far::containers
