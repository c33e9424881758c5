#include "rill/kernel/device_use.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <map>
#include <mutex>
#include <string_view>

#include "rill/base/error.h"

namespace rill {
namespace {

struct DeviceUses {
  std::mutex mutex;
  std::map<std::string, DeviceUse> by_type;
};
DeviceUses& device_uses() {
  static DeviceUses& all = *new DeviceUses;  // sessions may be opened in static storage
  return all;
}

std::atomic<bool>& soft_placement() {
  static constinit std::atomic<bool> softly = true;
  return softly;
}

constexpr std::string_view kNoCards = "none";

int card_number(std::string_view text, const std::string& list, const DeviceType& type) {
  int card = -1;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), card);
  require(failure == std::errc() && end == text.data() + text.size(),
          "Could not parse entry in 'visible_device_list': '", text,
          "'. visible_device_list = ", list);
  require(card >= 0 && card < type.count(), "'visible_device_list' listed an invalid ", type.name(),
          " id '", card, "' but visible device count is ", type.count());
  return card;
}

std::vector<int> visible_cards(const std::string& list, const DeviceType& type) {
  std::vector<int> cards;
  if (list.empty()) {
    for (int i = 0; i < type.count(); ++i) cards.push_back(i);
    return cards;
  }
  if (list == kNoCards) return cards;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const int card = card_number(std::string_view(list).substr(begin, end - begin), list, type);
    require(std::ranges::find(cards, card) == cards.end(),
            "visible_device_list contained a duplicate entry: ", list);
    cards.push_back(card);
    begin = end + 1;
  }
  return cards;
}

}  // namespace

void set_device_use(const std::string& device_type, DeviceUse use) {
  DeviceUses& all = device_uses();
  const std::lock_guard lock(all.mutex);
  all.by_type[device_type] = std::move(use);
}

DeviceUse device_use(const std::string& device_type) {
  DeviceUses& all = device_uses();
  const std::lock_guard lock(all.mutex);
  const auto it = all.by_type.find(device_type);
  return it == all.by_type.end() ? DeviceUse() : it->second;
}

void set_places_softly(bool softly) { soft_placement() = softly; }
bool places_softly() { return soft_placement(); }

std::vector<DeviceSlice> device_slices(const DeviceType& type, std::optional<int> most) {
  const DeviceUse use = device_use(type.name());
  std::vector<int> cards = visible_cards(use.visible, type);
  if (most) cards.resize(std::min(cards.size(), static_cast<std::size_t>(std::max(0, *most))));
  const bool has_parts =
      std::ranges::any_of(use.parts, [](const auto& parts) { return !parts.empty(); });
  require(!has_parts || use.memory_fraction == 0,
          "It's invalid to set per_process_gpu_memory_fraction when virtual_devices is set.");
  require(use.parts.size() <= visible_cards(use.visible, type).size(),
          "There are virtual devices "
          "for ",
          use.parts.size(), " devices of type ", type.name(), ", but fewer are visible.");
  require(use.memory_fraction >= 0, "per_process_gpu_memory_fraction is ", use.memory_fraction);
  std::vector<DeviceSlice> slices;
  const auto add = [&](int card, std::int64_t bytes) {
    slices.push_back(
        {.index = static_cast<int>(slices.size()), .card = card, .memory_bytes = bytes});
  };
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (i < use.parts.size() && !use.parts[i].empty()) {
      for (const std::int64_t bytes : use.parts[i]) add(cards[i], bytes);
      continue;
    }
    const auto whole = static_cast<double>(type.memory_bytes(cards[i]));
    add(cards[i], static_cast<std::int64_t>(whole * use.memory_fraction));
  }
  return slices;
}

}  // namespace rill
