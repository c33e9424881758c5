#include "rill/ops/array/slice/diagonals_shape.h"

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/element_types.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kDiag, kDiagPart, kMatrixBandPart, kMatrixDiag, kMatrixDiagPart, kMatrixSetDiag,
    kMatrixDiagV2, kMatrixDiagPartV2, kMatrixSetDiagV2, kBatchMatrixBandPart, kBatchMatrixDiag,
    kBatchMatrixDiagPart, kBatchMatrixSetDiag;

namespace {

constexpr double kElementCost = 0.5;
const std::uint64_t kZero[2] = {0, 0};

// Every matrix of a tensor and the diagonals that belong to it.
struct MatrixSizes {
  MatrixSizes(const Tensor& matrix)
      : rows(matrix.dim(matrix.rank() - 2)),
        columns(matrix.dim(matrix.rank() - 1)),
        count(rows * columns == 0 ? 0 : matrix.element_count() / (rows * columns)) {}
  std::int64_t rows, columns, count;
};

// Copies diagonals into the matrices, or out of them.
void copy_diagonals(const KernelCall& call, const Diagonals& band, const Tensor& matrix,
                    const Tensor& diagonal, bool into_matrix) {
  const MatrixSizes m(matrix);
  if (diagonal.element_count() == 0 || m.count == 0) return;
  const std::int64_t longest = band.max_length(m.rows, m.columns);
  const double cost = kElementCost * static_cast<double>(band.count() * longest);
  with_element_type(matrix.dtype(), [&]<class T>(T*) {
    auto* const all = static_cast<T*>(matrix.raw_data());
    auto* const kept = static_cast<T*>(diagonal.raw_data());
    const auto copy_matrix = [&](std::int64_t b) {
      for (std::int64_t d = band.upper; d >= band.lower; --d) {
        T* line = kept + (b * band.count() + band.upper - d) * longest;
        T* cell =
            all + (b * m.rows + Diagonals::first_row(d)) * m.columns + Diagonals::first_column(d);
        const std::int64_t length = Diagonals::length(d, m.rows, m.columns);
        for (std::int64_t i = 0; i < length; ++i, cell += m.columns + 1)
          into_matrix ? void(*cell = line[i]) : void(line[i] = *cell);
      }
    };
    call.parallel_for(static_cast<std::size_t>(m.count), cost,
                      [&](std::size_t begin, std::size_t end) {
                        for (std::size_t b = begin; b < end; ++b)
                          copy_matrix(static_cast<std::int64_t>(b));
                      });
  });
}

void clear(const KernelCall& call, const Tensor& tensor, const void* value) {
  if (is_trivial(tensor.dtype()))
    fill_elements(call, tensor.dtype(), tensor.raw_data(), value, tensor.element_count());
}

Diagonals band_input(const KernelCall& call, int i) { return read_diagonals(call.input_tensor(i)); }

void matrix_diag(KernelCall& call) {
  clear(call, call.output_tensor(0), kZero);
  copy_diagonals(call, {}, call.output_tensor(0), call.input_tensor(0), true);
}
void matrix_diag_v2(KernelCall& call) {
  clear(call, call.output_tensor(0), call.input_tensor(4).raw_data());
  copy_diagonals(call, band_input(call, 1), call.output_tensor(0), call.input_tensor(0), true);
}

void matrix_diag_part(KernelCall& call) {
  copy_diagonals(call, {}, call.input_tensor(0), call.output_tensor(0), false);
}
void matrix_diag_part_v2(KernelCall& call) {
  clear(call, call.output_tensor(0), call.input_tensor(2).raw_data());
  copy_diagonals(call, band_input(call, 1), call.input_tensor(0), call.output_tensor(0), false);
}

void set_diagonals(const KernelCall& call, const Diagonals& band) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  copy_elements(output.dtype(), output.raw_data(), input.raw_data(),
                static_cast<std::size_t>(output.element_count()));
  copy_diagonals(call, band, output, call.input_tensor(1), true);
}
void matrix_set_diag(KernelCall& call) { set_diagonals(call, {}); }
void matrix_set_diag_v2(KernelCall& call) { set_diagonals(call, band_input(call, 2)); }

// A tensor of twice the rank is one matrix.
void diag(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  const std::int64_t size = input.element_count();
  clear(call, output, kZero);
  copy_diagonals(call, {}, output.reshaped({size, size}), input.reshaped({size}), true);
}
void diag_part(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  const std::int64_t size = output.element_count();
  copy_diagonals(call, {}, input.reshaped({size, size}), output.reshaped({size}), false);
}

void band_part(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  const MatrixSizes m(input);
  std::int64_t lower = int_at(call.input_tensor(1), 0), upper = int_at(call.input_tensor(2), 0);
  require(lower <= m.rows, "num_lower must be negative or less or equal to number of rows (",
          m.rows, ") got: ", lower);
  require(upper <= m.columns, "num_upper must be negative or less or equal to number of columns (",
          m.columns, ") got: ", upper);
  if (lower < 0) lower = m.rows;
  if (upper < 0) upper = m.columns;
  if (m.count == 0) return;
  clear(call, output, kZero);
  const auto rows = static_cast<std::size_t>(m.count * m.rows);
  call.parallel_for(rows, 0.1 * static_cast<double>(m.columns),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t r = begin; r < end; ++r) {
                        const auto row = static_cast<std::int64_t>(r);
                        const std::int64_t first = std::max<std::int64_t>(0, row % m.rows - lower);
                        const std::int64_t last = std::min(m.columns, row % m.rows + upper + 1);
                        if (first >= last) continue;
                        const std::int64_t at = row * m.columns + first;
                        copy_elements(input.dtype(), element_at(output, at), element_at(input, at),
                                      static_cast<std::size_t>(last - first));
                      }
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kDiag, .run = diag},
    {.op = &kDiagPart, .run = diag_part},
    {.op = &kMatrixBandPart, .run = band_part},
    {.op = &kMatrixDiag, .run = matrix_diag},
    {.op = &kMatrixDiagPart, .run = matrix_diag_part},
    {.op = &kMatrixSetDiag, .run = matrix_set_diag},
    {.op = &kMatrixDiagV2, .run = matrix_diag_v2},
    {.op = &kMatrixDiagPartV2, .run = matrix_diag_part_v2},
    {.op = &kMatrixSetDiagV2, .run = matrix_set_diag_v2},
    {.op = &kBatchMatrixBandPart, .run = band_part},
    {.op = &kBatchMatrixDiag, .run = matrix_diag},
    {.op = &kBatchMatrixDiagPart, .run = matrix_diag_part},
    {.op = &kBatchMatrixSetDiag, .run = matrix_set_diag},
};

}  // namespace

extern const KernelTable kDiagonalsCpu{kEntries};

}  // namespace rill
