#include "rill/kernel/kernel_ways.h"

#include <array>
#include <atomic>

#include "rill/base/environment.h"

namespace rill {
namespace {

constexpr std::array<std::string_view, kKernelWayCount> kNames{
    "conv:gathered", "conv:product",         "conv:winograd", "conv:one_channel",
    "conv:onednn",   "depthwise:three_taps", "pool:rows",     "matmul:packed",
    "regex:set",     "sparse:in_order",      "tiles",         "in_place",
    "plain_loops",   "side_by_side"};

std::size_t at(KernelWay way) { return static_cast<std::size_t>(way); }

struct Ways {
  Ways() {
    for (std::size_t i = 0; i < kNames.size(); ++i) off[i] = named.contains(kNames[i]);
  }
  const std::set<std::string, std::less<>> named = environment_names("RILL_KERNELS_OFF");
  std::array<std::atomic<bool>, kKernelWayCount> off{};
  std::array<std::atomic<int>, kKernelWayCount> declined{};
};

Ways& ways() {
  static Ways ways;
  return ways;
}

}  // namespace

std::string_view name_of(KernelWay way) { return kNames[at(way)]; }

bool takes(KernelWay way) {
  Ways& all = ways();
  if (!all.off[at(way)].load(std::memory_order_relaxed)) [[likely]]
    return true;
  all.declined[at(way)].fetch_add(1, std::memory_order_relaxed);
  return false;
}

bool is_switched_off(std::string_view label) { return ways().named.contains(label); }

WithoutWay::WithoutWay(KernelWay way)
    : way_(way), before_(ways().declined[at(way)]), was_off_(ways().off[at(way)].exchange(true)) {}
WithoutWay::~WithoutWay() { ways().off[at(way_)] = was_off_; }
int WithoutWay::declined() const { return ways().declined[at(way_)] - before_; }

}  // namespace rill
