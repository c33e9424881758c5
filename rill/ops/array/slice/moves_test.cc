#include <gtest/gtest.h>

#include <random>

#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/kernel_runner.h"

namespace rill {
namespace {

// Sizes that no vector divides, and enough of them for several ranges of threads.

// Every byte has some value.
Tensor noise(DType type, Shape shape) {
  Tensor t(type, std::move(shape));
  std::mt19937 bits(7);
  auto* bytes = static_cast<unsigned char*>(t.raw_data());
  for (std::size_t i = 0; i < t.byte_size(); ++i) bytes[i] = static_cast<unsigned char>(bits());
  return t;
}

bool same_element(const Tensor& a, std::int64_t i, const Tensor& b, std::int64_t k) {
  return std::memcmp(element_at(a, i), element_at(b, k), element_size(a.dtype())) == 0;
}

constexpr DType kSizes[] = {DType::u8, DType::i16, DType::f32, DType::i64, DType::c128};

TEST(Moves, joins_and_splits_pieces_of_a_few_elements) {
  constexpr std::int64_t kRows = 5003;
  for (const DType type : kSizes)
    for (const std::vector<std::int64_t>& widths : std::vector<std::vector<std::int64_t>>{
             {1, 1}, {1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1, 1}, {8, 3, 1, 2}, {5, 6, 7, 4}}) {
      std::int64_t row = 0;
      for (const std::int64_t width : widths) row += width;
      const auto count = static_cast<std::int64_t>(widths.size());
      const Tensor whole = noise(type, {kRows, row}), joined(type, {kRows, row});
      std::vector<Tensor> pieces;
      for (const std::int64_t width : widths) pieces.emplace_back(type, Shape{kRows, width});
      KernelRunner split("SplitV", {{"T", type}, {"Tlen", DType::i64}, {"num_split", count}},
                         {type, DType::i64, DType::i32}, std::vector<DType>(widths.size(), type),
                         3);
      split.run({whole, Tensor::of<std::int64_t>({count}, std::span(widths)),
                 Tensor::scalar<std::int32_t>(1)},
                pieces);
      std::int64_t begin = 0, wrong = 0;
      for (std::size_t p = 0; p < widths.size(); begin += widths[p++])
        for (std::int64_t i = 0; i < kRows * widths[p]; ++i)
          wrong += !same_element(pieces[p], i, whole, i / widths[p] * row + begin + i % widths[p]);
      EXPECT_EQ(wrong, 0) << element_size(type) << " bytes, pieces " << count;
      std::vector<DType> types(widths.size(), type);
      types.push_back(DType::i32);
      std::vector<Tensor> inputs = pieces;
      inputs.push_back(Tensor::scalar<std::int32_t>(1));
      KernelRunner join("ConcatV2", {{"T", type}, {"Tidx", DType::i32}, {"N", count}}, types,
                        {type}, 3);
      join.run(inputs, {joined});
      EXPECT_TRUE(identical(whole, joined)) << element_size(type) << " bytes, pieces " << count;
    }
}

TEST(Moves, reverses_rows_of_any_width) {
  for (const DType type : kSizes)
    for (std::int64_t width = 1; width <= 70; width += width < 10 ? 1 : 13)
      for (const std::int32_t axis : {0, 1, 2}) {
        const std::int64_t dims[] = {61, 47, width};
        const Tensor in = noise(type, Shape(dims)), out(type, Shape(dims));
        KernelRunner reverse("ReverseV2", {{"T", type}, {"Tidx", DType::i32}}, {type, DType::i32},
                             {type}, 3);
        reverse.run({in, Tensor::vector<std::int32_t>({axis})}, {out});
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < in.element_count(); ++i) {
          std::int64_t at[] = {i / (47 * width), i / width % 47, i % width};
          at[axis] = dims[axis] - 1 - at[axis];
          wrong += !same_element(out, i, in, (at[0] * 47 + at[1]) * width + at[2]);
        }
        EXPECT_EQ(wrong, 0) << element_size(type) << " bytes, width " << width << " axis " << axis;
      }
}

TEST(Moves, cuts_space_without_padding) {
  for (const std::int64_t channels : {1, 3, 20}) {
    const Tensor space = noise(DType::f32, {3, 14, 33, channels});
    const Tensor batch(DType::f32, {3 * 6, 7, 11, channels}), back(DType::f32, space.shape());
    const AttrMap attrs{{"T", DType::f32}, {"Tblock_shape", DType::i32}, {"Tpaddings", DType::i32}};
    const Tensor block = Tensor::vector<std::int32_t>({2, 3}),
                 none = Tensor::of<std::int32_t>({2, 2}, {0, 0, 0, 0});
    KernelRunner cut("SpaceToBatchND", attrs, {DType::f32, DType::i32, DType::i32}, {DType::f32},
                     3);
    cut.run({space, block, none}, {batch});
    std::int64_t wrong = 0, i = 0;
    for (std::int64_t place = 0; place < 6; ++place)
      for (std::int64_t n = 0; n < 3; ++n)
        for (std::int64_t y = 0; y < 7; ++y)
          for (std::int64_t x = 0; x < 11; ++x)
            for (std::int64_t c = 0; c < channels; ++c, ++i)
              wrong += !same_element(
                  batch, i, space,
                  ((n * 14 + 2 * y + place / 3) * 33 + 3 * x + place % 3) * channels + c);
    EXPECT_EQ(wrong, 0) << channels;
    KernelRunner join("BatchToSpaceND",
                      {{"T", DType::f32}, {"Tblock_shape", DType::i32}, {"Tcrops", DType::i32}},
                      {DType::f32, DType::i32, DType::i32}, {DType::f32}, 3);
    join.run({batch, block, none}, {back});
    EXPECT_TRUE(identical(space, back)) << channels;
  }
}

TEST(Moves, gathers_rows_of_any_width) {
  constexpr std::int64_t kRows = 301, kWanted = 4001;
  Tensor indices(DType::i32, {kWanted});
  std::mt19937 bits(1);
  for (auto& index : indices.flat<std::int32_t>())
    index = static_cast<std::int32_t>(bits() % kRows);
  for (std::int64_t width = 1; width <= 100; width += width < 20 ? 1 : 11) {
    const Tensor in = noise(DType::i16, {kRows, width}), out(DType::i16, {kWanted, width});
    KernelRunner gather("GatherV2",
                        {{"batch_dims", std::int64_t{0}},
                         {"Tparams", DType::i16},
                         {"Tindices", DType::i32},
                         {"Taxis", DType::i32}},
                        {DType::i16, DType::i32, DType::i32}, {DType::i16}, 3);
    gather.run({in, indices, Tensor::scalar<std::int32_t>(0)}, {out});
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < kWanted * width; ++i)
      wrong +=
          !same_element(out, i, in, indices.data<std::int32_t>()[i / width] * width + i % width);
    EXPECT_EQ(wrong, 0) << width;
  }
}

}  // namespace
}  // namespace rill
