#pragma once

#include <complex>
#include <cstdint>

#include "rill/kernel/kernel_call.h"

namespace rill {

// Many transforms at once, on the device's threads. T is float or double. Inverse ones are divided
// by their length. No length is 0.

// Along the middle dimension of [outer][size][inner]; `out` may be `in`.
template <class T>
void fft_axis(const KernelCall& call, std::complex<T>* out, const std::complex<T>* in,
              std::int64_t outer, std::int64_t size, std::int64_t inner, bool is_inverse);

// Of real rows of `size`; of each result the first size / 2 + 1 numbers, which tell the others.
template <class T>
void real_fft_rows(const KernelCall& call, std::complex<T>* out, const T* in, std::int64_t rows,
                   std::int64_t size);
// Back to real rows of `size`, from size / 2 + 1 numbers each.
template <class T>
void inverse_real_fft_rows(const KernelCall& call, T* out, const std::complex<T>* in,
                           std::int64_t rows, std::int64_t size);

}  // namespace rill
