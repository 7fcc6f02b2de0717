// A message of a cached array that is malformed ends the job, and says so.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "far/array/cached/messages.hpp"
#include "far/array/cached/part.hpp"
#include "far/array/cached_array.hpp"
#include "far/far.hpp"
#include "far/homes/registry.hpp"

namespace {

using far::cached::right;
using word = std::uint64_t;
constexpr std::uint64_t elements = 64;

std::shared_ptr<far::cached::part> only_part(const far::world& world) {
  auto& objects = world.state().get<far::homes::registry>();
  for (far::homes::object_id id = 0;; ++id) {
    if (auto part = objects.find_if<far::cached::part>(id)) return part;
  }
}

/// Runs the body on the only rank of a job, with its part of an array of 16 chunks.
void expect_end(const char* why,
                const std::function<void(const far::world&, far::cached::part&)>& body) {
  GTEST_FLAG_SET(death_test_style, "fast");
  EXPECT_DEATH(far::run({.ranks = 1, .mode = far::job_mode::threads},
                        [&](far::world& world) {
                          const far::cached_array<word> a(
                              world, elements, {.chunk = 4, .begins = {}, .force_protocol = true});
                          body(world, *only_part(world));
                        }),
               why);
}

/// Asks for the right to operate on a chunk, as `change` makes the message.
void want(const far::world& world, const far::cached::part& part,
          const std::function<void(far::cached::want_header&, far::cached::want_item&,
                                   far::fabric::send_request&)>& change) {
  far::cached::want_header header{part.id, right::operate, false, 1, {}};
  far::cached::want_item item{};
  far::fabric::send_request message;
  message.handler = far::cached::operation_of<word, std::plus<>>.request_handler();
  message.head = std::as_bytes(std::span(&header, 1));
  message.body = std::as_bytes(std::span(&item, 1));
  change(header, item, message);
  world.context().send(message);
}

TEST(cached_messages_test, a_header_is_cut_off) {
  std::string told;
  try {
    far::run({.ranks = 1, .mode = far::job_mode::threads}, [](far::world& world) {
      const far::cached_array<word> a(world, elements,
                                      {.chunk = 4, .begins = {}, .force_protocol = true});
      want(world, *only_part(world), [](auto&, auto&, auto& message) {
        message.head = message.head.first(2);
        message.body = {};
      });
      (void)world.context().wait([] { return false; }, far::fabric::never, {"its end", 0, {}});
    });
  } catch (const far::error& failure) {
    told = failure.what();
  }
  EXPECT_NE(told.find("its header is cut off"), std::string::npos) << told;
}

TEST(cached_messages_death_test, a_list_is_cut_off) {
  expect_end("a request for rights is malformed",
             [](const far::world& world, const far::cached::part& part) {
               want(world, part, [](auto& header, auto&, auto&) { header.count = 2; });
             });
}

TEST(cached_messages_death_test, a_right_is_none) {
  expect_end("a message names no right", [](const far::world& world,
                                            const far::cached::part& part) {
    want(world, part, [](auto& header, auto&, auto&) { header.what = static_cast<right>(200); });
  });
}

TEST(cached_messages_death_test, a_chunk_is_none) {
  for (const std::uint64_t chunk : {std::uint64_t{16}, ~std::uint64_t{0}}) {
    expect_end("a message names a chunk of another rank",
               [&](const far::world& world, const far::cached::part& part) {
                 want(world, part, [&](auto&, auto& item, auto&) { item.chunk = chunk; });
               });
  }
}

TEST(cached_messages_death_test, a_lock_is_none) {
  expect_end("a message about a lock is malformed",
             [](const far::world& world, const far::cached::part& part) {
               (void)far::cached::lock_element(
                   world, 0, {part.id, far::cached::lock_request::exclusive, elements});
             });
}

}  // namespace
