#include "far/object/object_space.hpp"

#include <exception>

#include "far/base/error.hpp"
#include "far/object/part.hpp"
#include "far/team/barrier.hpp"

namespace far {

object_space::object_space(const far::world& world, const object_space_options& options)
    : object_view(world, objects::make_part(world, options)) {}

object_space::~object_space() {
  access_.close();
  objects::release_part(world(), *shared_part(), scope_);
}

void object_space::barrier() {
  outside([this] { far::barrier(world()); });
  refresh();
}

void object_space::run(int n, const std::function<void(object_view&)>& main) {
  barrier();
  std::exception_ptr failure;
  world().threads(n, [&](far::world& own) {
    object_view thread = on(own);
    if (own.rank() != 0 || own.thread() != 0) return thread.access_.serve(&thread);
    try {
      main(thread);
    } catch (...) {
      failure = std::current_exception();
    }
    thread.access_.stop();
  });
  {
    const std::scoped_lock lock(shared_part()->mutex);
    shared_part()->stopped = false;
  }
  barrier();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace far
