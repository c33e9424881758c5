#include "rill/kernel/fast_paths.h"

#include <array>
#include <atomic>
#include <utility>

#include "rill/base/environment.h"

namespace rill {
namespace {

constexpr std::array<std::string_view, kFastPathCount> kNames{
    "conv:im2col",          "conv:product", "conv:winograd", "conv:one_channel", "conv:onednn",
    "depthwise:three_taps", "pool:rows",    "matmul:packed", "matmul:panels",    "regex:set",
    "sparse:in_order",      "tiles",        "in_place",      "plain_loops",      "inter_op"};

std::size_t at(FastPath path) { return static_cast<std::size_t>(path); }

// Names that paths had earlier, which remain valid.
constexpr std::pair<FastPath, std::string_view> kEarlierNames[] = {
    {FastPath::kConvIm2col, "conv:gathered"}, {FastPath::kInterOp, "side_by_side"}};

struct FastPaths {
  FastPaths() {
    for (const std::string& name : named)
      if (const auto path = find_fast_path(name)) off[at(*path)] = true;
  }
  const std::set<std::string, std::less<>> named = environment_names("RILL_KERNELS_OFF");
  std::array<std::atomic<bool>, kFastPathCount> off{};
  std::array<std::atomic<int>, kFastPathCount> declined{};
};

FastPaths& fast_path_state() {
  static FastPaths state;
  return state;
}

}  // namespace

std::string_view name_of(FastPath path) { return kNames[at(path)]; }

std::optional<FastPath> find_fast_path(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<FastPath>(i);
  for (const auto& [path, earlier] : kEarlierNames)
    if (earlier == name) return path;
  return std::nullopt;
}

bool takes(FastPath path) {
  FastPaths& all = fast_path_state();
  if (!all.off[at(path)].load(std::memory_order_relaxed)) [[likely]]
    return true;
  all.declined[at(path)].fetch_add(1, std::memory_order_relaxed);
  return false;
}

bool is_switched_off(std::string_view label) { return fast_path_state().named.contains(label); }

WithoutFastPath::WithoutFastPath(FastPath path)
    : path_(path),
      before_(fast_path_state().declined[at(path)]),
      was_off_(fast_path_state().off[at(path)].exchange(true)) {}
WithoutFastPath::~WithoutFastPath() { fast_path_state().off[at(path_)] = was_off_; }
int WithoutFastPath::declined() const { return fast_path_state().declined[at(path_)] - before_; }

}  // namespace rill
