#include "far/object/object_thread.hpp"

#include <string>

#include "far/base/error.hpp"

namespace far {

struct object_thread::end : fabric::request {
  std::string text;

  end() { on_reply = &keep; }
  static void keep(fabric::request& self, fabric::payload bytes) noexcept {
    static_cast<end&>(self).text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
};

object_thread::object_thread(objects::thread_access& starter, int rank,
                             fabric::handler_index handler, objects::place argument)
    : starter_(&starter), rank_(rank), argument_(argument), ended_(std::make_unique<end>()) {
  starter.start(rank, handler, argument, *ended_);
}

object_thread::object_thread(object_thread&& other) noexcept = default;

object_thread::~object_thread() {
  if (!joinable()) return;
  try {
    join();
  } catch (const std::exception&) {
    // Who wants to know joins.
  }
}

void object_thread::join() {
  try {
    starter_->join(*ended_, rank_, argument_);
  } catch (...) {
    (void)ended_.release();  // the failed job's messages may still name it
    throw;
  }
  const std::unique_ptr<end> ended = std::move(ended_);
  if (!ended->text.empty()) throw error(ended->text);
}

}  // namespace far
