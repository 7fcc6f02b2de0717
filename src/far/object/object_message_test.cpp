// Messages that make no sense end the job, with one line; nothing waits, and nothing is
// overwritten.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/object/copy/packet_format.hpp"
#include "far/object/heap/conductor.hpp"
#include "far/object/home/recall.hpp"
#include "far/object/messages.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/part.hpp"
#include "far/team/barrier.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::object_view;
using far::ref;
using far::test::record;
using far::test::small_space;
namespace objects = far::objects;
namespace fabric = far::fabric;

class object_message_test : public far::test::on_ranks {
 protected:
  object_message_test() { seeds = 5; }
};

/// A message to rank 0, in place of one of the library.
struct forged {
  fabric::handler_index handler;
  std::vector<std::byte> bytes;
  std::uint32_t reply_bytes = 64;
};

template <class... Parts>
std::vector<std::byte> packed(const Parts&... parts) {
  std::vector<std::byte> all;
  (objects::append(all, parts), ...);
  return all;
}

/// The messages, for the space with this number and an object of rank 0 in it.
std::vector<forged> all_forged(std::uint32_t id, std::uint64_t offset) {
  const auto on = []<class Header>(Header*) {
    return fabric::handler_of<far::homes::handler<Header>>::index();
  };
  const auto fetch = on(static_cast<objects::fetch_message*>(nullptr));
  const auto change = on(static_cast<objects::change_message*>(nullptr));
  const auto left = on(static_cast<objects::left_message*>(nullptr));
  const auto monitor = on(static_cast<objects::monitor_message*>(nullptr));
  const auto protocol = on(static_cast<objects::protocol_message*>(nullptr));
  const auto recall = on(static_cast<objects::recall_message*>(nullptr));
  const auto collect = on(static_cast<objects::collect_message*>(nullptr));
  objects::monitor_message asks{};
  asks.object = id;
  asks.what = static_cast<objects::monitor_request>(77);
  asks.offset = offset;
  objects::collect_message marks{};
  marks.object = id;
  marks.step = objects::collect_step::mark;
  marks.reached = 1000;
  std::vector<forged> all{
      {fetch, packed(id)},  // too short
      {change, packed(objects::packet_header{id, 3})},
      {change, packed(objects::packet_header{id, 1}, objects::packet_region{48, 1, 0, 0, 0})},
      {change, packed(objects::packet_header{id, 1}, objects::packet_region{offset, 1, 16, 0, 0},
                      objects::packet_run{sizeof(record), 8}, std::uint64_t{1})},
      {left, packed(objects::left_message{id, 5})},
      {monitor, packed(asks)},
      {protocol, packed(id, std::uint32_t{0xff00}, offset)},
      {recall, packed(objects::recall_message{id, 9, 1, 0, 0})},
      {collect, packed(marks)},
  };
  objects::fetch_message small{};
  small.object = id;
  small.bytes = 4096;
  small.offset = offset;
  all.push_back({fetch, packed(small), 8});  // the answer does not fit in its reply
  small.lands = 1;
  all.push_back({fetch, packed(small)});  // there is nowhere where it may land
  return all;
}

constexpr std::size_t kinds = 11;

TEST_P(object_message_test, ends_the_job) {
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    SCOPED_TRACE(kind);
    std::string told = "nothing";
    try {
      run([kind](far::world& world) {
        object_space space(world, small_space);
        if (world.rank() == 0) space.set_root("record", space.make<record>());
        space.barrier();
        const auto shared = space.root<record>("record");
        if (world.rank() == world.size() - 1) {
          const auto all = all_forged(space.shared_part()->id, shared.place().offset());
          EXPECT_EQ(all.size(), kinds);
          fabric::request answer;
          fabric::send_request message;
          message.rank = 0;
          message.handler = all[kind].handler;
          message.head = all[kind].bytes;
          message.reply = &answer;
          message.reply_bytes = all[kind].reply_bytes;
          world.context().send(message);
          world.context().wait(answer, {"an answer that does not come", 0, {}});
        }
        far::barrier(world);
      });
    } catch (const far::fabric_error& failure) {
      told = failure.what();
    } catch (const far::bad_argument& failure) {  // of the fabric: a reply without room
      told = failure.what();
    }
    EXPECT_NE(told, "nothing");
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
  }
}

/// The length of a region at its home, as if it had been overwritten.
void set_length(object_space& space, ref<record> object, std::uint16_t length) {
  auto& heap = space.shared_part()->heap;
  auto* const header = reinterpret_cast<objects::region_header*>(
      heap.data_at(object.place().offset()) - sizeof(objects::region_header));
  header->length = length;
}

/// What a home says of its object is checked. Then the copy is as before: other threads do not wait
/// for it, and can fetch it when the home is right again.
TEST_P(object_message_test, a_failed_fetch_leaves_the_copy_to_others) {
  run([](far::world& world) {
    for (const auto replies : {far::fetch_replies::messages, far::fetch_replies::one_sided}) {
      auto how = small_space;
      how.replies = replies;
      object_space space(world, how);
      if (world.rank() == 0) space.set_root("record", space.make<record>(record{1, 2, 3, 4, 5}));
      space.barrier();
      const auto shared = space.root<record>("record");
      if (world.rank() == 0) set_length(space, shared, 60000);
      space.barrier();
      if (world.rank() != 0) {
        world.threads(2, [&](far::world& own) {
          auto view = space.on(own);
          std::string told = "nothing";
          try {
            (void)view.read(shared).a;
          } catch (const far::fabric_error& failure) {
            told = failure.what();
          }
          EXPECT_NE(told.find("rank 0"), std::string::npos) << told;
          EXPECT_NE(told.find("far::test::record"), std::string::npos) << told;
        });
      }
      space.barrier();
      if (world.rank() == 0) set_length(space, shared, 1);
      space.barrier();
      EXPECT_EQ(space.read(shared).a, 1u);
      EXPECT_EQ(space.read(shared).e, 5.0);
      space.barrier();
    }
  });
}

/// An object that comes with a monitor, shorter or longer than its header says.
TEST(object_grant_test, a_grant_has_the_bytes_that_have_come) {
  objects::granted_object object;
  objects::pending_grant pending(object);
  const objects::region_header header{1, 100, 0, 100};
  const auto bytes = packed(objects::monitor_answer::entered, header, std::uint64_t{7});
  pending.on_reply(pending, bytes);
  EXPECT_TRUE(pending.has_object);
  EXPECT_EQ(object.header.length, 100u);
  EXPECT_EQ(object.bytes, sizeof(std::uint64_t));
}

INSTANTIATE_FAR_MODES_ON(object_message_test, 2, 3);

}  // namespace
