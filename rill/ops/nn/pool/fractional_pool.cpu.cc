#include <utility>

#include "rill/base/philox.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/nn/pool/pooling_sequence.h"

namespace rill {

extern const OpDecl kFractionalMaxPool, kFractionalMaxPoolGrad, kFractionalAvgPool,
    kFractionalAvgPoolGrad;

namespace {

// Every run draws the same windows: those of the seeds or, without seeds, those of the node.
struct PoolingSeeds : KernelState {
  explicit PoolingSeeds(const KernelNode& node)
      : seed(static_cast<std::uint64_t>(node.attr<std::int64_t>("seed"))),
        seed2(static_cast<std::uint64_t>(node.attr<std::int64_t>("seed2"))) {
    const bool seeded = seed != 0 || seed2 != 0;
    require(!seeded || node.attr<bool>("deterministic"),
            "Both seed and seed2 should be 0 if deterministic is false.");
    if (seeded) return;
    seed = entropy_bits();
    seed2 = entropy_bits();
  }
  std::uint64_t seed, seed2;
};

std::unique_ptr<KernelState> make_seeds(const KernelNode& node) {
  return std::make_unique<PoolingSeeds>(node);
}

// Windows over images [batch, height, width, channels].
struct FractionalWindows {
  FractionalWindows(const KernelCall& call, const Shape& images,
                    std::span<const std::int64_t> row_ends,
                    std::span<const std::int64_t> column_ends)
      : batch(images.dim(0)),
        width(images.dim(2)),
        channels(images.dim(3)),
        image_size(images.dim(1) * width * channels) {
    const bool overlapping = call.node().attr<bool>("overlapping");
    rows = pooling_spans(row_ends, images.dim(1), overlapping);
    columns = pooling_spans(column_ends, width, overlapping);
  }

  std::int64_t count() const { return static_cast<std::int64_t>(rows.size() * columns.size()); }
  const Span& row(std::int64_t window) const {
    return rows[static_cast<std::size_t>(window) / columns.size()];
  }
  const Span& column(std::int64_t window) const {
    return columns[static_cast<std::size_t>(window) % columns.size()];
  }
  std::int64_t covered(std::int64_t window) const {
    return (row(window).end - row(window).begin) * (column(window).end - column(window).begin);
  }
  // Calls visit(first channel of a pixel in its image) for the pixels of a window.
  template <class Visit>
  void visit(std::int64_t window, Visit visit) const {
    for (std::int64_t y = row(window).begin; y < row(window).end; ++y)
      for (std::int64_t x = column(window).begin; x < column(window).end; ++x)
        visit((y * width + x) * channels);
  }

  // Calls body(image, window) for all windows, on several threads.
  template <class Body>
  void for_windows(const KernelCall& call, Body body) const {
    if (channels == 0 || count() == 0) return;
    const double cost = 0.5 * static_cast<double>(image_size) / static_cast<double>(count());
    call.parallel_for(
        static_cast<std::size_t>(batch * count()), cost, [&](std::size_t begin, std::size_t end) {
          for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i)
            body(i / count(), i % count());
        });
  }
  // Calls body(image): where windows add to the same pixels.
  template <class Body>
  void for_images(const KernelCall& call, Body body) const {
    call.parallel_for(static_cast<std::size_t>(batch), static_cast<double>(image_size),
                      [&](std::size_t begin, std::size_t end) {
                        for (auto n = static_cast<std::int64_t>(begin);
                             n < static_cast<std::int64_t>(end); ++n)
                          body(n);
                      });
  }

