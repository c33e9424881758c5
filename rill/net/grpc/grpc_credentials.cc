#include "rill/net/grpc/grpc_credentials.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <openssl/x509.h>

#include "rill/base/files.h"

namespace rill::net {
namespace {

// gRPC insists on certificates that it trusts, even when it asks clients for none.
std::string roots_of(const TlsFiles& files) {
  if (!files.client_authority.empty()) return files.client_authority;
  const char* const system = X509_get_default_cert_file();
  constexpr const char* kDebian = "/etc/ssl/certs/ca-certificates.crt";
  for (const char* path : {system, kDebian})
    if (files.verify_client && file_exists(path)) return read_file(path);
  return files.certificate;
}

class TlsCredentials final : public grpc::ServerCredentials {
 public:
  explicit TlsCredentials(std::shared_ptr<Tls> tls) : tls_(std::move(tls)) {
    const bool verify = tls_->files()->verify_client;
    credentials_ = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(
            verify ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                   : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE,
            fetch, this));
  }
  ~TlsCredentials() override { grpc_server_credentials_release(credentials_); }

  // Who asks is known by certificates alone.
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }

  // Called for every connection, one at a time; says whether there is something new.
  static grpc_ssl_certificate_config_reload_status fetch(
      void* own, grpc_ssl_server_certificate_config** config) {
    auto& self = *static_cast<TlsCredentials*>(own);
    const auto files = self.tls_->files();
    if (files == self.fetched_) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    const grpc_ssl_pem_key_cert_pair pair{files->key.c_str(), files->certificate.c_str()};
    *config = grpc_ssl_server_certificate_config_create(roots_of(*files).c_str(), &pair, 1);
    self.fetched_ = files;
    return *config == nullptr ? GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_FAIL
                              : GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  const std::shared_ptr<Tls> tls_;
  grpc_server_credentials* credentials_ = nullptr;
  std::shared_ptr<const TlsFiles> fetched_;
};

}  // namespace

std::shared_ptr<grpc::ServerCredentials> grpc_credentials(const std::shared_ptr<Tls>& tls) {
  if (tls == nullptr) return grpc::InsecureServerCredentials();
  return std::make_shared<TlsCredentials>(tls);
}

}  // namespace rill::net
