#pragma once

#include <memory>
#include <mutex>
#include <string>

struct ssl_ctx_st;

namespace rill::net {

// Keys and certificates, as PEM text.
struct TlsFiles {
  std::string key, certificate;
  std::string client_authority;  // who signs for the other side; "": the system's
  bool verify_client = false;
  friend bool operator==(const TlsFiles&, const TlsFiles&) = default;
};

// What new connections are secured with. Can be replaced; connections that there are keep what they
// began with. Safe from several threads at once.
class Tls {
 public:
  explicit Tls(TlsFiles files) { set(std::move(files)); }
  // Throws InvalidArgument naming what is wrong, and then leaves what there was.
  void set(TlsFiles files);

  std::shared_ptr<const TlsFiles> files() const;
  std::shared_ptr<ssl_ctx_st> context() const;  // OpenSSL's, for HTTP

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const TlsFiles> files_;
  std::shared_ptr<ssl_ctx_st> context_;
};

// What this process begins connections to servers of TLS with: `files` are its own key and
// certificate, both "" where servers do not ask for them, and who signs for servers. Throws
// InvalidArgument naming what is wrong.
std::shared_ptr<ssl_ctx_st> tls_for_clients(const TlsFiles& files);

}  // namespace rill::net
