#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "rill/net/grpc/authorizer.h"

namespace rill::serve {

// Whether an Authorization header, "Bearer TOKEN", has this token; any has when there is none.
// Takes as long for a wrong one as for a right one.
inline bool has_token(std::string_view authorization, const std::string& token) {
  constexpr std::string_view kScheme = "Bearer ";
  if (token.empty()) return true;
  if (!authorization.starts_with(kScheme)) return false;
  const std::string_view given = authorization.substr(kScheme.size());
  unsigned char difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ token[i % token.size()]);
  return difference == 0;
}

// A token that may be replaced while requests come. Safe from several threads at once.
class Token final : public net::Authorizer {
 public:
  explicit Token(std::string token = {}) { set(std::move(token)); }
  void set(std::string token) {
    const std::unique_lock lock(mutex_);
    is_needed_ = !token.empty();
    token_ = std::move(token);
  }
  bool is_needed() const override { return is_needed_; }
  std::optional<Error> refusal(std::string_view authorization) const override {
    const std::shared_lock lock(mutex_);
    if (has_token(authorization, token_)) return std::nullopt;
    return Error(Code::kUnauthenticated, "The request brings no token that is known here");
  }

 private:
  mutable std::shared_mutex mutex_;
  std::string token_;
  std::atomic<bool> is_needed_ = false;
};

}  // namespace rill::serve
