#pragma once

#include <complex>
#include <vector>

#include "rill/ops/spectral/fft_passes.h"

namespace rill {

// Complex numbers that are kept as two vectors, of their real and their imaginary parts.

template <class T>
Split<const T> split_of(const std::vector<T>& re, const std::vector<T>& im) {
  return {re.data(), im.data()};
}

template <class T>
void append_complex(std::vector<T>& re, std::vector<T>& im, std::complex<double> value) {
  re.push_back(static_cast<T>(value.real()));
  im.push_back(static_cast<T>(value.imag()));
}

}  // namespace rill
