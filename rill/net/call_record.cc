#include "rill/net/call_record.h"

#include <algorithm>
#include <atomic>
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

void put_hex(std::uint32_t number, char* to, int digits) {
  for (char* at = to + digits; at-- != to; number >>= 4) *at = "0123456789abcdef"[number & 15];
}

}  // namespace

std::string request_id(std::string_view given) {
  if (is_id(given)) return std::string(given);
  static std::atomic<std::uint32_t> next{0};
  // "53a969-0000001f": as long as a string holds without memory of its own.
  std::string id(15, '-');
  put_hex(number_of_process(), id.data(), 6);
  put_hex(next.fetch_add(1, std::memory_order_relaxed), id.data() + 7, 8);
  return id;
}

}  // namespace rill::net
