#pragma once
// The futures of accesses that must not wait.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "far/array/cached/messages.hpp"
#include "far/array/cached/thread_access.hpp"
#include "far/base/raw_object.hpp"
#include "far/rma/rma.hpp"

namespace far::cached {

/// The state of a future of an access that the home makes. T: the element's type, or void.
template <class T>
class pending_access final : public far::detail::future_state<T>, public fabric::request {
 public:
  pending_access(fabric::context& context, int home) : far::detail::future_state<T>(context) {
    this->describe("access to a cached array", home);
    on_reply = [](fabric::request& self, fabric::payload bytes) noexcept {
      auto& to = static_cast<pending_access&>(self).raw_.bytes;
      std::ranges::copy(bytes.first(std::min(bytes.size(), sizeof(to))), to);
    };
    on_done = [](fabric::completion& done) noexcept {
      auto& self = static_cast<pending_access&>(static_cast<fabric::request&>(done));
      if constexpr (std::is_void_v<T>) {
        self.set_value();
      } else {
        self.set_value(self.raw_.value());
      }
      self.finish();
      self.end_operation();
    };
  }

 private:
  base::raw_object<far::detail::stored<T>> raw_{};
};

/// Lets the home make an access; `value` is the element to write, or empty.
template <class T>
[[nodiscard]] future<T> start_at_home(const thread_access& access, std::uint64_t chunk,
                                      std::uint64_t offset, fabric::payload value) {
  part& of = access.part();
  delegated_header header{};
  header.object = of.id;
  header.what = value.empty() ? right::read : right::write;
  header.chunk = chunk;
  header.offset = offset;
  auto state = far::detail::make_state<pending_access<T>>(access.view().context(),
                                                          of.map.owner_of_chunk(chunk));
  state->begin_operation();
  send_delegated(access.view(), of, header, value, *state);
  return future<T>(std::move(state));
}

}  // namespace far::cached
