#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/linalg/eigen_doors.h"
#include "rill/ops/linalg/matrices.h"

namespace rill {

extern const OpDecl kQr;

namespace {

void qr(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &q = call.output_tensor(0),
               &r = call.output_tensor(1);
  if (q.element_count() == 0 && r.element_count() == 0) return;
  const Matrices a(input), q_out(q), r_out(r);
  const std::int64_t k = q_out.columns;
  const bool full = call.node().attr<bool>("full_matrices");
  const double operations = 4.0 * static_cast<double>(a.size()) * static_cast<double>(k);
  visit_matrix_type(input.dtype(), [&]<class T>() {
    each_matrix(call, a.count, operations, [&](std::int64_t i) {
      T* const q_at = q.data<T>() + i * q_out.size();
      if (a.size() == 0) return set_identity(q_at, a.rows, k);
      eigen_qr(input.data<T>() + i * a.size(), a.rows, a.columns, full, q_at,
               r.data<T>() + i * r_out.size());
    });
  });
}

constexpr KernelEntry kEntries[] = {{.op = &kQr, .types = kMatrixTypes, .run = qr}};

}  // namespace

extern const KernelTable kQrCpu{kEntries};

}  // namespace rill
