#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/linalg/eigen_doors.h"
#include "rill/ops/linalg/matrices.h"
#include "rill/ops/linalg/singular_values.h"

namespace rill {

extern const OpDecl kSvd, kBatchSvd;

namespace {

// What one matrix has room for in the outputs.
struct Room {
  std::int64_t s, u, v;
  std::int64_t u_columns, v_columns;
};

template <class T>
void svd_one(const T* a, std::int64_t m, std::int64_t n, const Room& room, bool full, T* s, T* u,
             T* v) {
  if (m == 0 || n == 0) {
    if (u == nullptr) return;
    set_identity(u, m, room.u_columns);
    return set_identity(v, n, room.v_columns);
  }
  if (all_finite(a, m * n)) return eigen_svd(a, m, n, full, s, u, v);
  const T nan(std::numeric_limits<double>::quiet_NaN());
  std::fill_n(s, room.s, nan);
  if (u == nullptr) return;
  std::fill_n(u, room.u, nan);
  std::fill_n(v, room.v, nan);
}

void svd(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const Tensor &s = call.output_tensor(0), &u = call.output_tensor(1), &v = call.output_tensor(2);
  if (s.element_count() + u.element_count() + v.element_count() == 0) return;
  const bool wants_vectors = call.node().attr<bool>("compute_uv");
  const bool full = call.node().attr<bool>("full_matrices");
  const Matrices a(input);
  Room room{std::min(a.rows, a.columns), 0, 0, 0, 0};
  if (wants_vectors) {
    const Matrices u_out(u), v_out(v);
    room = {room.s, u_out.size(), v_out.size(), u_out.columns, v_out.columns};
  }
  const double operations =
      20.0 * static_cast<double>(a.rows) * static_cast<double>(a.columns * room.s);
  visit_matrix_type(input.dtype(), [&]<class T>() {
    each_matrix(call, a.count, operations, [&](std::int64_t i) {
      T* const u_at = wants_vectors ? u.data<T>() + i * room.u : nullptr;
      T* const v_at = wants_vectors ? v.data<T>() + i * room.v : nullptr;
      svd_one(input.data<T>() + i * a.size(), a.rows, a.columns, room, full,
              s.data<T>() + i * room.s, u_at, v_at);
    });
  });
}

constexpr std::int64_t kMinBisected = 5;  // values; of fewer Eigen is faster

template <class T>
void values_one(const T* a, std::int64_t m, std::int64_t n, T* s) {
  const std::int64_t count = std::min(m, n);
  if (!all_finite(a, m * n))
    return void(std::fill_n(s, count, std::numeric_limits<T>::quiet_NaN()));
  if (count >= kMinBisected) return singular_values(a, m, n, s);
  T* const none = nullptr;
  eigen_svd(a, m, n, false, s, none, none);
}

template <class T>
void values_only(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &s = call.output_tensor(0);
  if (s.element_count() == 0) return;
  const Matrices a(input);
  const std::int64_t count = std::min(a.rows, a.columns);
  const double operations =
      4.0 * static_cast<double>(a.rows) * static_cast<double>(a.columns * count);
  each_matrix(call, a.count, operations, [&](std::int64_t i) {
    values_one(input.data<T>() + i * a.size(), a.rows, a.columns, s.data<T>() + i * count);
  });
}

const char* accept_without_vectors(const KernelNode& node) {
  return node.attr<bool>("compute_uv") ? "vectors have Eigen's signs" : nullptr;
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSvd,
     .types = DType::f32,
     .run = values_only<float>,
     .label = "svd:bisection",
     .accept = accept_without_vectors},
    {.op = &kSvd,
     .types = DType::f64,
     .run = values_only<double>,
     .label = "svd:bisection",
     .accept = accept_without_vectors},
    {.op = &kSvd, .types = kMatrixTypes, .run = svd, .label = "svd:eigen"},
    {.op = &kBatchSvd, .types = kMatrixTypes, .run = svd},
};

}  // namespace

extern const KernelTable kSvdCpu{kEntries};

}  // namespace rill
