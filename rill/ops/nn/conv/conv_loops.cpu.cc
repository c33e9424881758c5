#include "rill/ops/nn/conv/conv_loops.h"

#include "rill/ops/math/matmul/gemm.h"
#include "rill/ops/math/matmul/gemm_direct.h"
#include "rill/ops/onednn/sgemm.h"

namespace rill {
namespace {

constexpr std::int64_t kTileElements = 32 << 10;  // of patches: they stay in the second-level cache
constexpr std::int64_t kDirectElements = 5 << 10;     // a filter of doubles that needs no packing
constexpr std::int64_t kFilterSumElements = 4 << 20;  // of partial sums of filter gradients
constexpr std::int64_t kMaxFilterSums = 8;
constexpr double kGemmNanosPerFlop = 0.05;

// C = op(A) op(B), or C += that, on the calling thread; dense rows.
void multiply(const Product& p, bool adds, float*) {
  run_sgemm({.m = p.m,
             .n = p.n,
             .k = p.k,
             .a = static_cast<const float*>(p.a),
             .b = static_cast<const float*>(p.b),
             .c = static_cast<float*>(p.c),
             .lda = p.lda(),
             .ldb = p.ldb(),
             .ldc = p.n,
             .transpose_a = p.transpose_a,
             .transpose_b = p.transpose_b,
             .adds = adds});
}
void multiply(const Product& p, bool adds, double*) {
  static const BlockFn block = find_block_multiply(DType::f64);
  if (!adds && !p.transpose_b && p.k > 0 && p.k * p.n <= kDirectElements)
    return direct_products<double>().small(p, static_cast<const double*>(p.b));
  if (!adds) return block(p, {0, p.m, 0, p.n});
  std::vector<double> sum(static_cast<std::size_t>(p.m * p.n));
  Product apart = p;
  apart.c = sum.data();
  block(apart, {0, p.m, 0, p.n});
  auto* c = static_cast<double*>(p.c);
  for (std::size_t i = 0; i < sum.size(); ++i) c[i] += sum[i];
}

// Positions of all images, in tiles of some hundred patches.
struct Tiles {
  explicit Tiles(const ConvProblem& p)
      : per_image(p.positions()),
        rows(p.batch * per_image),
        size(std::clamp<std::int64_t>(kTileElements / std::max<std::int64_t>(1, p.patch_size()), 16,
                                      1024)),
        count((rows + size - 1) / size) {}
  std::int64_t per_image, rows, size, count;
};

template <class T>
Tensor scratch(const KernelCall& call, std::int64_t elements) {
  return Tensor(dtype_of<T>, {elements}, call.device().allocator(MemoryKind::host));
}

template <class T>
void take_tile(const ConvProblem& p, const Patches<T>& patches, const T* images, std::int64_t begin,
               std::int64_t end, T* rows) {
  const std::int64_t per_image = p.positions();
  for (std::int64_t r = begin; r < end; ++r, rows += p.patch_size())
    patches.take(images + r / per_image * p.image_size(), r % per_image, rows);
}

// Calls body(begin, end) with ranges of [0, count), each costing `flops` together with its equals.
template <class Body>
void in_parallel(const KernelCall& call, std::int64_t count, double flops, Body body) {
  const double cost =
      flops * kGemmNanosPerFlop / static_cast<double>(std::max<std::int64_t>(1, count));
  call.parallel_for(static_cast<std::size_t>(count), cost, [&](std::size_t begin, std::size_t end) {
    body(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  });
}

}  // namespace

template <class T>
void convolve(const KernelCall& call, const ConvProblem& p, const T* images, const T* filter,
              T* results, const RangeDone& done) {
  const Tiles tiles(p);
  const Patches<T> patches(p);
  in_parallel(call, tiles.count, p.flops(), [&](std::int64_t begin, std::int64_t end) {
    const bool direct = p.is_pointwise();
    const Tensor rows = scratch<T>(call, direct ? 0 : tiles.size * p.patch_size());
    for (std::int64_t t = begin; t < end; ++t) {
      const std::int64_t first = t * tiles.size, last = std::min(tiles.rows, first + tiles.size);
      const T* a = images + first * p.in_channels;
      if (!direct) {
        take_tile(p, patches, images, first, last, rows.data<T>());
        a = rows.data<T>();
      }
      multiply({.m = last - first,
                .n = p.out_channels,
                .k = p.patch_size(),
                .a = a,
                .b = filter,
                .c = results + first * p.out_channels},
               false, static_cast<T*>(nullptr));
      if (done) done(first * p.out_channels, last * p.out_channels);
    }
  });
}

// Windows overlap, so that one thread has all of an image.
template <class T>
void conv_backprop_input(const KernelCall& call, const ConvProblem& p, const T* filter,
                         const T* gradient, T* images) {
  const Tiles tiles(p);
  const Patches<T> patches(p);
  const auto back = [&](std::int64_t first, std::int64_t last, T* rows) {
    multiply({.m = last - first,
              .n = p.patch_size(),
              .k = p.out_channels,
              .a = gradient + first * p.out_channels,
              .b = filter,
              .c = rows,
              .transpose_b = true},
             false, static_cast<T*>(nullptr));
  };
  if (p.is_pointwise()) {
    return in_parallel(call, tiles.count, p.flops(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t)
        back(t * tiles.size, std::min(tiles.rows, (t + 1) * tiles.size),
             images + t * tiles.size * p.in_channels);
    });
  }
  in_parallel(call, p.batch, p.flops(), [&](std::int64_t begin, std::int64_t end) {
    const Tensor rows = scratch<T>(call, tiles.size * p.patch_size());
    for (std::int64_t n = begin; n < end; ++n) {
      T* image = images + n * p.image_size();
      std::fill_n(image, p.image_size(), T{0});
      for (std::int64_t first = 0; first < tiles.per_image; first += tiles.size) {
        const std::int64_t last = std::min(tiles.per_image, first + tiles.size);
        back(n * tiles.per_image + first, n * tiles.per_image + last, rows.data<T>());
        for (std::int64_t r = first; r < last; ++r)
          patches.add(image, r, rows.data<T>() + (r - first) * p.patch_size());
      }
    }
  });
}

// Threads add up parts of the sum, as many as the shapes say; the parts are added in their order.
template <class T>
void conv_backprop_filter(const KernelCall& call, const ConvProblem& p, const T* images,
                          const T* gradient, T* filter) {
  const Tiles tiles(p);
  const Patches<T> patches(p);
  const std::int64_t size = p.patch_size() * p.out_channels;
  const std::int64_t parts =
      std::clamp<std::int64_t>(kFilterSumElements / std::max<std::int64_t>(1, size), 1,
                               std::min(kMaxFilterSums, tiles.count));
  std::fill_n(filter, size, T{0});
  if (tiles.count == 0) return;
  const Tensor sums = scratch<T>(call, parts > 1 ? parts * size : 0);
  in_parallel(call, parts, p.flops(), [&](std::int64_t begin, std::int64_t end) {
    const bool direct = p.is_pointwise();
    const Tensor rows = scratch<T>(call, direct ? 0 : tiles.size * p.patch_size());
    for (std::int64_t part = begin; part < end; ++part) {
      T* sum = parts > 1 ? sums.data<T>() + part * size : filter;
      const std::int64_t first_tile = tiles.count * part / parts;
      for (std::int64_t t = first_tile; t < tiles.count * (part + 1) / parts; ++t) {
        const std::int64_t first = t * tiles.size, last = std::min(tiles.rows, first + tiles.size);
        const T* a = images + first * p.in_channels;
        if (!direct) {
          take_tile(p, patches, images, first, last, rows.data<T>());
          a = rows.data<T>();
        }
        multiply({.m = p.patch_size(),
                  .n = p.out_channels,
                  .k = last - first,
                  .a = a,
                  .b = gradient + first * p.out_channels,
                  .c = sum,
                  .transpose_a = true},
                 t > first_tile, static_cast<T*>(nullptr));
      }
    }
  });
  for (std::int64_t part = 0; parts > 1 && part < parts; ++part)
    for (std::int64_t i = 0; i < size; ++i) filter[i] += sums.data<T>()[part * size + i];
}

template void convolve(const KernelCall&, const ConvProblem&, const float*, const float*, float*,
                       const RangeDone&);
template void convolve(const KernelCall&, const ConvProblem&, const double*, const double*, double*,
                       const RangeDone&);
template void conv_backprop_input(const KernelCall&, const ConvProblem&, const float*, const float*,
                                  float*);
template void conv_backprop_input(const KernelCall&, const ConvProblem&, const double*,
                                  const double*, double*);
template void conv_backprop_filter(const KernelCall&, const ConvProblem&, const float*,
                                   const float*, float*);
template void conv_backprop_filter(const KernelCall&, const ConvProblem&, const double*,
                                   const double*, double*);

}  // namespace rill
