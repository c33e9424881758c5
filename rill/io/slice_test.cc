#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/io/slice_copy.h"
#include "rill/io/table_testing.h"
#include "rill/io/tensor_slice.h"
#include "tensorflow/core/framework/tensor_slice.pb.h"

namespace rill {
namespace {

TEST(TensorSlice, text_and_message_round_trip) {
  for (const char* text : {"", "-", "-:0,10:3,1", "0,1"}) {
    const auto slice = TensorSlice::parse(text);
    EXPECT_EQ(to_text(slice), text);
    tensorflow::TensorSliceProto proto;
    slice.to_proto(&proto);
    EXPECT_EQ(TensorSlice::from_proto(proto), slice);
  }
  for (const char* text : {":", "1", "1,", "a,b", "-1,2", "0,0", "0,-1", "9223372036854775807,1"})
    EXPECT_TRUE(error_of([&] { TensorSlice::parse(text); }).starts_with("InvalidArgument")) << text;
}

TEST(TensorSlice, shape_and_slice) {
  const auto parsed = parse_shape_and_slice("10 4 0,5:0,4");
  EXPECT_EQ(parsed.full, Shape({10, 4}));
  EXPECT_EQ(parsed.part, Shape({5, 4}));
  EXPECT_EQ(parse_shape_and_slice("10 4 2,3:-").part, Shape({3, 4}));
  for (const char* text :
       {"", "10", "10 4 0,5", "10 0,11", "x 0,1", "-1 -", "4 3,2", "99999999999 99999999999 -:-"})
    EXPECT_TRUE(error_of([&] { parse_shape_and_slice(text); }).starts_with("InvalidArgument"))
        << text;
}

TEST(TensorSlice, keys_are_as_documented) {
  EXPECT_EQ(hex(slice_key("emb", TensorSlice::parse("0,5:0,4"))), "00656d620001010280858084");
  EXPECT_EQ(hex(slice_key("emb", TensorSlice::parse("5,5:0,4"))), "00656d620001010285858084");
  EXPECT_EQ(hex(slice_key("w", TensorSlice::whole(1))), "007700010101807f");
  EXPECT_EQ(hex(slice_key("s", TensorSlice())), "0073000100");
  const std::string odd("a\0\xff", 3);
  EXPECT_EQ(hex(slice_key(odd, TensorSlice())), "006100ffff00000100");
  const std::pair<std::int64_t, const char*> kNumbers[] = {
      {0, "80"},
      {1, "81"},
      {63, "bf"},
      {64, "c040"},
      {100, "c064"},
      {8191, "dfff"},
      {8192, "e02000"},
      {(std::int64_t{1} << 62) - 2, "ffbffffffffffffffe"},
      {std::numeric_limits<std::int64_t>::max() - 1, "ffc07ffffffffffffffe"}};
  for (const auto& [number, code] : kNumbers)
    EXPECT_EQ(hex(slice_key("", TensorSlice({{number, 1}}))), str_cat("0000010101", code, "81"))
        << number;
}

Region region(std::initializer_list<TensorSlice::Range> ranges) { return ranges; }

// Copies by index, one element after the other.
std::vector<int> plain_copy(const Shape& full, const Region& stored, const Region& wanted) {
  const auto contains = [](const Region& r, std::int64_t i, std::int64_t j, std::int64_t k) {
    const std::int64_t at[] = {i, j, k};
    for (std::size_t d = 0; d < 3; ++d)
      if (at[d] < r[d].start || at[d] >= r[d].start + r[d].length) return false;
    return true;
  };
  std::vector<int> result;
  for (std::int64_t i = 0; i < full[0]; ++i)
    for (std::int64_t j = 0; j < full[1]; ++j)
      for (std::int64_t k = 0; k < full[2]; ++k)
        if (contains(wanted, i, j, k))
          result.push_back(
              contains(stored, i, j, k) ? static_cast<int>((i * full[1] + j) * full[2] + k) : -1);
  return result;
}

TEST(SliceCopy, agrees_with_a_plain_copy_however_the_bytes_come) {
  const Shape full{4, 3, 5};
  const Region regions[] = {region({{0, 4}, {0, 3}, {0, 5}}), region({{1, 2}, {0, 3}, {0, 5}}),
                            region({{0, 3}, {1, 2}, {0, 5}}), region({{0, 4}, {0, 3}, {2, 2}}),
                            region({{2, 2}, {1, 1}, {1, 4}}), region({{0, 4}, {1, 1}, {0, 5}})};
  for (const Region& stored : regions) {
    const auto bytes_of = plain_copy(full, stored, stored);
    const std::span<const char> bytes(reinterpret_cast<const char*>(bytes_of.data()),
                                      bytes_of.size() * sizeof(int));
    for (const Region& wanted : regions) {
      const auto expected = plain_copy(full, stored, wanted);
      for (const std::size_t piece : {std::size_t{3}, std::size_t{16}, bytes.size()}) {
        std::vector<int> found(expected.size(), -1);
        SliceCopy copy(stored, wanted, sizeof(int), reinterpret_cast<char*>(found.data()));
        for (std::size_t at = 0; at < bytes.size(); at += piece)
          copy.feed(at, bytes.subspan(at, std::min(piece, bytes.size() - at)));
        EXPECT_EQ(found, expected);
      }
    }
  }
}

TEST(SliceCopy, finds_the_parts_of_what_is_wanted) {
  const Shape full{10, 4};
  const auto slices = [](std::initializer_list<const char*> texts) {
    std::vector<TensorSlice> result;
    for (const char* text : texts) result.push_back(TensorSlice::parse(text));
    return result;
  };
  const auto halves = slices({"5,5:0,4", "0,5:0,4"});
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(parts_for("t", full, halves, TensorSlice::parse("0,5:0,4")), Numbers{1});
  EXPECT_EQ(parts_for("t", full, halves, TensorSlice::parse("1,2:-")), Numbers{1});
  EXPECT_EQ(parts_for("t", full, halves, TensorSlice::whole(2)), (Numbers{1, 0}));
  EXPECT_EQ(error_of([&] { parts_for("t", full, slices({"0,5:0,4"}), TensorSlice::whole(2)); }),
            "InvalidArgument: Does not have sufficient slices for partitioned tensor t to restore "
            "in slice_spec: -:-");
  EXPECT_TRUE(error_of([&] {
                parts_for("t", full, slices({"0,5:-", "4,5:-"}), TensorSlice::whole(2));
              }).starts_with("Internal: Overlapping slices of tensor t"));
  EXPECT_TRUE(error_of([&] {
                parts_for("t", full, slices({"0,5:-", "5,6:-"}), TensorSlice::whole(2));
              }).starts_with("InvalidArgument: Extent in dimension 0 out of bounds"));
}

}  // namespace
}  // namespace rill
