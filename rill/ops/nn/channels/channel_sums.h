#pragma once

#include "rill/ops/nn/channels/channel_columns.h"

namespace rill {

// Mean and sum of squared differences from it, of `count` numbers; merging loses no digits even
// where the mean is large.
struct Moments {
  double count = 0, mean = 0, squares = 0;

  void merge(const Moments& other) {
    if (other.count == 0) return;
    const double total = count + other.count, distance = other.mean - mean;
    mean += distance * (other.count / total);
    squares += other.squares + distance * distance * (count * (other.count / total));
    count = total;
  }
};

// A number for each channel, copied.
inline std::vector<float> floats_of(const Tensor& vector) {
  const auto values = vector.flat<float>();
  return {values.begin(), values.end()};
}

// The sums of dy and of dy (x - mean).
struct GradientSums {
  double sum = 0, product = 0;

  void merge(const GradientSums& other) {
    sum += other.sum;
    product += other.product;
  }
};

// What groups found, merged in their order for each channel.
template <class Part, class FoldGroup>
std::vector<Part> fold_channels(const KernelCall& call, const ChannelColumns& columns,
                                FoldGroup fold_group) {
  const auto width = static_cast<std::size_t>(columns.group_channels());
  const auto groups = static_cast<std::size_t>(columns.group_count());
  std::vector<Part> parts(groups * width);
  columns.parallel_groups(call, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Part> by_column(static_cast<std::size_t>(columns.width()));
    for (std::int64_t g = begin; g < end; ++g) {
      std::ranges::fill(by_column, Part{});
      fold_group(g, by_column);
      Part* group = parts.data() + static_cast<std::size_t>(g) * width;
      for (std::int64_t j = 0; j < columns.width(); ++j)
        group[columns.channel_in_group(j)].merge(by_column[static_cast<std::size_t>(j)]);
    }
  });
  if (columns.channels() != columns.group_channels()) return parts;  // a group is a channel
  std::vector<Part> channels(width);
  for (std::size_t i = 0; i < parts.size(); ++i) channels[i % width].merge(parts[i]);
  return channels;
}

// Of elements of T computed with as C.
template <class T, class C>
std::vector<Moments> channel_moments(const KernelCall& call, const ChannelColumns& columns,
                                     const T* x) {
  const auto width = static_cast<std::size_t>(columns.width());
  const auto block = static_cast<std::size_t>(std::is_same_v<T, C> ? 0 : columns.block_size());
  return fold_channels<Moments>(call, columns, [&](std::int64_t g, std::vector<Moments>& found) {
    std::vector<C> mean(width), squares(width), wide(block);
    columns.for_group(g, [&](const ChannelColumns::Strip& strip) {
      columns.for_blocks(strip, [&](std::int64_t at, std::int64_t rows, std::int64_t count) {
        const auto n = static_cast<std::size_t>(count);
        const auto m = static_cast<std::size_t>(rows);
        batch_norm_rows<C>().moments(mean.data(), squares.data(),
                                     widened(x + at, wide.data(), m * n), m, n);
        for (std::size_t j = 0; j < n; ++j)
          found[j].merge({.count = static_cast<double>(rows),
                          .mean = static_cast<double>(mean[j]),
                          .squares = static_cast<double>(squares[j])});
      });
    });
  });
}

template <class T, class C>
std::vector<GradientSums> channel_sums(const KernelCall& call, const ChannelColumns& columns,
                                       const T* dy, const T* x, const C* channel_mean) {
  const auto width = static_cast<std::size_t>(columns.width());
  const auto block = static_cast<std::size_t>(std::is_same_v<T, C> ? 0 : columns.block_size());
  return fold_channels<GradientSums>(
      call, columns, [&](std::int64_t g, std::vector<GradientSums>& found) {
        std::vector<C> mean(width), sum(width), product(width), wide_dy(block), wide_x(block);
        columns.for_group(g, [&](const ChannelColumns::Strip& strip) {
          columns.spread(mean.data(), channel_mean, strip);
          columns.for_blocks(strip, [&](std::int64_t at, std::int64_t rows, std::int64_t count) {
            const auto n = static_cast<std::size_t>(count);
            const auto m = static_cast<std::size_t>(rows);
            batch_norm_rows<C>().sums(sum.data(), product.data(),
                                      widened(dy + at, wide_dy.data(), m * n),
                                      widened(x + at, wide_x.data(), m * n), mean.data(), m, n);
            for (std::size_t j = 0; j < n; ++j)
              found[j].merge(
                  {.sum = static_cast<double>(sum[j]), .product = static_cast<double>(product[j])});
          });
        });
      });
}

// Values by channel that elements are computed with.
template <class C>
struct ChannelScale {
  explicit ChannelScale(std::int64_t channels)
      : mean(static_cast<std::size_t>(channels)), slope(mean), offset(mean) {}
  std::vector<C> mean, slope, offset;
};

// Calls body(first element, rows, width, scale of the columns, strip) for all blocks.
template <class C, class Body>
void for_scaled_blocks(const KernelCall& call, const ChannelColumns& columns,
                       const ChannelScale<C>& scale, Body body) {
  columns.parallel_strips(call, [&](std::int64_t begin, std::int64_t end) {
    const auto width = static_cast<std::size_t>(columns.width());
    std::vector<C> mean(width), slope(width), offset(width);
    for (std::int64_t i = begin; i < end; ++i) {
      const ChannelColumns::Strip strip = columns.strip(i);
      columns.spread(mean.data(), scale.mean.data(), strip);
      columns.spread(slope.data(), scale.slope.data(), strip);
      columns.spread(offset.data(), scale.offset.data(), strip);
      columns.for_blocks(strip, [&](std::int64_t at, std::int64_t rows, std::int64_t count) {
        body(at, static_cast<std::size_t>(rows), static_cast<std::size_t>(count),
             ColumnScale<C>{mean.data(), slope.data(), offset.data()}, strip);
      });
    }
  });
}

// y = (x - mean) slope + offset; `finish` may change each block of results (position, elements,
// count) before it is rounded.
template <class T, class C, class Finish>
void normalize_channels(const KernelCall& call, const ChannelColumns& columns,
                        const ChannelScale<C>& scale, const T* x, T* y, Finish finish) {
  const auto block = static_cast<std::size_t>(std::is_same_v<T, C> ? 0 : columns.block_size());
  for_scaled_blocks(call, columns, scale,
                    [&](std::int64_t at, std::size_t rows, std::size_t width,
                        const ColumnScale<C>& by, const ChannelColumns::Strip&) {
                      thread_local std::vector<C> wide;
                      if (wide.size() < block) wide.resize(block);
                      const std::size_t n = rows * width;
                      const C* from = widened(x + at, wide.data(), n);
                      C* to = wide.data();
                      if constexpr (std::is_same_v<T, C>) to = y + at;
                      batch_norm_rows<C>().normalize(to, from, by, rows, width);
                      finish(at, to, n);
                      narrow_into(y + at, to, n);
                    });
}

}  // namespace rill
