#include "rill/net/call_record.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <random>

namespace rill::net {
namespace {

constexpr std::size_t kLongestId = 128;

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= kLongestId && std::ranges::all_of(text, [](char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '\\';
  });
}

// Tells processes apart, and after a restart the requests of both.
std::uint32_t number_of_process() {
  static const std::uint32_t number = std::random_device()() & 0xffffff;
  return number;
}

}  // namespace

std::string request_id(std::string_view given) {
  if (is_id(given)) return std::string(given);
  static std::atomic<std::uint32_t> next{0};
  std::array<char, 16> text;  // as long as a string holds without memory of its own
  std::snprintf(text.data(), text.size(), "%06x-%08x", number_of_process(),
                next.fetch_add(1, std::memory_order_relaxed));
  return text.data();
}

}  // namespace rill::net
