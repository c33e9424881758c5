#pragma once

#include <vector>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/image/sampling.h"

namespace rill {

// Loops over elements of pixels.
template <class T>
struct SampleRows {
  // sums = weight * source, and the same added to sums.
  void (*start)(float* sums, const T* source, float weight, std::int64_t n);
  void (*add)(float* sums, const T* source, float weight, std::int64_t n);
};
template <class T>
const SampleRows<T>& sample_rows();  // of all real numbers that are no half types

// out = a + (b - a) * t, element by element.
void mix_rows(float* out, const float* a, const float* b, float t, std::int64_t n);
// Four rows mixed at once, by x in pairs and then by y: the same numbers as with mix_rows.
void mix_four_rows(float* out, const float* const rows[4], float x, float y, std::int64_t n);
// Every pixel of `out` is the sum of its taps on the pixels of `row`.
void combine_columns(float* out, const float* row, const Taps& columns, std::int64_t channels);

// Images [batch, height, width, channels] of any real type to float or, in gradients, of float to a
// floating type: rows are combined by one map and columns by the other.
void resample(const KernelCall& call, const Tensor& images, const Taps& rows, const Taps& columns,
              const Tensor& results);

}  // namespace rill
