#include "bindings/c/lane.hpp"

#include <utility>

namespace far::c {

objects::thread_access& lane::view_of(std::size_t space,
                                      const std::shared_ptr<objects::part>& part) {
  if (is_outside_) {
    throw bad_argument("this thread is outside of its object spaces: call far_end_outside first");
  }
  if (space >= views_.size()) views_.resize(space + 1);
  auto& view = views_[space];
  if (view == nullptr) {
    // The others' collections do not wait for this thread while it waits for the end of one here.
    std::unique_ptr<objects::thread_access> made;
    outside([&] { made = std::make_unique<objects::thread_access>(world_, part); });
    view = std::move(made);
  }
  return *view;
}

void lane::close_view(std::size_t space) {
  if (space >= views_.size() || views_[space] == nullptr) return;
  if (is_outside_) views_[space]->end_outside();
  views_[space].reset();
}

void lane::begin_outside(const objects::thread_access* but) {
  std::size_t begun = 0;
  try {
    for (; begun < views_.size(); ++begun) {
      auto* const view = views_[begun].get();
      if (view != nullptr && view != but) view->begin_outside();
    }
  } catch (...) {
    while (begun-- > 0) {
      auto* const view = views_[begun].get();
      if (view != nullptr && view != but) view->end_outside();
    }
    throw;
  }
  is_outside_ = but == nullptr;
}

void lane::end_outside(const objects::thread_access* but) {
  if (but == nullptr) is_outside_ = false;
  for (const auto& view : views_) {
    if (view != nullptr && view.get() != but) view->end_outside();
  }
}

void lane::refresh() {
  for (const auto& view : views_) {
    if (view != nullptr) view->refresh();
  }
}

void lane::check_holds_nothing() const {
  if (held_locks > 0) {
    throw bad_argument("far_detach: this thread holds a lock: release it first");
  }
  for (const auto& view : views_) {
    if (view != nullptr && view->holds_monitors()) {
      throw bad_argument("far_detach: this thread is in a monitor: leave it first");
    }
  }
}

void lane::close() noexcept {
  kept_.clear();
  views_.clear();
  context_.reset();
}

}  // namespace far::c
