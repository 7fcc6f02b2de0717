// A program and a plug-in whose symbols are hidden use one job. Both have their own copies of
// libfar's templates, but must share what a rank keeps, find each other's objects, run each other's
// handlers, and catch each other's exceptions.

#include <dlfcn.h>

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/same_type.hpp"
#include "test/plugins/plugin.hpp"
#include "test/support/command.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

/// Loaded before main, because handlers must be registered before the first job.
void* const library = dlopen(test::built("test-hidden.so").c_str(), RTLD_NOW | RTLD_LOCAL);

template <class Function>
Function& of_plugin(const char* name) {
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(dlerror());
  return *reinterpret_cast<Function*>(found);
}

using hidden_plugin_test = test::on_ranks;
INSTANTIATE_FAR_MODES_ON(hidden_plugin_test, 1, 2, 5);

TEST_P(hidden_plugin_test, shares_what_its_program_keeps) {
  run([](world& w) {
    EXPECT_EQ(of_plugin<plugin_heaps>("far_plugin_heaps")(w), &w.state().get<memory::heaps>());
    EXPECT_EQ(of_plugin<plugin_heaps>("far_plugin_heaps")(w), &w.state().get<memory::heaps>());
  });
}

// The program has a heap of the segment already, or the plug-in has.
TEST_P(hidden_plugin_test, allocates_from_the_same_heap) {
  run([](world& w) {
    constexpr std::uint64_t n = 100;
    const auto theirs =
        ptr<std::uint64_t>::from_bits(of_plugin<plugin_allocate>("far_plugin_allocate")(w, n));
    const auto ours = allocate_local<std::uint64_t>(w, n);
    EXPECT_GE(ours > theirs ? ours - theirs : theirs - ours, std::int64_t{n});
    for (std::uint64_t& word : local_span(w, theirs, n)) word = 7;
    queue<std::uint64_t> values(w, 0, 128);
    auto mine = values.with(policy::one_sided);
    for (std::uint64_t& word : local_span(w, ours, n)) word = 8;
    if (w.rank() == 0) {
      for (std::uint64_t i = 0; i < n; ++i) mine.push(i);
    }
    for (const std::uint64_t word : local_span(w, theirs, n)) EXPECT_EQ(word, 7u);
    for (const std::uint64_t word : local_span(w, ours, n)) EXPECT_EQ(word, 8u);
  });
}

TEST_P(hidden_plugin_test, uses_structures_and_calls_of_the_job) {
  seeds = 50;
  run([](world& w) {
    hash_map<std::uint64_t, std::uint64_t> map(w, 100, policy::rpc);  // of the same type
    map.insert(static_cast<unsigned>(w.rank()), 1);
    EXPECT_EQ(of_plugin<plugin_use>("far_plugin_use")(w), 0);
    EXPECT_EQ(map.find(static_cast<unsigned>((w.rank() + 1) % w.size())), 1u);
  });
}

TEST(hidden_plugin, exceptions_are_caught_on_both_sides) {
  EXPECT_THROW(of_plugin<plugin_throw>("far_plugin_throw")(), bad_argument);
  EXPECT_THROW(of_plugin<plugin_throw>("far_plugin_throw")(), error);
  const auto caught = [](void (*thrower)()) {
    return std::string(of_plugin<plugin_catch>("far_plugin_catch")(thrower));
  };
  EXPECT_EQ(caught([] { throw bad_argument("here"); }), "bad_argument");
  EXPECT_EQ(caught([] { throw rank_failed(1, "here"); }), "rank_failed");
  EXPECT_EQ(caught([] { throw fabric_error("here"); }), "error");
}

struct unnamed {};

TEST(hidden_plugin, types_are_told_apart) {
  EXPECT_TRUE(base::same_type(typeid(std::vector<int>), typeid(std::vector<int>)));
  EXPECT_FALSE(base::same_type(typeid(std::vector<int>), typeid(std::vector<unsigned>)));
  EXPECT_TRUE(base::same_type(typeid(unnamed), typeid(unnamed)));
  EXPECT_FALSE(
      base::same_name(typeid(unnamed), typeid(unnamed)));  // another file's may be so named
}

}  // namespace
}  // namespace far
