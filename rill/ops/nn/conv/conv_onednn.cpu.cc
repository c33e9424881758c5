#include "rill/ops/nn/conv/conv_onednn.h"

#include <cmath>

#include "rill/kernel/fast_paths.h"
#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/nn/channels/scratch_floats.h"
#include "rill/ops/nn/conv/conv_polyphase.h"
#include "rill/ops/nn/conv/conv_small_output.h"

namespace rill {
namespace {

constexpr double kPieceFlops = 16e6;  // a piece worth another thread
constexpr double kSumFlops = 4e6;  // of a filter's gradient: less, as short sums are rounded less
constexpr double kMaxPieces = 16;  // as many as keep some threads evenly busy
constexpr double kMaxOneDnnSums = 8;  // of filter gradients,
// each worth so much work an element at least: more where they do not stay in a cache,
constexpr double kSumElementFlops = 128, kLargeSumElementFlops = 2000;
constexpr std::int64_t kLargeOneDnnSum = 64 << 10;
constexpr std::int64_t kMaxOneDnnSumElements = 8 << 20;  // of all together
// Every piece reads all of the filter: of one that does not stay in the second-level cache pieces
// have at least so many positions, but there are two.
constexpr std::int64_t kLargeOneDnnFilter = 256 << 10, kMinPiecePositions = 192;
constexpr std::int64_t kMaxElements = std::int64_t{1} << 28;  // of one piece: offsets fit 32 bits

std::int64_t cut(std::int64_t total, std::int64_t parts) { return (total + parts - 1) / parts; }

// What one thread does at a time: images [first, first + batch), all of them or, of a single one,
// a band of rows.
struct Piece {
  std::shared_ptr<const CompiledConv> conv;
  std::int64_t image_offset, result_offset, result_count;  // in elements
  int filter = 0;                                          // which packed filter it takes
};

ConvDim dim_of(const WindowDim& d) { return {d.in, d.out, d.size, d.stride, d.dilation, d.before}; }

// Cuts a problem by its shape alone.
class Pieces {
 public:
  // Stays empty when oneDNN has no kernel for some piece.
  Pieces(const ConvProblem& problem, ConvWork work, double flops) : p_(problem), work_(work) {
    const bool sums = work == ConvWork::kToFilter;
    const double wanted = std::clamp(flops / (sums ? kSumFlops : kPieceFlops), 1.0,
                                     sums ? sums_of(problem, flops) : max_pieces(problem));
    // Large sums are costly, other pieces are not: rather fewer of the ones, more of the others.
    const double images = static_cast<double>(p_.batch) / wanted;
    const auto together = static_cast<std::int64_t>(
        std::max(1.0, sums && is_large_sum(p_) ? std::ceil(images) : std::floor(images)));
    // Windows of neighbouring bands overlap in the image, which only one may write, unless they are
    // points.
    const bool bands = together == 1 && (work != ConvWork::kToImages || p_.is_pointwise());
    const auto band_count =
        bands ? static_cast<std::int64_t>(std::ceil(wanted / static_cast<double>(p_.batch))) : 1;
    const std::int64_t rows = cut(p_.dims[0].out, std::max<std::int64_t>(1, band_count));
    for (std::int64_t n = 0; n < p_.batch; n += together)
      for (std::int64_t row = 0; row < p_.dims[0].out; row += rows)
        if (!add(n, std::min(together, p_.batch - n), row, std::min(rows, p_.dims[0].out - row))) {
          all_.clear();
          return;
        }
  }

  const std::vector<Piece>& all() const { return all_; }

 private:
  static bool is_large_sum(const ConvProblem& p) {
    return p.patch_size() * p.out_channels >= kLargeOneDnnSum;
  }

  // A sum is written and read again: that must take little time beside computing it. But there are
  // two, for two threads, unless the work is small.
  static double sums_of(const ConvProblem& p, double flops) {
    const auto size = static_cast<double>(p.patch_size() * p.out_channels);
    const double least = is_large_sum(p) ? kLargeSumElementFlops : kSumElementFlops;
    const double worth =
        std::max(std::floor(flops / (size * least)), flops < 2 * kPieceFlops ? 1.0 : 2.0);
    return std::clamp(
        std::min(std::floor(static_cast<double>(kMaxOneDnnSumElements) / size), worth), 1.0,
        kMaxOneDnnSums);
  }

  static double max_pieces(const ConvProblem& p) {
    if (p.patch_size() * p.out_channels < kLargeOneDnnFilter) return kMaxPieces;
    return std::clamp(static_cast<double>(p.batch * p.positions() / kMinPiecePositions), 2.0,
                      kMaxPieces);
  }

