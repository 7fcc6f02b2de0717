#include "far/rpc/handler.hpp"

#include <memory>

#include "far/base/error.hpp"

namespace far::detail {
namespace {

/// Arguments being fetched. The rank's rpc_store holds this object until they have arrived.
struct argument_fetch : fabric::completion {
  caller to;
  bool nested = false;
  run_fetched run = nullptr;
  std::size_t bytes = 0;
  std::unique_ptr<std::byte[]> arguments;

  static void on_fetched(fabric::completion& self) noexcept {
    auto* const fetch = static_cast<argument_fetch*>(&self);
    if (fetch->to.leaves()) return;
    const auto release_held = fetch->to.state()->get<rpc_store>().release_held(fetch);
    try {
      fetch->run(fetch->to, fetch->nested, {fetch->arguments.get(), fetch->bytes});
    } catch (...) {
      reply_exception(fetch->to, std::current_exception());
    }
  }
};

void start_fetch(const caller& to, bool nested, const kept_bytes& kept, run_fetched run) {
  try {
    // Check before memory is allocated for it.
    to.lane->owner().check_bounds(kept.place, kept.bytes);
    const auto fetch = std::make_shared<argument_fetch>();
    fetch->on_done = &argument_fetch::on_fetched;
    fetch->to = to;
    fetch->nested = nested;
    fetch->run = run;
    fetch->bytes = kept.bytes;
    fetch->arguments = std::make_unique_for_overwrite<std::byte[]>(kept.bytes);
    const fabric::get_part part{kept.place, fetch->arguments.get(), kept.bytes};
    to.state()->get<rpc_store>().hold(fetch);
    to.lane->get(std::span(&part, 1), fetch.get());
  } catch (...) {
    reply_exception(to, std::current_exception());
  }
}

}  // namespace

void fetch_arguments(fabric::message& message, const caller& to, bool nested,
                     const kept_bytes& kept, run_fetched run) {
  message.defer([token = to.token, nested, kept, run](fabric::context& lane) {
    start_fetch({&lane, token}, nested, kept, run);
  });
}

caller caller_of(fabric::message& message) {
  caller result{&message.lane(), {}};
  if (message.expects_reply()) result.token = message.take_token();
  return result;
}

}  // namespace far::detail
