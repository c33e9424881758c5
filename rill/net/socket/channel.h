#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct ssl_ctx_st;
struct ssl_st;

namespace rill::net {

// Names of protocols as clients and servers of TLS agree on them, each behind its length.
inline constexpr std::string_view kAlpnHttp2 = "\2h2", kAlpnHttp1 = "\10http/1.1";

// Bytes to and from one client, or a server, plain or TLS. Nothing waits. Not safe from several
// threads at once, but for what is said to be.
class Channel {
 public:
  // Owns the socket, which does not wait. `tls` may be null. `protocol` is what is agreed on with
  // clients of TLS that offer a choice.
  Channel(int socket, const std::shared_ptr<ssl_ctx_st>& tls, std::string_view protocol);
  // The client's side of one. A server of TLS must prove to be `host`.
  static std::unique_ptr<Channel> to_server(int socket, const std::shared_ptr<ssl_ctx_st>& tls,
                                            std::string_view protocol, const std::string& host);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  int socket() const { return socket_; }
  bool is_tls() const { return tls_ != nullptr; }

  enum class End { kNot, kLater, kClosed, kBroken };
  struct Moved {
    std::size_t bytes = 0;
    End end = End::kNot;  // what else there is to say when no bytes were moved
  };
  Moved read(char* to, std::size_t size);
  Moved write(std::string_view bytes, bool more_follows = false);
  Moved write(std::span<const std::string_view> pieces);  // at once, as far as that goes
  // Whether bytes can be read that no event will tell of.
  bool has_pending() const;
  // Whether the event to wait for is that the socket can be written, after `kLater`.
  bool waits_to_write() const { return waits_to_write_; }
  // Shakes hands with the server, waiting for it; says why that cannot be done, "" where it was.
  std::string shake_hands(int timeout_ms);
  // Says that nothing more will be written.
  void end_writing();
  // Ends both directions, so that whoever waits for the socket is told. Safe from every thread.
  void cut();

 private:
  void begin_tls(const std::shared_ptr<ssl_ctx_st>& tls);
  std::string why_no_handshake() const;
  Moved later(bool to_write);
  Moved failed(int result);
  const int socket_;
  const std::string_view protocol_;
  ssl_st* tls_ = nullptr;
  bool waits_to_write_ = false;
};

}  // namespace rill::net