  bool add(std::int64_t n, std::int64_t batch, std::int64_t row, std::int64_t rows) {
    ConvShape shape{work_, batch, p_.in_channels, p_.out_channels, {}};
    for (const WindowDim& d : p_.dims) shape.dims.push_back(dim_of(d));
    const WindowDim& whole = p_.dims[0];
    ConvDim& band = shape.dims[0];
    const std::int64_t start = row * whole.stride - whole.before;
    const std::int64_t end = start + (rows - 1) * whole.stride + whole.reach();
    const std::int64_t from = std::max<std::int64_t>(0, start);
    if (rows < whole.out) {
      band = {std::min(whole.in, end) - from,   rows, whole.size, whole.stride, whole.dilation,
              std::max<std::int64_t>(0, -start)};
      if (band.in <= 0) return false;
    }
    if (batch * p_.image_size() > kMaxElements ||
        batch * p_.positions() * p_.out_channels > kMaxElements)
      return false;
    auto conv = compiled_conv(shape);
    if (conv == nullptr) return false;
    const std::int64_t row_size = p_.image_size() / whole.in;
    const std::int64_t result_size = p_.positions() * p_.out_channels;
    all_.push_back({std::move(conv), n * p_.image_size() + (rows < whole.out ? from * row_size : 0),
                    n * result_size + row * (result_size / whole.out),
                    batch * rows * (result_size / whole.out)});
    return true;
  }

  const ConvProblem& p_;
  const ConvWork work_;
  std::vector<Piece> all_;
};

// The filter in the orders that the pieces want, which is mostly one.
std::vector<Tensor> packed_filters(const KernelCall& call, std::vector<Piece>& pieces,
                                   const float* filter, bool turned, PackedFilters* kept) {
  std::vector<Tensor> packed;
  std::vector<const CompiledConv*> owners;
  for (Piece& piece : pieces) {
    const auto same = std::ranges::find_if(owners, [&](const CompiledConv* owner) {
      return owner->has_same_filter_order(*piece.conv);
    });
    piece.filter = static_cast<int>(same - owners.begin());
    if (same != owners.end()) continue;
    owners.push_back(piece.conv.get());
    const auto pack = [&] {
      Tensor made = scratch_float_bytes(call, piece.conv->filter_bytes());
      piece.conv->pack_filter(filter, turned, made.data<float>());
      return made;
    };
    packed.push_back(kept == nullptr ? pack() : kept->find(piece.conv, pack));
  }
  return packed;
}

// Calls body(index, scratch) for each piece, on several threads.
template <class Body>
void for_pieces(const KernelCall& call, const std::vector<Piece>& pieces, double flops, Body body) {
  const double nanos = 0.01 * flops / static_cast<double>(pieces.size());
  call.parallel_for(pieces.size(), nanos, [&](std::size_t begin, std::size_t end) {
    Tensor scratch;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t bytes = pieces[i].conv->scratch_bytes();
      if (scratch.byte_size() < bytes) scratch = scratch_float_bytes(call, bytes);
      body(i, bytes > 0 ? scratch.raw_data() : nullptr);
    }
  });
}

// The sum of `count` arrays that stand one after the other, in their order, in the first one.
void add_up(const KernelCall& call, float* arrays, std::size_t count, std::size_t size) {
  static const BinaryRow add = find_add_rows(DType::f32).both;
  const double nanos = 0.3 * static_cast<double>(count);
  call.parallel_for(size, nanos, [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = 1; part < count; ++part)
      add(arrays + begin, arrays + begin, arrays + part * size + begin, end - begin);
  });
}

// Each piece gives a sum in oneDNN's order. Those are added up before they are brought into ours,
// as long as their orders are the same.
const char* sum_filters(const KernelCall& call, const ConvProblem& p, const float* images,
                        float* filter, const float* results) {
  const double flops = p.flops();
  const Pieces pieces(p, ConvWork::kToFilter, flops);
  const std::vector<Piece>& all = pieces.all();
  if (all.empty()) return "oneDNN has no kernel for this shape";
  const CompiledConv& first = *all[0].conv;
  if (!std::ranges::all_of(
          all, [&](const Piece& piece) { return piece.conv->has_same_filter_order(first); }))
    return "the parts of the sum are ordered differently";
  const std::size_t size = (first.filter_bytes() + 63) / 64 * 64 / sizeof(float);
  const Tensor sums = scratch_float_bytes(call, all.size() * size * sizeof(float));
  for_pieces(call, all, flops, [&](std::size_t i, void* scratch) {
    all[i].conv->run(images + all[i].image_offset, sums.data<float>() + i * size,
                     results + all[i].result_offset, scratch);
  });
  add_up(call, sums.data<float>(), all.size(), size);
  first.unpack_filter(sums.data<float>(), filter);
  return nullptr;
}

