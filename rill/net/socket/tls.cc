#include "rill/net/socket/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "rill/base/error.h"

namespace rill::net {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

Bio reader(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}
Certificate next_certificate(BIO* from) {
  return {PEM_read_bio_X509(from, nullptr, nullptr, nullptr), X509_free};
}

[[noreturn]] void refuse(const char* what) {
  char text[256] = "";
  ERR_error_string_n(ERR_get_error(), text, sizeof text);
  ERR_clear_error();
  raise(Code::kInvalidArgument, "SSL configuration: ", what, " (", text, ")");
}

void use_certificate(SSL_CTX* context, const std::string& text) {
  const Bio from = reader(text);
  const Certificate own = next_certificate(from.get());
  if (own == nullptr || SSL_CTX_use_certificate(context, own.get()) != 1)
    refuse("server_cert holds no certificate");
  while (const Certificate link = next_certificate(from.get()))
    if (SSL_CTX_add1_chain_cert(context, link.get()) != 1)
      refuse("server_cert holds a chain that cannot be used");
  ERR_clear_error();  // the end of the text
}

void use_key(SSL_CTX* context, const std::string& text) {
  const Bio from = reader(text);
  // A password would be asked for at the terminal; there is none.
  const auto no_password = [](char*, int, int, void*) { return -1; };
  const Key key(PEM_read_bio_PrivateKey(from.get(), nullptr, no_password, nullptr), EVP_PKEY_free);
  if (key == nullptr) refuse("server_key holds no key");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1)
    refuse("server_key does not belong to server_cert");
}

void verify_others(SSL_CTX* context, const std::string& authority) {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  if (authority.empty()) {
    SSL_CTX_set_default_verify_paths(context);
    return;
  }
  const Bio from = reader(authority);
  int count = 0;
  while (const Certificate trusted = next_certificate(from.get())) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), trusted.get());
    SSL_CTX_add_client_CA(context, trusted.get());
    ++count;
  }
  if (count == 0) refuse("custom_ca holds no certificate");
  ERR_clear_error();
}

// Agrees on the protocol of the channel if the client offers it, and refuses one that offers only
// others.
int choose_protocol(SSL* tls, const unsigned char** chosen, unsigned char* chosen_size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  const auto* own = static_cast<const unsigned char*>(SSL_get_app_data(tls));
  if (own == nullptr) return SSL_TLSEXT_ERR_NOACK;
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, chosen_size, own, own[0] + 1u, offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

std::shared_ptr<SSL_CTX> new_context(const SSL_METHOD* method) {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(method), SSL_CTX_free);
  if (context == nullptr) refuse("there is no TLS");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  return context;
}

std::shared_ptr<SSL_CTX> context_of(const TlsFiles& files) {
  const std::shared_ptr<SSL_CTX> context = new_context(TLS_server_method());
  // Sessions that are resumed must have been made here.
  SSL_CTX_set_session_id_context(context.get(), reinterpret_cast<const unsigned char*>("rill"), 4);
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
  use_certificate(context.get(), files.certificate);
  use_key(context.get(), files.key);
  if (files.verify_client) verify_others(context.get(), files.client_authority);
  return context;
}

}  // namespace

std::shared_ptr<ssl_ctx_st> tls_for_clients(const TlsFiles& files) {
  const std::shared_ptr<SSL_CTX> context = new_context(TLS_client_method());
  if (!files.certificate.empty()) use_certificate(context.get(), files.certificate);
  if (!files.key.empty()) use_key(context.get(), files.key);
  verify_others(context.get(), files.client_authority);
  return context;
}

void Tls::set(TlsFiles files) {
  auto context = context_of(files);
  auto held = std::make_shared<const TlsFiles>(std::move(files));
  const std::lock_guard lock(mutex_);
  context_ = std::move(context);
  files_ = std::move(held);
}

std::shared_ptr<const TlsFiles> Tls::files() const {
  const std::lock_guard lock(mutex_);
  return files_;
}

std::shared_ptr<ssl_ctx_st> Tls::context() const {
  const std::lock_guard lock(mutex_);
  return context_;
}

}  // namespace rill::net
