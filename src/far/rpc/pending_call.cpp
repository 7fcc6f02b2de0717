#include "far/rpc/pending_call.hpp"

#include "far/base/error.hpp"

namespace far::detail {

pending_call::pending_call(fabric::context& context, rank_state& state) noexcept
    : context_(&context), state_(&state) {
  on_reply = &pending_call::on_reply_bytes;
  on_done = &pending_call::on_replied;
}

pending_call::~pending_call() { drop_arguments(); }

void pending_call::drop_arguments() noexcept {
  // A lane's context outlives its rank's state, which has freed the kept arguments.
  if (!arguments_ || context_->owner().owner == nullptr) return;
  state_->get<rpc_store>().drop(std::exchange(arguments_, {}));
}

void pending_call::note_failure(std::exception_ptr failure) const {
  state_->get<rpc_store>().note_failure(std::move(failure));
}

void pending_call::on_reply_bytes(fabric::request& self, fabric::payload bytes) noexcept {
  static_cast<pending_call&>(self).read(bytes, false);
}

void pending_call::on_replied(fabric::completion& self) noexcept {
  auto& call = static_cast<pending_call&>(self);
  if (call.elsewhere_.place) {
    call.fetch();
  } else {
    call.end_call();
  }
}

void pending_call::read(fabric::payload bytes, bool fetched) noexcept {
  try {
    wire::reader from(bytes);
    const auto status = from.get<reply_status>();
    if (status == reply_status::value) {
      accept(from);
    } else if (status == reply_status::exception) {
      throw_remote_exception(from);
    } else if (status == reply_status::elsewhere && !fetched) {
      const auto kept = from.get<kept_bytes>();
      from.finish();
      if (!kept.place) wire::throw_malformed("a result without an address");
      elsewhere_ = kept;
    } else {
      wire::throw_malformed("a reply of unknown kind");
    }
  } catch (...) {
    refuse(std::current_exception());
  }
}

void pending_call::fetch() {
  on_done = &pending_call::on_fetched;
  try {
    // Check before memory is allocated for it.
    context_->owner().check_bounds(elsewhere_.place, elsewhere_.bytes);
    fetched_ = std::make_unique_for_overwrite<std::byte[]>(elsewhere_.bytes);
    const fabric::get_part part{elsewhere_.place, fetched_.get(), elsewhere_.bytes};
    context_->get(std::span(&part, 1), this);
  } catch (...) {
    refuse(std::current_exception());
    end_call();
  }
}

void pending_call::on_fetched(fabric::completion& self) noexcept {
  auto& call = static_cast<pending_call&>(self);
  call.read({call.fetched_.get(), call.elsewhere_.bytes}, true);
  call.fetched_.reset();
  call.state_->get<rpc_store>().release(*call.context_, call.elsewhere_.place);
  call.end_call();
}

void pending_call::end_call() noexcept {
  drop_arguments();
  finish_call();
}

void kept_one_way::refuse(std::exception_ptr failure) noexcept { note_failure(std::move(failure)); }

}  // namespace far::detail
