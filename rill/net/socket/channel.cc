#include "rill/net/socket/channel.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>

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
  tls_ = SSL_new(tls.get());  // holds on to the context
  BIO* bio = tls_ == nullptr ? nullptr : BIO_new(quiet_sockets());
  if (bio == nullptr) {
    SSL_free(tls_);
    ::close(socket_);
    raise(Code::kResourceExhausted, "There is no memory for a TLS connection");
  }
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
  BIO_set_init(bio, 1);
  SSL_set_bio(tls_, bio, bio);
  SSL_set_accept_state(tls_);
  SSL_set_app_data(tls_, const_cast<char*>(protocol_.data()));  // for Tls, with its length in front
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
