#include "rill/ops/random/normal.h"

#include <algorithm>
#include <cmath>

#include "rill/ops/random/philox_rows.h"

namespace rill {
namespace {

template <class T>
void fill_normals(T* out, const std::uint32_t* words, std::size_t blocks) {
  constexpr std::size_t kBlocks = 64;
  constexpr std::size_t kPairs = kBlocks * kValuesPerBlock<T> / 2;
  T uniform[2 * kPairs], radius[kPairs], angle[kPairs];
  while (blocks > 0) {
    const std::size_t now = std::min(blocks, kBlocks);
    const std::size_t pairs = now * kValuesPerBlock<T> / 2;
    uniform_row(uniform, words, 2 * pairs);
    polar_row(radius, angle, uniform, pairs);
    for (std::size_t i = 0; i < pairs; ++i) radius[i] = std::log(radius[i]);
    for (std::size_t i = 0; i < pairs; ++i) radius[i] = std::sqrt(T{-2} * radius[i]);
    for (std::size_t i = 0; i < pairs; ++i) {
      out[2 * i] = std::sin(angle[i]) * radius[i];
      out[2 * i + 1] = std::cos(angle[i]) * radius[i];
    }
    out += 2 * pairs;
    words += 4 * now;
    blocks -= now;
  }
}

}  // namespace

void normal_row(float* out, const std::uint32_t* words, std::size_t blocks) {
  fill_normals(out, words, blocks);
}
void normal_row(double* out, const std::uint32_t* words, std::size_t blocks) {
  fill_normals(out, words, blocks);
}

}  // namespace rill
