#include "rill/ops/ctc/ctc_states.h"

#include <unordered_map>

namespace rill {

CtcStates::CtcStates(std::span<const std::int32_t> labels, std::int32_t blank, bool merge_repeated)
    : classes_{blank}, slots_(2 * labels.size() + 1) {
  std::unordered_map<std::int32_t, std::int32_t> known;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto [slot, is_new] =
        known.emplace(labels[i], static_cast<std::int32_t>(classes_.size()));
    if (is_new) classes_.push_back(labels[i]);
    slots_[2 * i + 1] = slot->second;
  }
  const std::size_t count = slots_.size();
  stay_.resize(count);
  skip_.resize(count, kZeroExponent);
  for (std::size_t i = 1; i < count; i += 2) {
    if (!merge_repeated) stay_[i] = kZeroExponent;
    if (i > 1 && !(merge_repeated && slots_[i] == slots_[i - 2])) skip_[i] = 0;
  }
  slots_back_.assign(slots_.rbegin(), slots_.rend());
  stay_back_.assign(stay_.rbegin(), stay_.rend());
  skip_back_.resize(count, kZeroExponent);
  for (std::size_t i = 2; i < count; ++i) skip_back_[i] = skip_[count + 1 - i];
}

}  // namespace rill
