#pragma once

#include <complex>
#include <cstddef>

namespace rill {

// exp(-2 pi i k / n) for k < n, from an angle of at most pi / 4.
std::complex<double> root_of_unity(std::size_t k, std::size_t n);

}  // namespace rill
