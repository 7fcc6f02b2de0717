#include "mail.hpp"

#include <utility>

namespace far::python {

void mailbox::deliver(const far::world& at, message what) {
  {
    const std::scoped_lock lock(mutex_);
    messages_.push_back(std::move(what));
  }
  bell_.ring_soon(at);
}

void mailbox::open(const far::world& world) {
  {
    const std::scoped_lock lock(mutex_);
    open_ = true;
  }
  bell_.ring(world);
}

std::optional<mailbox::message> mailbox::receive(const far::world& world) {
  for (;;) {
    const std::uint64_t seen = bell_.count(world);
    {
      const std::scoped_lock lock(mutex_);
      if (closed_) return std::nullopt;
      if (open_ && !messages_.empty()) {
        message next = std::move(messages_.front());
        messages_.pop_front();
        return next;
      }
    }
    bell_.wait(world, seen);
  }
}

void mailbox::close(const far::world& world) {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  bell_.ring(world);
}

}  // namespace far::python
