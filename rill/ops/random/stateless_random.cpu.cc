#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/fill.h"
#include "rill/ops/random/stream.h"

namespace rill {

extern const OpDecl kStatelessRandomUniform, kStatelessRandomNormal, kStatelessTruncatedNormal,
    kStatelessRandomUniformInt;

namespace {

template <Draw draw>
void stateless_floats(KernelCall& call) {
  fill_random(call, draw, stateless_stream(call.input_tensor(1)), call.output_tensor(0));
}

void stateless_range(KernelCall& call) {
  fill_random_range(call, stateless_stream(call.input_tensor(1)), call.input_tensor(2),
                    call.input_tensor(3), call.output_tensor(0));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kStatelessRandomUniform, .types = kFloatTypes, .run = stateless_floats<Draw::kUniform>},
    {.op = &kStatelessRandomNormal, .types = kFloatTypes, .run = stateless_floats<Draw::kNormal>},
    {.op = &kStatelessTruncatedNormal,
     .types = kFloatTypes,
     .run = stateless_floats<Draw::kTruncatedNormal>},
    {.op = &kStatelessRandomUniformInt, .run = stateless_range},
};

}  // namespace

extern const KernelTable kStatelessRandomCpu{kEntries};

}  // namespace rill
