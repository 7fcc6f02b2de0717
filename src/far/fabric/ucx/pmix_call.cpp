#include "far/fabric/ucx/pmix_call.hpp"

#include <chrono>

namespace far::fabric::ucx {

/// The share of a callback, from its `data`; the callback owns it from here on.
pmix_call::share pmix_call::share_of(void* data) {
  return share(static_cast<std::shared_ptr<pmix_call>*>(data));
}

std::shared_ptr<pmix_call> pmix_call::fence(bool collects) {
  const auto self = std::make_shared<pmix_call>();
  PMIX_INFO_LOAD(&self->collect_, PMIX_COLLECT_DATA, &collects, PMIX_BOOL);
  auto theirs = std::make_unique<std::shared_ptr<pmix_call>>(self);
  const auto ended = [](pmix_status_t status, void* data) { (*share_of(data))->end(status); };
  const pmix_status_t status = PMIx_Fence_nb(nullptr, 0, &self->collect_, 1, ended, theirs.get());
  self->note_start(status, std::move(theirs));
  return self;
}

std::shared_ptr<pmix_call> pmix_call::get(const pmix_proc_t& who, const std::string& key) {
  const auto self = std::make_shared<pmix_call>();
  self->who_ = who;
  self->key_ = key;
  auto theirs = std::make_unique<std::shared_ptr<pmix_call>>(self);
  const auto ended = [](pmix_status_t status, pmix_value_t* value, void* data) {
    const share mine = share_of(data);
    if (value != nullptr && value->type == PMIX_BYTE_OBJECT) {
      const auto* const begin = reinterpret_cast<const std::byte*>(value->data.bo.bytes);
      (*mine)->bytes_.assign(begin, begin + value->data.bo.size);
    }
    (*mine)->end(status);
  };
  const pmix_status_t status =
      PMIx_Get_nb(&self->who_, self->key_.c_str(), nullptr, 0, ended, theirs.get());
  self->note_start(status, std::move(theirs));
  return self;
}

/// Ends the call if it has completed or failed at once: then PMIx does not call back.
void pmix_call::note_start(pmix_status_t status, share theirs) {
  if (status == PMIX_SUCCESS) {
    theirs.release();
  } else {
    end(status);
  }
}

void pmix_call::end(pmix_status_t status) {
  {
    const std::scoped_lock locked(lock_);
    status_ = status == PMIX_OPERATION_SUCCEEDED ? PMIX_SUCCESS : status;
  }
  news_.notify_all();
}

std::optional<pmix_status_t> pmix_call::wait(std::uint64_t limit_s) {
  std::unique_lock locked(lock_);
  const auto is_over = [this] { return status_.has_value(); };
  if (limit_s == 0) {
    news_.wait(locked, is_over);
  } else {
    news_.wait_for(locked, std::chrono::seconds(limit_s), is_over);
  }
  return status_;
}

}  // namespace far::fabric::ucx
