#pragma once

#include <string>
#include <string_view>

namespace rill::stores {

// Sums of bytes as bytes; hex_text() and base64_text() make text of them.
std::string sha256_bytes(std::string_view bytes);
std::string hmac_sha256(std::string_view key, std::string_view bytes);
std::string md5_bytes(std::string_view bytes);

std::string hex_text(std::string_view bytes);
std::string base64_text(std::string_view bytes);
// With '-' and '_' and without '=', as tokens have it.
std::string base64url_text(std::string_view bytes);

// The signature of RSA with SHA-256 by a private key in PEM. Throws InvalidArgument when it is
// none.
std::string rsa_sha256(const std::string& pem_key, std::string_view bytes);

}  // namespace rill::stores
