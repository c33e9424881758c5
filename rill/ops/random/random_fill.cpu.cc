#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/fill.h"
#include "rill/ops/random/stream.h"

namespace rill {

extern const OpDecl kRandomUniform, kRandomUniformInt, kRandomStandardNormal, kTruncatedNormal;

namespace {

Philox reserve_output(KernelCall& call) {
  const auto count = static_cast<std::uint64_t>(call.output_tensor(0).element_count());
  return call.state<NodeStream>().reserve(count * kBlocksPerValue);
}

template <Draw draw>
void random_floats(KernelCall& call) {
  fill_random(call, draw, reserve_output(call), call.output_tensor(0));
}

void random_range(KernelCall& call) {
  fill_random_range(call, reserve_output(call), call.input_tensor(1), call.input_tensor(2),
                    call.output_tensor(0));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRandomUniform,
     .types = kFloatTypes,
     .run = random_floats<Draw::kUniform>,
     .make_state = NodeStream::make},
    {.op = &kRandomStandardNormal,
     .types = kFloatTypes,
     .run = random_floats<Draw::kNormal>,
     .make_state = NodeStream::make},
    {.op = &kTruncatedNormal,
     .types = kFloatTypes,
     .run = random_floats<Draw::kTruncatedNormal>,
     .make_state = NodeStream::make},
    {.op = &kRandomUniformInt, .run = random_range, .make_state = NodeStream::make},
};

}  // namespace

extern const KernelTable kRandomFillCpu{kEntries};

}  // namespace rill
