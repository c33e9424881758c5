#include "rill/base/stores/digests.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <memory>

#include "rill/base/error.h"

namespace rill::stores {
namespace {

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

std::string digest(std::string_view bytes, const EVP_MD* kind) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), sum.data(), &size, kind, nullptr) != 1)
    raise(Code::kInternal, "OpenSSL has no such checksum");
  return {reinterpret_cast<const char*>(sum.data()), size};
}

}  // namespace

std::string sha256_bytes(std::string_view bytes) { return digest(bytes, EVP_sha256()); }
std::string md5_bytes(std::string_view bytes) { return digest(bytes, EVP_md5()); }

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum;
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), raw(bytes), bytes.size(),
           sum.data(), &size) == nullptr)
    raise(Code::kInternal, "OpenSSL has no such signature");
  return {reinterpret_cast<const char*>(sum.data()), size};
}

std::string hex_text(std::string_view bytes) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    text += {kHexDigits[code >> 4], kHexDigits[code & 15]};
  }
  return text;
}

std::string base64_text(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), raw(bytes),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string base64url_text(std::string_view bytes) {
  std::string text = base64_text(bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.resize(std::min(text.find('='), text.size()));
  return text;
}

std::string rsa_sha256(const std::string& pem_key, std::string_view bytes) {
  const std::unique_ptr<BIO, int (*)(BIO*)> input(
      BIO_new_mem_buf(pem_key.data(), static_cast<int>(pem_key.size())), BIO_free);
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(
      PEM_read_bio_PrivateKey(input.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                   EVP_MD_CTX_free);
  require(key != nullptr, "the private key is none that OpenSSL can read");
  std::size_t size = 0;
  std::string signature;
  const bool knows_size =
      EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
      EVP_DigestSign(context.get(), nullptr, &size, raw(bytes), bytes.size()) == 1;
  signature.resize(size);
  require(knows_size &&
              EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()),
                             &size, raw(bytes), bytes.size()) == 1,
          "the private key cannot sign");
  signature.resize(size);
  return signature;
}

}  // namespace rill::stores
