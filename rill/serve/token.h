#pragma once

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>

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
class Token {
 public:
  explicit Token(std::string token = {}) { set(std::move(token)); }
  void set(std::string token) {
    const std::unique_lock lock(mutex_);
    is_needed_ = !token.empty();
    token_ = std::move(token);
  }
  bool is_needed() const { return is_needed_; }
  bool admits(std::string_view authorization) const {
    if (!is_needed_) return true;
    const std::shared_lock lock(mutex_);
    return has_token(authorization, token_);
  }

 private:
  mutable std::shared_mutex mutex_;
  std::string token_;
  std::atomic<bool> is_needed_ = false;
};

}  // namespace rill::serve
