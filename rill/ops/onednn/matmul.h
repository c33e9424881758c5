#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace rill {

// A product of dense row-major matrices of floats; the second may be packed ahead.
struct MatmulShape {
  std::int64_t m, n, k;
  bool packed = false;
  auto operator<=>(const MatmulShape&) const = default;
};

// A product that oneDNN has compiled, for processors where that is faster than run_sgemm. Safe to
// use from several threads at once; each call runs on its thread alone and throws Internal when
// oneDNN fails.
class CompiledMatmul {
 public:
  struct Impl;
  explicit CompiledMatmul(std::unique_ptr<Impl> impl);
  ~CompiledMatmul();

  std::size_t scratch_bytes() const;  // that run() needs
  std::size_t packed_bytes() const;   // of the second matrix in oneDNN's order
  bool has_same_order(const CompiledMatmul& other) const;

  // Brings rows [begin, end) of the second matrix into oneDNN's order. Both are multiples of
  // kPackedRows, or the end of the matrix.
  static constexpr std::int64_t kPackedRows = 64;
  void pack(const float* b, std::int64_t begin, std::int64_t end, float* packed) const;

  // c = a b, where b is packed if the shape says so. `scratch` is aligned to 64 bytes.
  void run(const float* a, const float* b, float* c, void* scratch) const;

 private:
  std::unique_ptr<Impl> impl_;
};

// Compiled on first use and kept; nullptr where run_sgemm is as good.
std::shared_ptr<const CompiledMatmul> compiled_matmul(const MatmulShape& shape);

}  // namespace rill
