// How the descriptors of listening sockets come from one rank of a machine to the others.

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "bindings/kv/listener.hpp"
#include "far/base/error.hpp"
#include "far/team/team.hpp"

namespace far::kv {
namespace {

constexpr std::size_t max_listeners = 64;  // addresses of one server

/// What a rank tells all others: under which abstract name it passes descriptors on, if it does.
struct meeting_place {
  std::array<char, 32> name;
};

[[noreturn]] void fail(const char* what) {
  throw fabric_error(
      fmt::format("cannot pass a socket from rank to rank: {}: {}", what, std::strerror(errno)));
}

sockaddr_un address_at(const meeting_place& place) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::memcpy(at.sun_path + 1, place.name.data(), place.name.size());  // 0 first: abstract
  return at;
}

/// Room for the control part of a message with `max_listeners` descriptors.
struct control_room {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(max_listeners * sizeof(int))> bytes{};
};

void send_listeners(int to, const std::vector<descriptor>& listeners) {
  char one = 1;
  iovec data{&one, 1};
  control_room room;
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = CMSG_SPACE(listeners.size() * sizeof(int));
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(listeners.size() * sizeof(int));
  std::array<int, max_listeners> numbers{};
  for (std::size_t i = 0; i < listeners.size(); ++i) numbers[i] = listeners[i].number();
  std::memcpy(CMSG_DATA(header), numbers.data(), listeners.size() * sizeof(int));
  if (sendmsg(to, &message, MSG_NOSIGNAL) != 1) fail("sendmsg");
}

std::vector<descriptor> receive_listeners(const meeting_place& place) {
  const descriptor here(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un at = address_at(place);
  if (connect(here.number(), reinterpret_cast<const sockaddr*>(&at), sizeof(at)) != 0) {
    fail("connect");
  }
  char one = 0;
  iovec data{&one, 1};
  control_room room;
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  if (recvmsg(here.number(), &message, MSG_CMSG_CLOEXEC) != 1) fail("recvmsg");
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) fail("no descriptor");
  std::array<int, max_listeners> numbers{};
  const std::size_t bytes = header->cmsg_len - CMSG_LEN(0);
  std::memcpy(numbers.data(), CMSG_DATA(header), bytes);
  std::vector<descriptor> received;
  for (std::size_t i = 0; i < bytes / sizeof(int); ++i) received.emplace_back(numbers[i]);
  return received;
}

/// Whether who has connected runs as this user: any local user may connect to an abstract name.
bool is_own(int peer) {
  ucred who{};
  socklen_t size = sizeof(who);
  return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == geteuid();
}

/// Answers `count` ranks of this machine.
void pass_on(const descriptor& door, const std::vector<descriptor>& listeners, int count) {
  while (count > 0) {
    const descriptor peer(accept4(door.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer.is_open()) fail("accept");
    if (!is_own(peer.number())) continue;
    send_listeners(peer.number(), listeners);
    --count;
  }
}

/// The first rank of this one's machine, and how many there are.
struct machine {
  int first;
  int ranks;
};
machine machine_of(const world& world) {
  machine found{world.rank(), 0};
  const int node = world.node_of(world.rank());
  for (int rank = world.size() - 1; rank >= 0; --rank) {
    if (world.node_of(rank) != node) continue;
    found.first = rank;
    ++found.ranks;
  }
  return found;
}

}  // namespace

std::vector<descriptor> share_listeners(const world& world, const kv_server_options& asked) {
  const machine here = machine_of(world);
  const bool opens = here.first == world.rank();
  std::vector<descriptor> listeners;
  descriptor door;
  meeting_place place{};
  if (opens) {
    listeners = open_listeners(asked);
    if (listeners.size() > max_listeners) {
      throw error(fmt::format("{} addresses to listen on: the most is {}", listeners.size(),
                              max_listeners));
    }
    const std::string name = fmt::format("far-kv.{}.{}", getpid(), world.rank());
    name.copy(place.name.data(), place.name.size());
    door = descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un at = address_at(place);
    if (bind(door.number(), reinterpret_cast<const sockaddr*>(&at), sizeof(at)) != 0 ||
        listen(door.number(), here.ranks) != 0) {
      fail("bind");
    }
  }
  const std::vector<meeting_place> places = allgather(world, place);
  if (opens) {
    pass_on(door, listeners, here.ranks - 1);
  } else {
    listeners = receive_listeners(places[static_cast<std::size_t>(here.first)]);
  }
  return listeners;
}

}  // namespace far::kv
