// Counts visits of pages in a store, in process, and serves the counts to memcached's clients.
// Without an argument it makes some visits, reads them as a client would, and ends. With a port it
// goes on until SIGTERM, which this program handles itself:
//
//   far run -n 4 example_kv_visits 11311
//   printf 'get visits:/home\r\nquit\r\n' | nc 127.0.0.1 11311

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <far/far.hpp>
#include <far/kv/server.hpp>

namespace {

std::atomic<bool> is_asked_to_end = false;

void visit(const far::store& visits, int times) {
  for (int i = 0; i < times; ++i) visits.increment(i % 4 == 0 ? "visits:/news" : "visits:/home");
}

/// What a client gets that connects to the port, sends the commands, and waits for the end.
std::string reply_to(const std::string& commands, int port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int to = socket(AF_INET, SOCK_STREAM, 0);
  std::string reply;
  if (connect(to, reinterpret_cast<const sockaddr*>(&at), sizeof(at)) == 0 &&
      send(to, commands.data(), commands.size(), 0) > 0) {
    char bytes[1024];
    for (ssize_t got = 0; (got = recv(to, bytes, sizeof(bytes), 0)) > 0;) {
      reply.append(bytes, static_cast<std::size_t>(got));
    }
  }
  close(to);
  return reply;
}

}  // namespace

int main(int argc, char** argv) {
  const int port = argc > 1 ? std::atoi(argv[1]) : 0;
  std::signal(SIGTERM, [](int) { is_asked_to_end = true; });
  far::run([&](far::world& world) {
    far::store visits(world, {.memory_bytes = 64 << 20});
    if (world.rank() == 0) {
      visits.put("visits:/home", "0");
      visits.put("visits:/news", "0");
    }
    far::barrier(world);

    // Collective. Each rank serves all keys, in a thread of its own.
    far::kv_server server(world, visits, {.port = port});
    if (argc > 1) {
      if (world.rank() == 0) std::printf("serving %s\n", server.addresses().front().c_str());
      std::fflush(stdout);
      while (!is_asked_to_end && !server.is_stopping()) {
        visit(visits, 100);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      server.stop();  // on all ranks
    } else {
      visit(visits, 1000);
      far::barrier(world);
      if (world.rank() == 0) {
        const std::string address = server.addresses().front();  // 127.0.0.1:PORT
        const int opened = std::atoi(address.c_str() + address.rfind(':') + 1);
        std::fputs(reply_to("get visits:/home visits:/news\r\nquit\r\n", opened).c_str(), stdout);
      }
    }
  });  // else the server stops with its scope, when all ranks are there
}
