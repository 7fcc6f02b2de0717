// A stranger that knows a rank's address sends it UCX messages: random packets, truncated ones, too
// long ones, several at a time, with and without the job's key. The rank refuses them, reports
// that, and continues; it never waits for the stranger.

#include <ucp/api/ucp.h>

#include <cstring>
#include <memory>
#include <vector>

#include "far/base/random.hpp"
#include "far/fabric/shm/rank_fabric.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "test/support/jobs.hpp"

namespace far::fabric::ucx {
namespace {

/// A separate UCX worker with a connection to the address on a card.
class stranger {
 public:
  explicit stranger(const std::byte* address) {
    ucp_params_t params{};
    params.field_mask = UCP_PARAM_FIELD_FEATURES;
    params.features = UCP_FEATURE_AM | UCP_FEATURE_RMA;
    EXPECT_EQ(ucp_init(&params, nullptr, &context_), UCS_OK);
    const ucp_worker_params_t worker{};
    EXPECT_EQ(ucp_worker_create(context_, &worker, &worker_), UCS_OK);
    ucp_ep_params_t to{};
    to.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    to.address = reinterpret_cast<const ucp_address_t*>(address);
    EXPECT_EQ(ucp_ep_create(worker_, &to, &endpoint_), UCS_OK);
  }
  ~stranger() {
    wait_for(ucp_ep_close_nb(endpoint_, UCP_EP_CLOSE_MODE_FLUSH));
    ucp_worker_destroy(worker_);
    ucp_cleanup(context_);
  }
  stranger(const stranger&) = delete;
  stranger& operator=(const stranger&) = delete;

  void send(const std::vector<std::byte>& bytes) {
    ucp_request_param_t param{};
    wait_for(ucp_am_send_nbx(endpoint_, packet_id, nullptr, 0, bytes.data(), bytes.size(), &param));
  }

 private:
  void wait_for(ucs_status_ptr_t request) {
    if (!UCS_PTR_IS_PTR(request)) return;
    while (ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(worker_);
    ucp_request_free(request);
  }

  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
};

std::vector<std::byte> random_bytes(base::random& random, std::size_t count) {
  std::vector<std::byte> result(count);
  for (std::byte& b : result) b = static_cast<std::byte>(random.below(256));
  return result;
}

/// Bytes that start with a packet header of this job, of any kind, and continue at random.
std::vector<std::byte> forged(base::random& random, std::uint64_t key) {
  packet_header header;
  header.key = key;
  header.kind = static_cast<packet_kind>(random.below(19));
  header.detail = static_cast<std::uint16_t>(random.below(random.below(2) == 0 ? 4 : 65536));
  header.source = static_cast<std::int32_t>(random.below(3));
  header.operation = random.below(2) == 0 ? random.below(64) : random();
  header.value = random.below(2) == 0 ? random.below(1024) + 1024 : random();
  header.word = random.below(2) == 0 ? random() : random.below(std::uint64_t{1} << 44);
  header.places = static_cast<std::uint32_t>(random.below(random.below(2) == 0 ? 4 : 100000));
  std::vector<std::byte> bytes = random_bytes(random, sizeof(header) + random.below(400));
  const auto behind = static_cast<std::uint32_t>(bytes.size() - sizeof(header));
  header.bytes = random.below(8) == 0 ? static_cast<std::uint32_t>(random()) : behind;
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

/// A reply to a request that was never made or already has its reply.
std::vector<std::byte> forged_reply(base::random& random, std::uint64_t key) {
  shm::record_header record{};
  record.slot = static_cast<std::uint16_t>(random.below(random.below(2) == 0 ? 4 : 65536));
  record.serial = 1000 + static_cast<std::uint32_t>(random.below(2));  // no request has used it yet
  record.context = static_cast<std::uint16_t>(random.below(4));
  record.bytes = static_cast<std::uint32_t>(random.below(100));
  packet_header header;
  header.key = key;
  header.kind = packet_kind::reply;
  header.bytes = static_cast<std::uint32_t>(sizeof(record)) + record.bytes;
  std::vector<std::byte> bytes(sizeof(header) + header.bytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), &record, sizeof(record));
  return bytes;
}

/// A valid packet that every rank accepts from all ranks of the job, to put others behind it.
std::vector<std::byte> pong(std::uint64_t key) {
  packet_header header;
  header.key = key;
  header.kind = packet_kind::pong;
  std::vector<std::byte> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

void append(std::vector<std::byte>& bytes, const std::vector<std::byte>& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// Whether a rank can check the packet. With the right key, it must believe reports of failures and
/// of arrivals at a rendezvous.
bool is_checked(const std::vector<std::byte>& bytes) {
  packet_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header.kind != packet_kind::failed && header.kind != packet_kind::go_on &&
         header.kind != packet_kind::arrived;
}

TEST(Stranger, IsRefusedAndHarmsNobody) {
  run_options options;
  options.mode = job_mode::ucx;
  options.ranks = 2;
  options.ranks_per_node = 1;
  test::run(options, [](world& world) {
    auto& own = dynamic_cast<shm::rank_fabric&>(world.fabric());
    const auto words = allocate<std::uint64_t>(world, 8);
    barrier(world);
    if (world.rank() == 0) {
      // Read outside of the job's protocol: the card that rank 1 left for rank 0, and rank 0's key.
      const std::byte* const card = own.job().rank(1).card.data();
      constexpr std::size_t card_header_bytes = 24;
      stranger other(card + card_header_bytes);
      base::random random(20261122);
      const std::uint64_t key = own.job().header().key;
      for (int i = 0; i < 2000; ++i) {
        other.send(random_bytes(random, random.below(i % 100 == 0 ? 60000 : 300)));
        std::vector<std::byte> packet = forged(random, key);
        if (is_checked(packet)) {
          other.send(packet);
          std::vector<std::byte> several = pong(key);
          append(several, packet);
          other.send(several);
          append(several, random_bytes(random, random.below(100)));
          other.send(several);
        }
        other.send(forged_reply(random, key));
        packet = forged(random, key + 1);
        other.send(packet);
        packet.resize(random.below(sizeof(packet_header)));
        other.send(packet);
      }
    }
    barrier(world);
    // The job still works: atomics, barriers and calls.
    const auto word = words.on((world.rank() + 1) % 2);
    atomic_ref(world, word).fetch_add(41);
    barrier(world);
    EXPECT_GE(atomic_ref(world, words.on(world.rank())).load(), 41u);
    EXPECT_EQ(rpc(
                  world, (world.rank() + 1) % 2, [](int x) { return x + 1; }, 1)
                  .get(),
              2);
  });
}

}  // namespace
}  // namespace far::fabric::ucx
