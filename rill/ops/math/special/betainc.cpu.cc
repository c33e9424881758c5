#include "rill/ops/math/rows/double_rows.h"
#include "rill/ops/math/special/incomplete_beta.h"

namespace rill {

extern const OpDecl kBetainc;

namespace {

// Scalars have step 0. Float is computed in double and rounded once.
template <class T>
void run_betainc(KernelCall& call) {
  const auto a = call.input<T>(0), b = call.input<T>(1), x = call.input<T>(2);
  const auto out = call.output<T>(0);
  const auto step = [&](int i) { return call.input_tensor(i).rank() == 0 ? 0u : 1u; };
  const std::size_t step_a = step(0), step_b = step(1), step_x = step(2);
  call.parallel_for(out.size(), 300, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      out[i] = static_cast<T>(betainc(a[i * step_a], b[i * step_b], x[i * step_x], kStopAt<T>));
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBetainc, .types = DType::f32, .run = run_betainc<float>},
    {.op = &kBetainc, .types = DType::f64, .run = run_betainc<double>},
};

}  // namespace

extern const KernelTable kBetaincCpu{kEntries};

}  // namespace rill
