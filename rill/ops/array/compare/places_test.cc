#include <gtest/gtest.h>

#include <random>

#include "rill/ops/kernel_runner.h"

namespace rill {
namespace {

Tensor random_numbers(Shape shape, std::uint32_t below) {
  Tensor t(DType::i32, std::move(shape));
  std::mt19937 bits(3);
  for (auto& x : t.flat<std::int32_t>()) x = static_cast<std::int32_t>(bits() % below);
  return t;
}

std::vector<std::int64_t> plain_places(const Tensor& t) {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    if (t.data<std::int32_t>()[i] == 0) continue;
    places.resize(places.size() + static_cast<std::size_t>(t.rank()));
    std::int64_t rest = i;
    for (int d = t.rank() - 1; d >= 0; rest /= t.dim(d--))
      places[places.size() - static_cast<std::size_t>(t.rank() - d)] = rest % t.dim(d);
  }
  return places;
}

TEST(Places, where_finds_all_over_several_blocks) {
  KernelRunner where("Where", {{"T", DType::i32}}, {DType::i32}, {DType::i64}, 3);
  for (const Shape& shape : {Shape{50001}, Shape{300, 211}, Shape{40000, 1}, Shape{5, 7, 11, 13, 9},
                             Shape{3, 5, 2000}, Shape{1, 1, 1, 1, 1, 1, 2, 9001}, Shape{17}})
    for (const std::uint32_t below : {2, 300}) {
      const Tensor t = random_numbers(shape, below);
      if (below == 300)  // few are set
        for (auto& x : t.flat<std::int32_t>()) x = x == 7;
      const Tensor found = where.run({t}, {Tensor()})[0];
      const std::vector<std::int64_t> wanted = plain_places(t);
      ASSERT_EQ(found.dim(1), shape.rank());
      const auto flat = found.flat<std::int64_t>();
      EXPECT_TRUE(std::ranges::equal(flat, wanted)) << shape.rank() << " " << below;
    }
}

KernelRunner partitioner(DType type, std::int64_t count) {
  return KernelRunner("DynamicPartition", {{"num_partitions", count}, {"T", type}},
                      {type, DType::i32}, std::vector<DType>(static_cast<std::size_t>(count), type),
                      3);
}

TEST(Places, partitions_keep_the_order_of_rows) {
  constexpr std::int64_t kRows = 30011, kCount = 5;
  const Tensor where = random_numbers({kRows}, kCount - 1);  // the last one stays empty
  for (const std::int64_t width : {1, 3}) {
    Tensor data(DType::i64, {kRows, width}), words(DType::string, {kRows, width});
    for (std::int64_t i = 0; i < kRows * width; ++i) {
      data.data<std::int64_t>()[i] = i;
      words.data<std::string>()[i] = std::to_string(i);
    }
    const auto parts = partitioner(DType::i64, kCount).run({data, where}, std::vector<Tensor>(5));
    const auto texts =
        partitioner(DType::string, kCount).run({words, where}, std::vector<Tensor>(5));
    for (std::int32_t p = 0; p < kCount; ++p) {
      std::vector<std::int64_t> wanted;
      for (std::int64_t i = 0; i < kRows * width; ++i)
        if (where.data<std::int32_t>()[i / width] == p) wanted.push_back(i);
      const auto part = parts[static_cast<std::size_t>(p)].flat<std::int64_t>();
      EXPECT_TRUE(std::ranges::equal(part, wanted)) << p;
      const auto text = texts[static_cast<std::size_t>(p)].flat<std::string>();
      EXPECT_TRUE(std::ranges::equal(text, wanted, {}, {}, [](std::int64_t i) {
        return std::to_string(i);
      })) << p;
    }
  }
}

TEST(Places, partitions_name_the_first_row_out_of_range) {
  const Tensor where = random_numbers({40000}, 3), data = random_numbers({40000}, 9);
  where.data<std::int32_t>()[39000] = -1;
  where.data<std::int32_t>()[20000] = 3;
  try {
    partitioner(DType::i32, 3).run({data, where}, std::vector<Tensor>(3));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("partitions[20000] = 3 is not in [0, 3)"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace rill
