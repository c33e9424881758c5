#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/fill.h"
#include "rill/ops/random/generator_state.h"

namespace rill {

extern const OpDecl kStatefulUniform, kStatefulUniformFullInt, kStatefulUniformInt,
    kStatefulStandardNormal, kStatefulStandardNormalV2, kStatefulTruncatedNormal, kRngSkip,
    kNonDeterministicInts;

namespace {

std::uint64_t blocks_of_output(const KernelCall& call) {
  return static_cast<std::uint64_t>(call.output_tensor(0).element_count()) * kBlocksPerValue;
}

template <Draw draw>
void stateful_fill(KernelCall& call) {
  check_algorithm(call, 1);
  fill_random(call, draw, reserve_from_state(call, blocks_of_output(call)), call.output_tensor(0));
}

void stateful_range(KernelCall& call) {
  check_algorithm(call, 1);
  fill_random_range(call, reserve_from_state(call, blocks_of_output(call)), call.input_tensor(3),
                    call.input_tensor(4), call.output_tensor(0));
}

void old_stateful_normal(KernelCall& call) {
  fill_random(call, Draw::kNormal, reserve_from_state(call, blocks_of_output(call), 1),
              call.output_tensor(0));
}

void rng_skip(KernelCall& call) {
  check_algorithm(call, 1);
  const auto delta = call.input_tensor(2).scalar_value<std::int64_t>();
  (void)reserve_from_state(call, static_cast<std::uint64_t>(delta) * kBlocksPerValue);
}

void non_deterministic_ints(KernelCall& call) {
  fill_random(call, Draw::kBits, Philox(entropy_bits(), entropy_bits()), call.output_tensor(0));
}

constexpr TypeSet kFullInts = DType::i32 | DType::i64 | (DType::u32 | DType::u64);
constexpr TypeSet kRangeInts = DType::i32 | DType::i64;
constexpr KernelEntry kEntries[] = {
    {.op = &kStatefulUniform, .types = kFloatTypes, .run = stateful_fill<Draw::kUniform>},
    {.op = &kStatefulUniformFullInt, .types = kFullInts, .run = stateful_fill<Draw::kBits>},
    {.op = &kStatefulUniformInt, .types = kRangeInts, .run = stateful_range},
    {.op = &kStatefulStandardNormal, .types = kFloatTypes, .run = old_stateful_normal},
    {.op = &kStatefulStandardNormalV2, .types = kFloatTypes, .run = stateful_fill<Draw::kNormal>},
    {.op = &kStatefulTruncatedNormal,
     .types = kFloatTypes,
     .run = stateful_fill<Draw::kTruncatedNormal>},
    {.op = &kRngSkip, .run = rng_skip, .expensive = false},
    {.op = &kNonDeterministicInts, .types = kFullInts, .run = non_deterministic_ints},
};

}  // namespace

extern const KernelTable kStatefulRandomCpu{kEntries};

}  // namespace rill
