#include "rill/kernel/kernel_registry.h"
#include "rill/ops/linalg/eigen_doors.h"
#include "rill/ops/linalg/matrices.h"

namespace rill {

extern const OpDecl kSelfAdjointEig, kSelfAdjointEigV2, kBatchSelfAdjointEig,
    kBatchSelfAdjointEigV2;

namespace {

// Writes the eigenvalues of matrix i to values(i) and its eigenvectors to vectors(i).
template <class T, class Values, class Vectors>
void decompose(const KernelCall& call, Values values, Vectors vectors) {
  const Tensor& input = call.input_tensor(0);
  const Matrices a(input);
  each_matrix(call, a.count, 10 * cubed(a.rows), [&](std::int64_t i) {
    const T* const matrix = input.data<T>() + i * a.size();
    require(all_finite(matrix, a.size()) &&
                eigen_self_adjoint<T>(matrix, a.rows, values(i), vectors(i)),
            "Self-adjoint eigen decomposition was not successful. The input might not be valid.");
  });
}

void eig_v1(KernelCall& call) {
  const Tensor& output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Matrices out(output);
  visit_matrix_type(output.dtype(), [&]<class T>() {
    const auto values = [&](std::int64_t i) { return output.data<T>() + i * out.size(); };
    decompose<T>(call, values, [&](std::int64_t i) { return values(i) + out.columns; });
  });
}

void eig_v2(KernelCall& call) {
  const Tensor &e = call.output_tensor(0), &v = call.output_tensor(1);
  if (e.element_count() == 0) return;
  const std::int64_t n = e.dim(e.rank() - 1);
  const bool has_vectors = call.node().attr<bool>("compute_v");
  visit_matrix_type(e.dtype(), [&]<class T>() {
    decompose<T>(
        call, [&](std::int64_t i) { return e.data<T>() + i * n; },
        [&](std::int64_t i) { return has_vectors ? v.data<T>() + i * n * n : nullptr; });
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSelfAdjointEig, .types = DType::f32 | DType::f64, .run = eig_v1},
    {.op = &kBatchSelfAdjointEig, .types = DType::f32 | DType::f64, .run = eig_v1},
    {.op = &kSelfAdjointEigV2, .types = kMatrixTypes, .run = eig_v2},
    {.op = &kBatchSelfAdjointEigV2, .types = kMatrixTypes, .run = eig_v2},
};

}  // namespace

extern const KernelTable kSelfAdjointEigCpu{kEntries};

}  // namespace rill
