// Any bytes as what a client sends over one HTTP connection, to a server of small models.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "rill/serve/server.h"
#include "tests/fuzz/serve_fuzzing.h"

namespace {

using namespace rill::serve;

Server& server() {
  static Server& the = *[] {
    ServerOptions options;
    options.core = fuzzed_core();
    options.has_grpc = false;
    options.http.threads = 1;
    options.http.max_body_bytes = options.rest.max_body_bytes = 1 << 20;
    options.rest.prometheus_path = "/metrics";
    options.rest.cors = true;
    return new Server(options, fuzzed_models());
  }();
  return the;
}

// Reads until the server has nothing more to say; that it stays silent is a failure.
void read_all(int socket) {
  char piece[4096];
  for (;;) {
    const ssize_t count = ::recv(socket, piece, sizeof piece, 0);
    if (count == 0 || (count < 0 && errno == ECONNRESET)) return;
    if (count < 0) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(server().rest_port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const timeval patience{.tv_sec = 20, .tv_usec = 0};
  const linger at_once{.l_onoff = 1, .l_linger = 0};  // no port waits for stray packets
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
  (void)::send(socket, data, size, MSG_NOSIGNAL);
  ::shutdown(socket, SHUT_WR);
  read_all(socket);
  ::close(socket);
  return 0;
}
