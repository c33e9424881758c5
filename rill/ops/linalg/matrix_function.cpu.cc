#include "rill/kernel/kernel_registry.h"
#include "rill/ops/linalg/functions_of_matrices.h"
#include "rill/ops/linalg/matrices.h"

namespace rill {

extern const OpDecl kMatrixExponential, kMatrixLogarithm, kMatrixSquareRoot;

namespace {

// Everything is computed in double precision and rounded once.
template <class T, class F>
void each_function(const KernelCall& call, F function) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;
  const Matrices m(input);
  each_matrix(call, m.count, 40 * cubed(m.rows), [&](std::int64_t i) {
    const T* const a = input.data<T>() + i * m.size();
    T* const out = output.data<T>() + i * m.size();
    const std::vector<Wide> result = function(std::vector<Wide>(a, a + m.size()), m.rows);
    std::transform(result.begin(), result.end(), out, [](Wide x) { return static_cast<T>(x); });
  });
}

void run_exponential(KernelCall& call) {
  visit_matrix_type(call.input_tensor(0).dtype(), [&]<class T>() {
    each_function<T>(call, [](const auto& a, std::int64_t n) { return exponential(a, n); });
  });
}
void run_square_root(KernelCall& call) {
  visit_matrix_type(call.input_tensor(0).dtype(), [&]<class T>() {
    each_function<T>(call, [](const auto& a, std::int64_t n) { return square_root(a, n); });
  });
}
void run_logarithm(KernelCall& call) {
  const auto log = [](const ComplexMatrix& a, std::int64_t n) { return logarithm(a, n); };
  if (call.input_tensor(0).dtype() == DType::c64)
    each_function<std::complex<float>>(call, log);
  else
    each_function<std::complex<double>>(call, log);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMatrixExponential, .types = kMatrixTypes, .run = run_exponential},
    {.op = &kMatrixSquareRoot, .types = kMatrixTypes, .run = run_square_root},
    {.op = &kMatrixLogarithm, .types = DType::c64 | DType::c128, .run = run_logarithm},
};

}  // namespace

extern const KernelTable kMatrixFunctionCpu{kEntries};

}  // namespace rill
