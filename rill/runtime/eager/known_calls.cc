#include "rill/runtime/eager/known_calls.h"

namespace rill {

// Of the attributes their number is enough: calls that differ in them alone take turns.
std::size_t KnownCalls::place_of(const TensorCall& call, const AttrMap& attrs) {
  std::size_t h = reinterpret_cast<std::uintptr_t>(call.op) >> 4;
  for (std::size_t i = 0; i < call.pattern_size; ++i) h = h * 31 + call.pattern[i];
  for (const auto& [name, value] : attrs)
    if (const auto* number = value.get_if<std::int64_t>())
      h = h * 31 + static_cast<std::size_t>(*number);
  return (h ^ h >> 9 ^ attrs.size() << 3) % kPlaces;
}

const std::shared_ptr<EagerKernel>* KnownCalls::find(const TensorCall& call,
                                                     const AttrMap& attrs) const {
  const Entry& entry = entries_[place_of(call, attrs)];
  const bool is_it = entry.op == call.op && entry.pattern == call.pattern &&
                     entry.version == version.load(std::memory_order_acquire) &&
                     entry.attrs == attrs;
  return is_it ? &entry.kernel : nullptr;
}

void KnownCalls::add(const TensorCall& call, AttrMap attrs, std::shared_ptr<EagerKernel> kernel) {
  Entry& entry = entries_[place_of(call, attrs)];
  entry = {.op = call.op,
           .version = version.load(std::memory_order_acquire),
           .pattern = call.pattern,
           .attrs = std::move(attrs),
           .kernel = std::move(kernel)};
}

void KnownCalls::forget_all() { version.fetch_add(1, std::memory_order_acq_rel); }

}  // namespace rill