  std::int64_t batch, width, channels, image_size;
  std::vector<Span> rows, columns;
};

// Draws the windows of a call and hands out where they end.
FractionalWindows drawn_windows(const KernelCall& call) {
  const Shape &images = call.input_tensor(0).shape(), &results = call.output_tensor(0).shape();
  const bool pseudo_random = call.node().attr<bool>("pseudo_random");
  const auto& seeds = call.state<PoolingSeeds>();
  Philox stream(seeds.seed, seeds.seed2);
  for (const int d : {1, 2})
    std::ranges::copy(pooling_sequence(images.dim(d), results.dim(d), pseudo_random, stream),
                      call.output<std::int64_t>(d).begin());
  return {call, images, call.output<std::int64_t>(1), call.output<std::int64_t>(2)};
}

template <class T>
void fractional_max_pool(KernelCall& call) {
  const FractionalWindows w = drawn_windows(call);
  const T* images = call.input_tensor(0).data<T>();
  T* results = call.output_tensor(0).data<T>();
  w.for_windows(call, [&](std::int64_t n, std::int64_t window) {
    T* to = results + (n * w.count() + window) * w.channels;
    bool first = true;
    w.visit(window, [&](std::int64_t pixel) {
      const T* from = images + n * w.image_size + pixel;
      const bool starts = std::exchange(first, false);
      for (std::int64_t c = 0; c < w.channels; ++c)
        to[c] = starts || from[c] > to[c] ? from[c] : to[c];
    });
  });
}

template <class T>
void fractional_avg_pool(KernelCall& call) {
  const FractionalWindows w = drawn_windows(call);
  const T* images = call.input_tensor(0).data<T>();
  T* results = call.output_tensor(0).data<T>();
  w.for_windows(call, [&](std::int64_t n, std::int64_t window) {
    T* to = results + (n * w.count() + window) * w.channels;
    std::fill_n(to, w.channels, T{0});
    w.visit(window, [&](std::int64_t pixel) {
      const T* from = images + n * w.image_size + pixel;
      for (std::int64_t c = 0; c < w.channels; ++c) to[c] = wrapping_add(to[c], from[c]);
    });
    const auto covered = static_cast<T>(w.covered(window));
    for (std::int64_t c = 0; c < w.channels; ++c) to[c] /= covered;
  });
}

template <class T>
void fractional_max_pool_grad(KernelCall& call) {
  const T *images = call.input_tensor(0).data<T>(), *results = call.input_tensor(1).data<T>(),
          *gradient = call.input_tensor(2).data<T>();
  T* out = call.output_tensor(0).data<T>();
  const FractionalWindows w(call, call.output_tensor(0).shape(), call.input<std::int64_t>(3),
                            call.input<std::int64_t>(4));
  w.for_images(call, [&](std::int64_t n) {
    std::vector<std::int64_t> largest(static_cast<std::size_t>(w.channels));
    const T* image = images + n * w.image_size;
    T* sums = out + n * w.image_size;
    std::fill_n(sums, w.image_size, T{0});
    for (std::int64_t window = 0; window < w.count(); ++window) {
      bool first = true;
      w.visit(window, [&](std::int64_t pixel) {
        const bool starts = std::exchange(first, false);
        for (std::int64_t c = 0; c < w.channels; ++c) {
          std::int64_t& best = largest[static_cast<std::size_t>(c)];
          if (starts || image[pixel + c] > image[best]) best = pixel + c;
        }
      });
      const std::int64_t at = (n * w.count() + window) * w.channels;
      for (std::int64_t c = 0; c < w.channels; ++c) {
        const std::int64_t best = largest[static_cast<std::size_t>(c)];
        const T most = image[best], stated = results[at + c];
        require(most == stated || (most != most && stated != stated),
                "orig_output is not what pooling gives, tensor_out_dup is not the same as ",
                "tensor_out: ", most, " and ", stated);
        sums[best] = wrapping_add(sums[best], gradient[at + c]);
      }
    }
  });
}

// Shares are added up as doubles, and rounded at the end.
template <class T>
void fractional_avg_pool_grad(KernelCall& call) {
  const T* gradient = call.input_tensor(1).data<T>();
  T* out = call.output_tensor(0).data<T>();
  const FractionalWindows w(call, call.output_tensor(0).shape(), call.input<std::int64_t>(2),
                            call.input<std::int64_t>(3));
  w.for_images(call, [&](std::int64_t n) {
    std::vector<double> sums(static_cast<std::size_t>(w.image_size));
    for (std::int64_t window = 0; window < w.count(); ++window) {
      const T* from = gradient + (n * w.count() + window) * w.channels;
      const auto covered = static_cast<double>(w.covered(window));
      w.visit(window, [&](std::int64_t pixel) {
        double* to = sums.data() + pixel;
        for (std::int64_t c = 0; c < w.channels; ++c)
          to[c] += static_cast<double>(from[c]) / covered;
      });
    }
    for (std::int64_t i = 0; i < w.image_size; ++i)
      out[n * w.image_size + i] = static_cast<T>(sums[static_cast<std::size_t>(i)]);
  });
}

template <class T>
constexpr KernelEntry drawing(const OpDecl* op, KernelFn run) {
  return {.op = op, .types = dtype_of<T>, .run = run, .make_state = make_seeds};
}
template <class T>
constexpr KernelEntry gradient(const OpDecl* op, KernelFn run) {
  return {.op = op, .types = dtype_of<T>, .run = run};
}
template <class... T>
struct FractionalPoolEntries {
  KernelEntry all[4 * sizeof...(T)] = {
      drawing<T>(&kFractionalMaxPool, fractional_max_pool<T>)...,
      drawing<T>(&kFractionalAvgPool, fractional_avg_pool<T>)...,
      gradient<T>(&kFractionalMaxPoolGrad, fractional_max_pool_grad<T>)...,
      gradient<T>(&kFractionalAvgPoolGrad, fractional_avg_pool_grad<T>)...};
};
constexpr FractionalPoolEntries<float, double, std::int32_t, std::int64_t> kEntries;

}  // namespace

extern const KernelTable kFractionalPoolCpu{kEntries.all};

}  // namespace rill
