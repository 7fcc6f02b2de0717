#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "far/kv/server.hpp"

namespace {

using far::kv_server;

/// What a client gets that connects, sends the commands, and reads until the server closes.
std::string reply_to(std::string commands, const kv_server& server) {
  const std::string address = server.addresses().front();
  const int port = std::atoi(address.c_str() + address.rfind(':') + 1);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int to = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(to, reinterpret_cast<const sockaddr*>(&at), sizeof(at)) != 0) {
    close(to);
    return "cannot connect";
  }
  commands += "quit\r\n";
  EXPECT_EQ(send(to, commands.data(), commands.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(commands.size()));
  std::string reply;
  char bytes[4096];
  for (ssize_t got = 0; (got = recv(to, bytes, sizeof(bytes), 0)) > 0;) {
    reply.append(bytes, static_cast<std::size_t>(got));
  }
  close(to);
  return reply;
}

const far::run_options alone{.ranks = 1, .mode = far::job_mode::threads};

/// Runs on one rank, and on several that are threads or processes.
template <class Body>
void run_on_real_ranks(Body body) {
  using far::job_mode;
  for (const auto& [mode, ranks] :
       {std::pair(job_mode::threads, 1), std::pair(job_mode::threads, 3),
        std::pair(job_mode::processes, 2)}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    far::run({.ranks = ranks, .mode = mode}, body);
  }
}

void check(bool holds, const char* what) {  // also in forked ranks
  if (!holds) throw std::logic_error(what);
}

TEST(kv_server, serves_what_the_program_stores) {
  run_on_real_ranks([](far::world& world) {
    const far::store items(world, {.memory_bytes = 32 << 20});
    const kv_server server(world, items, {.port = 0});
    const std::string mine = std::to_string(world.rank());
    check(items.put("program" + mine, "value").status == far::store_status::done, "put");
    check(reply_to("set client" + mine + " 5 0 2\r\nhi\r\n", server) == "STORED\r\n", "set");
    far::barrier(world);
    for (int rank = 0; rank < world.size(); ++rank) {
      const std::string number = std::to_string(rank);
      check(reply_to("get program" + number + "\r\n", server) ==
                "VALUE program" + number + " 0 5\r\nvalue\r\nEND\r\n",
            "get");
      const auto item = items.get("client" + number);
      check(item && item->value == "hi" && item->info.flags == 5, "read");
    }
    far::barrier(world);
  });
}

// A request to stop that came late would stop the next server.
TEST(kv_server, stops_all_ranks_and_no_later_server) {
  run_on_real_ranks([](far::world& world) {
    const far::store items(world, {.memory_bytes = 32 << 20});
    for (int i = 0; i < 40; ++i) {
      kv_server server(world, items, {.port = 0, .threads = 1});
      far::barrier(world);
      check(!server.is_stopping(), "stopped too early");
      far::barrier(world);
      if (i % 2 == 0) continue;  // all ranks stop it at once
      if (world.rank() == i % world.size()) server.stop();
      server.wait();
      check(server.is_stopping(), "has not stopped");
    }
  });
}

kv_server* stopped_by_handler = nullptr;

TEST(kv_server, stops_in_a_signal_handler) {
  far::run(alone, [](far::world& world) {
    const far::store items(world, {.memory_bytes = 32 << 20});
    kv_server server(world, items, {.port = 0});
    stopped_by_handler = &server;
    const auto before = std::signal(SIGTERM, [](int) { stopped_by_handler->stop(); });
    EXPECT_EQ(reply_to("version\r\n", server), "VERSION 1.6.18\r\n");
    raise(SIGTERM);
    server.wait();
    std::signal(SIGTERM, before);
  });
}

TEST(kv_server, obeys_shutdown_if_it_may) {
  far::run(alone, [](far::world& world) {
    const far::store items(world, {.memory_bytes = 32 << 20});
    kv_server server(world, items, {.port = 0, .may_shut_down = true});
    EXPECT_EQ(reply_to("shutdown\r\n", server), "");
    server.wait();
    EXPECT_EQ(items.put("k", "still there").status, far::store_status::done);
  });
}

TEST(kv_server, ends_with_an_exception) {
  const auto fails = [](far::world& world) {
    const far::store items(world, {.memory_bytes = 32 << 20});
    const kv_server server(world, items, {.port = 0});
    if (world.rank() == 0) throw std::runtime_error("the program's own");
    far::barrier(world);
  };
  EXPECT_THROW(far::run(alone, fails), std::runtime_error);
  EXPECT_THROW(far::run({.ranks = 2, .mode = far::job_mode::threads}, fails), std::runtime_error);
}

TEST(kv_server, refuses_what_cannot_be) {
  far::run(alone, [](far::world& world) {
    const far::store items(world, {.memory_bytes = 32 << 20});
    EXPECT_THROW(kv_server(world, items, {.threads = -1}), far::bad_argument);
    EXPECT_THROW(kv_server(world, items, {.port = 0, .threads = 1000}), far::bad_argument);
    EXPECT_THROW(kv_server(world, items, {.addresses = {"no.such.host.invalid"}}), far::error);
    const kv_server first(world, items, {.port = 0});
    EXPECT_THROW(kv_server(world, items, {.addresses = first.addresses()}), far::error);
  });
  const auto simulated = [](far::world& world) {
    const far::store items(world, {.memory_bytes = 32 << 20});
    EXPECT_THROW(kv_server(world, items, {.port = 0}), far::bad_argument);
  };
  far::run({.ranks = 1, .mode = far::job_mode::fibers}, simulated);
}

}  // namespace
