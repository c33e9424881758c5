#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "rill/graph/quick_executor.h"
#include "rill/runtime/eager/eager_kernels.h"

namespace rill {

// The kernels of calls that a thread has made before, by what the caller has given: found without a
// lock, and without making the op's attributes complete. Each thread has its own.
class KnownCalls {
 public:
  // nullptr when it is not there, or was forgotten.
  const std::shared_ptr<EagerKernel>* find(const TensorCall& call, const AttrMap& attrs) const;
  void add(const TensorCall& call, AttrMap attrs, std::shared_ptr<EagerKernel> kernel);
  static void forget_all();  // in all threads

 private:
  struct Entry {
    const Op* op = nullptr;
    std::uint64_t version = 0;
    std::array<std::uint8_t, 2 * TensorCall::kMost> pattern{};
    AttrMap attrs;
    std::shared_ptr<EagerKernel> kernel;
  };
  static constexpr std::size_t kPlaces = 256;
  static std::size_t place_of(const TensorCall& call, const AttrMap& attrs);

  static inline std::atomic<std::uint64_t> version{1};
  std::array<Entry, kPlaces> entries_;
};

}  // namespace rill
