// A library as many projects build theirs: with -fvisibility=hidden, loaded with RTLD_LOCAL.

#include <cstdint>

#include "test/plugins/plugin.hpp"

#define FAR_PLUGIN_EXPORT [[gnu::visibility("default")]]

namespace {

int use_map(far::world& w) {
  far::hash_map<std::uint64_t, std::uint64_t> map(w, 1000, far::policy::rpc);
  for (std::uint64_t i = 0; i < 8; ++i) map.insert(i * 16 + static_cast<unsigned>(w.rank()), i);
  far::barrier(w);
  int wrong = 0;
  const auto next = static_cast<unsigned>((w.rank() + 1) % w.size());
  for (std::uint64_t i = 0; i < 8; ++i) wrong += map.find(i * 16 + next) == i ? 0 : 1;
  return wrong;
}

int use_queue(far::world& w) {
  far::queue<int> all(w, 0, 64);
  {
    auto mine = all.writing();
    if (!mine.try_push(w.rank())) return 1;
  }
  int wrong = 0;
  if (w.rank() == 0) {
    auto mine = all.local();
    int sum = 0;
    for (int i = 0; i < w.size(); ++i) sum += mine.try_pop().value_or(-1000);
    wrong = sum == w.size() * (w.size() - 1) / 2 ? 0 : 1;
  }
  far::barrier(w);
  return wrong;
}

int use_calls(far::world& w) {
  const int next = (w.rank() + 1) % w.size();
  const int got = far::rpc(
                      w, next, [](far::world& there, int x) { return there.rank() + x; }, 100)
                      .get();
  far::barrier(w);
  return got == next + 100 ? 0 : 1;
}

}  // namespace

extern "C" {

FAR_PLUGIN_EXPORT const void* far_plugin_heaps(far::world& w) {
  return &w.state().get<far::memory::heaps>();
}

FAR_PLUGIN_EXPORT std::uint64_t far_plugin_allocate(far::world& w, std::uint64_t n) {
  return far::allocate_local<std::uint64_t>(w, n).bits();
}

FAR_PLUGIN_EXPORT int far_plugin_use(far::world& w) {
  return use_map(w) + use_queue(w) + use_calls(w);
}

FAR_PLUGIN_EXPORT const char* far_plugin_catch(void (*thrower)()) {
  try {
    thrower();
  } catch (const far::rank_failed&) {
    return "rank_failed";
  } catch (const far::bad_argument&) {
    return "bad_argument";
  } catch (const far::error&) {
    return "error";
  } catch (...) {
    return "something else";
  }
  return "nothing";
}

FAR_PLUGIN_EXPORT void far_plugin_throw() { throw far::bad_argument("of the plug-in"); }
}