// `filter` in oneDNN's order times images gives results, or the reverse.
const char* convolve_pieces(const KernelCall& call, ConvWork work, const ConvProblem& p,
                            float* images, const float* filter, bool turned, float* results,
                            const RangeDone& done = nullptr, PackedFilters* kept = nullptr) {
  const double flops = p.flops();
  std::vector<Piece> pieces = Pieces(p, work, flops).all();
  if (pieces.empty()) return "oneDNN has no kernel for this shape";
  const std::vector<Tensor> packed = packed_filters(call, pieces, filter, turned, kept);
  for_pieces(call, pieces, flops, [&](std::size_t i, void* scratch) {
    const Piece& piece = pieces[i];
    piece.conv->run(images + piece.image_offset,
                    packed[static_cast<std::size_t>(piece.filter)].data<float>(),
                    results + piece.result_offset, scratch);
    if (done) done(piece.result_offset, piece.result_offset + piece.result_count);
  });
  return nullptr;
}

// The taps of a filter in the opposite order.
Tensor reversed_taps(const KernelCall& call, const ConvProblem& p, const float* filter) {
  const std::int64_t tap = p.in_channels * p.out_channels, count = p.taps();
  Tensor reversed =
      scratch_float_bytes(call, static_cast<std::size_t>(tap * count) * sizeof(float));
  for (std::int64_t t = 0; t < count; ++t)
    std::copy_n(filter + t * tap, tap, reversed.data<float>() + (count - 1 - t) * tap);
  return reversed;
}

// Windows that see nothing but padding are the business of the general kernel.
bool has_empty_windows(const ConvProblem& p) {
  return std::ranges::any_of(p.dims, [](const WindowDim& d) {
    const std::int64_t after = (d.out - 1) * d.stride + d.reach() - d.in - d.before;
    return d.before >= d.reach() || after >= d.reach();
  });
}

}  // namespace

ConvProblem turned_round(const ConvProblem& p) {
  ConvProblem turned = p;
  std::swap(turned.in_channels, turned.out_channels);
  for (WindowDim& d : turned.dims) {
    std::swap(d.in, d.out);
    d.before = d.reach() - 1 - d.before;
  }
  return turned;
}

Tensor PackedFilters::find(const std::shared_ptr<const CompiledConv>& conv,
                           FunctionRef<Tensor()> pack) {
  std::lock_guard lock(mutex_);
  for (const auto& [owner, filter] : packed_)
    if (owner->has_same_filter_order(*conv)) return filter;
  packed_.emplace_back(conv, pack());
  return packed_.back().second;
}

const char* conv_onednn(const KernelCall& call, ConvWork work, const ConvProblem& p, float* images,
                        float* filter, float* results, const RangeDone& done, PackedFilters* kept) {
  if (p.dims.size() < 2) return "needs two or three dimensions of space";
  if (has_empty_windows(p)) return "needs windows that see the image";
  if (!takes(FastPath::kConvOneDnn)) return "is switched off";
  if (work == ConvWork::kForward && has_small_output(p))
    return conv_small_output(call, p, images, filter, false, results, done), nullptr;
  if (work == ConvWork::kForward)
    return convolve_pieces(call, work, p, images, filter, false, results, done, kept);
  if (work == ConvWork::kToFilter) return sum_filters(call, p, images, filter, results);
  if (is_polyphase(p) && conv_polyphase(call, p, images, filter, results) == nullptr)
    return nullptr;
  const auto dense = [](const WindowDim& d) { return d.stride == 1; };
  if ((p.taps() == 1 && !done) || !std::ranges::all_of(p.dims, dense))
    return convolve_pieces(call, work, p, images, filter, false, results);
  const Tensor reversed = reversed_taps(call, p, filter);
  if (const ConvProblem turned = turned_round(p); has_small_output(turned))
    return conv_small_output(call, turned, results, reversed.data<float>(), true, images, done),
           nullptr;
  return convolve_pieces(call, ConvWork::kForward, turned_round(p), results, reversed.data<float>(),
                         true, images, done);
}

}  // namespace rill
