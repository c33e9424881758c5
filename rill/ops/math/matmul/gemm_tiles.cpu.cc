#include "rill/ops/math/matmul/gemm_tiles.h"

#include "rill/base/tile_permission.h"
#include "rill/kernel/fast_paths.h"

namespace rill {
namespace {

constexpr double kMinFlops = 60'000;  // below: packing takes longer than the work
constexpr std::int64_t kMinColumns = 16;

TileMatrix packed_b(const KernelCall& call, const Product& p, TileSource source) {
  return packed_for_tiles(call, tile_factor_b(p, source), p.k, p.n);
}

}  // namespace

bool tiles_pay(std::int64_t m, std::int64_t n, std::int64_t k) {
  return Product{.m = m, .n = n, .k = k}.flops() >= kMinFlops && n >= kMinColumns &&
         may_use_tiles() && takes(FastPath::kTiles);
}

void multiply_bfloat16(const KernelCall& call, const Product& p, const TileMatrix& b) {
  const Tensor sums(DType::f32, {p.m, p.n}, call.device().allocator(MemoryKind::host));
  auto* const c = static_cast<std::uint16_t*>(p.c);
  multiply_tiles(call, p.m, tile_factor_a(p, TileSource::kBfloat16), b, sums.raw_data(),
                 [&](void* at, std::int64_t row, std::int64_t begin, std::int64_t end) {
                   narrow_for_tiles(c + row * p.n + begin, static_cast<const float*>(at),
                                    end - begin);
                 });
}

bool multiply_bfloat16(const KernelCall& call, const Product& p) {
  if (!tiles_pay(p.m, p.n, p.k)) return false;
  multiply_bfloat16(call, p, packed_b(call, p, TileSource::kBfloat16));
  return true;
}

bool multiply_lowered(const KernelCall& call, const Product& p) {
  if (!tiles_pay(p.m, p.n, p.k)) return false;
  multiply_tiles(call, p.m, tile_factor_a(p, TileSource::kFloat),
                 packed_b(call, p, TileSource::kFloat), p.c,
                 [](void*, std::int64_t, std::int64_t, std::int64_t) {});
  return true;
}

}  // namespace rill
