#include "rill/ops/eight_bit/pair_bytes.h"

#include "rill/tensor/strided.h"

namespace rill {
namespace {

template <class Combine>
void combine_pairs(const KernelCall& call, const ByteTable& x, const ByteTable& y,
                   Combine combine) {
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1), &out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const RowLoop loop({dense_view(out.raw_data(), out.shape(), 4),
                      broadcast_view(a.raw_data(), a.shape(), out.shape(), 1),
                      broadcast_view(b.raw_data(), b.shape(), out.shape(), 1)});
  const std::int64_t step_a = loop.step(1), step_b = loop.step(2);
  const auto row = [&](std::byte* const* at, std::size_t n) {
    auto* const to = reinterpret_cast<std::uint32_t*>(at[0]);
    const auto *p = reinterpret_cast<const std::uint8_t*>(at[1]),
               *q = reinterpret_cast<const std::uint8_t*>(at[2]);
    for (std::size_t i = 0; i < n; ++i, p += step_a, q += step_b) to[i] = combine(x[*p], y[*q]);
  };
  const double nanos = static_cast<double>(std::min(loop.row_length(), RowLoop::kPieceLength));
  call.parallel_for(loop.piece_count(), nanos,
                    [&](std::size_t begin, std::size_t end) { loop.run(begin, end, row); });
}

}  // namespace

void add_byte_pairs(const KernelCall& call, const ByteTable& x, const ByteTable& y) {
  combine_pairs(call, x, y, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}

void multiply_byte_pairs(const KernelCall& call, const ByteTable& x, const ByteTable& y) {
  combine_pairs(call, x, y, [](std::uint32_t a, std::uint32_t b) { return a * b; });
}

}  // namespace rill
