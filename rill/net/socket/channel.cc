#include "rill/net/socket/channel.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <utility>

#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill::net {
namespace {

bool may_come_later() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

int socket_of(BIO* bio) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
}

// OpenSSL's own sockets raise SIGPIPE when the client has left.
int write_quietly(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto count = ::send(socket_of(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (count < 0 && may_come_later()) BIO_set_retry_write(bio);
  return static_cast<int>(count);
}
int read_quietly(BIO* bio, char* to, int size) {
  BIO_clear_retry_flags(bio);
  const auto count = ::recv(socket_of(bio), to, static_cast<std::size_t>(size), 0);
  if (count < 0 && may_come_later()) BIO_set_retry_read(bio);
  return static_cast<int>(count);
}
long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

const BIO_METHOD* quiet_sockets() {
  static const BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "quiet socket");
    BIO_meth_set_write(made, write_quietly);
    BIO_meth_set_read(made, read_quietly);
    BIO_meth_set_ctrl(made, control);
    return made;
  }();
  return method;
}

int as_int(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

}  // namespace

Channel::Channel(int socket, const std::shared_ptr<ssl_ctx_st>& tls, std::string_view protocol)
    : socket_(socket), protocol_(protocol) {
  if (tls == nullptr) return;
  try {
    begin_tls(tls);
  } catch (...) {
    ::close(socket_);
    throw;
  }
  SSL_set_accept_state(tls_);
  SSL_set_app_data(tls_, const_cast<char*>(protocol_.data()));  // for Tls, with its length in front
}

std::unique_ptr<Channel> Channel::to_server(int socket, const std::shared_ptr<ssl_ctx_st>& tls,
                                            std::string_view protocol, const std::string& host) {
  auto channel = std::make_unique<Channel>(socket, nullptr, protocol);
  if (tls == nullptr) return channel;
  channel->begin_tls(tls);
  SSL* const client = channel->tls_;
  SSL_set_connect_state(client);
  SSL_set_alpn_protos(client, reinterpret_cast<const unsigned char*>(protocol.data()),
                      static_cast<unsigned>(protocol.size()));
  SSL_set_tlsext_host_name(client, const_cast<char*>(host.c_str()));
  // Addresses stand in another place of a certificate than names.
  if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(client), host.c_str()) != 1) {
    ERR_clear_error();
    SSL_set1_host(client, host.c_str());
  }
  return channel;
}

void Channel::begin_tls(const std::shared_ptr<ssl_ctx_st>& tls) {
  tls_ = SSL_new(tls.get());  // holds on to the context
  BIO* bio = tls_ == nullptr ? nullptr : BIO_new(quiet_sockets());
  if (bio == nullptr) {
    SSL_free(std::exchange(tls_, nullptr));
    raise(Code::kResourceExhausted, "There is no memory for a TLS connection");
  }
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket_)));
  BIO_set_init(bio, 1);
  SSL_set_bio(tls_, bio, bio);
}

std::string Channel::shake_hands(int timeout_ms) {
  if (tls_ == nullptr) return {};
  const std::int64_t end = monotonic_nanos() + std::int64_t{timeout_ms} * 1'000'000;
  for (;;) {
    ERR_clear_error();
    const int result = SSL_do_handshake(tls_);
    if (result == 1) return {};
    const int why = SSL_get_error(tls_, result);
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) return why_no_handshake();
    const std::int64_t left = (end - monotonic_nanos()) / 1'000'000;
    pollfd wanted{.fd = socket_,
                  .events = static_cast<short>(why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT),
                  .revents = 0};
    if (left <= 0 || ::poll(&wanted, 1, static_cast<int>(left)) == 0)
      return "the TLS handshake takes too long";
  }
}

std::string Channel::why_no_handshake() const {
  if (const long verdict = SSL_get_verify_result(tls_); verdict != X509_V_OK)
    return str_cat("TLS: ", X509_verify_cert_error_string(verdict));
  char text[256] = "the other side ended it";
  if (const unsigned long error = ERR_get_error(); error != 0)
    ERR_error_string_n(error, text, sizeof text);
  ERR_clear_error();
  return str_cat("TLS handshake: ", text);
}

Channel::~Channel() {
  if (tls_ != nullptr) SSL_free(tls_);
  ::close(socket_);
}

Channel::Moved Channel::later(bool to_write) {
  waits_to_write_ = to_write;
  return {.end = End::kLater};
}

Channel::Moved Channel::failed(int result) {
  const int why = SSL_get_error(tls_, result);
  if (why == SSL_ERROR_WANT_READ) return later(false);
  if (why == SSL_ERROR_WANT_WRITE) return later(true);
  if (why == SSL_ERROR_ZERO_RETURN) return {.end = End::kClosed};
  return {.end = End::kBroken};
}

Channel::Moved Channel::read(char* to, std::size_t size) {
  if (tls_ != nullptr) {
    ERR_clear_error();
    const int count = SSL_read(tls_, to, as_int(size));
    return count > 0 ? Moved{static_cast<std::size_t>(count)} : failed(count);
  }
  const auto count = ::recv(socket_, to, size, 0);
  if (count > 0) return {static_cast<std::size_t>(count)};
  if (count == 0) return {.end = End::kClosed};
  return may_come_later() ? later(false) : Moved{.end = End::kBroken};
}

Channel::Moved Channel::write(std::string_view bytes, bool more_follows) {
  if (tls_ != nullptr) {
    ERR_clear_error();
    const int count = SSL_write(tls_, bytes.data(), as_int(bytes.size()));
    return count > 0 ? Moved{static_cast<std::size_t>(count)} : failed(count);
  }
  const auto count =
      ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | (more_follows ? MSG_MORE : 0));
  if (count >= 0) return {static_cast<std::size_t>(count)};
  return may_come_later() ? later(true) : Moved{.end = End::kBroken};
}

Channel::Moved Channel::write(std::span<const std::string_view> pieces) {
  if (pieces.size() == 1 || tls_ != nullptr) return write(pieces.front());
  constexpr std::size_t kMost = 16;
  std::array<iovec, kMost> parts;
  const std::size_t count = std::min(pieces.size(), kMost);
  for (std::size_t i = 0; i < count; ++i)
    parts[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  const auto sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
  if (sent >= 0) return {static_cast<std::size_t>(sent)};
  return may_come_later() ? later(true) : Moved{.end = End::kBroken};
}

bool Channel::has_pending() const { return tls_ != nullptr && SSL_has_pending(tls_) == 1; }

void Channel::end_writing() {
  if (tls_ != nullptr) {
    ERR_clear_error();
    if (SSL_is_init_finished(tls_) == 1) SSL_shutdown(tls_);
  }
  ::shutdown(socket_, SHUT_WR);
}

void Channel::cut() { ::shutdown(socket_, SHUT_RDWR); }

}  // namespace rill::net
