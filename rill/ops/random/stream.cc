#include "rill/ops/random/stream.h"

#include "rill/ops/array/values/index_values.h"

namespace rill {
namespace {

Philox stream_of(const KernelNode& node) {
  auto seed = static_cast<std::uint64_t>(node.attr<std::int64_t>("seed"));
  auto seed2 = static_cast<std::uint64_t>(node.attr<std::int64_t>("seed2"));
  if (seed == 0 && seed2 == 0) {
    seed = entropy_bits();
    seed2 = entropy_bits();
  }
  return Philox(seed, seed2);
}

}  // namespace

NodeStream::NodeStream(const KernelNode& node) : stream_(stream_of(node)) {}

Philox NodeStream::reserve(std::uint64_t blocks) {
  std::lock_guard lock(mutex_);
  const Philox here = stream_;
  stream_.skip(blocks);
  return here;
}

// The seeds are scrambled by one block under a fixed key, so that neighbouring ones have nothing in
// common.
Philox stateless_stream(const Tensor& seed) {
  require(seed.shape() == Shape({2}), "seed must have shape [2], not ", seed.shape());
  const auto first = static_cast<std::uint64_t>(int_at(seed, 0));
  const auto second = static_cast<std::uint64_t>(int_at(seed, 1));
  const Philox mix({0x3ec8f720, 0x02461e29}, {Philox::low(first), Philox::high(first),
                                              Philox::low(second), Philox::high(second)});
  const Philox::Block m = mix.block();
  return Philox({m[0], m[1]}, {0, 0, m[2], m[3]});
}

}  // namespace rill
