#include "rill/tensor/tensor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rill/tensor/resource_handle.h"
#include "rill/tensor/variant.h"

namespace rill {
namespace {

TEST(Tensor, copies_share_and_clones_do_not) {
  const Tensor a = Tensor::vector<float>({1, 2, 3});
  EXPECT_TRUE(a.is_exclusive());
  const Tensor b = a;
  EXPECT_TRUE(a.shares_storage(b));
  EXPECT_FALSE(a.is_exclusive());
  const Tensor c = a.clone();
  EXPECT_FALSE(a.shares_storage(c));
  EXPECT_TRUE(identical(a, c));
  b.data<float>()[0] = 9;
  EXPECT_EQ(a.data<float>()[0], 9);
  EXPECT_FALSE(identical(a, c));
}

TEST(Tensor, moved_from_tensors_are_empty) {
  Tensor a = Tensor::vector<float>({1, 2, 3});
  Tensor b = std::move(a);
  EXPECT_TRUE(b.is_exclusive());
  EXPECT_FALSE(a.has_value());  // NOLINT: this is what is tested
  EXPECT_EQ(a.raw_data(), nullptr);
  EXPECT_EQ(a.element_count(), 1);
  a = std::move(b);
  EXPECT_EQ(a.element_count(), 3);
  EXPECT_FALSE(b.has_value());  // NOLINT
  Tensor& self = a;
  a = std::move(self);
  EXPECT_EQ(a.element_count(), 3);
}

TEST(Tensor, slices_and_reshapes_alias) {
  const Tensor a = Tensor::of<std::int32_t>({3, 2}, {0, 1, 2, 3, 4, 5});
  const Tensor row = a.slice(1, 2);
  EXPECT_EQ(row.shape(), Shape({1, 2}));
  EXPECT_TRUE(row.shares_storage(a));
  row.data<std::int32_t>()[0] = 20;
  EXPECT_EQ(a.reshaped({6}).data<std::int32_t>()[2], 20);
  EXPECT_EQ(a.slice(3, 3).element_count(), 0);
  EXPECT_TRUE(identical(row.clone(), Tensor::of<std::int32_t>({1, 2}, {20, 3})));
  EXPECT_EQ(Tensor(DType::f32, {0, 4}).slice(0, 0).shape(), Shape({0, 4}));
}

TEST(Tensor, the_storage_outlives_the_tensor_it_came_from) {
  Tensor row;
  {
    const Tensor a = Tensor::of<std::string>({2}, {"first", std::string(100, 'x')});
    row = a.slice(1, 2);
  }
  EXPECT_EQ(row.data<std::string>()[0], std::string(100, 'x'));
  EXPECT_TRUE(row.is_exclusive());
}

TEST(Tensor, refuses_what_does_not_fit) {
  const Tensor a = Tensor::of<float>({3, 2}, {0, 1, 2, 3, 4, 5});
  EXPECT_THROW(a.slice(-1, 2), Error);
  EXPECT_THROW(a.slice(2, 1), Error);
  EXPECT_THROW(a.slice(0, 4), Error);
  EXPECT_THROW(Tensor::scalar(1.0f).slice(0, 0), Error);
  EXPECT_THROW(a.reshaped({7}), Error);
  EXPECT_THROW(a.data<double>(), Error);
  EXPECT_THROW(a.scalar_value<float>(), Error);
  EXPECT_THROW(Tensor::of<float>({2}, {1, 2, 3}), Error);
  EXPECT_THROW(Tensor(DType::invalid, {1}), Error);
  EXPECT_THROW(Tensor(ref_type(DType::f32), {1}), Error);
  EXPECT_THROW(Tensor(static_cast<DType>(77), {1}), Error);
}

TEST(Tensor, bitcast_sees_the_same_bytes) {
  const Tensor a = Tensor::vector<float>({1, 2});
  const Tensor bits = a.bitcast(DType::u32, {2});
  EXPECT_TRUE(bits.shares_storage(a));
  EXPECT_EQ(bits.data<std::uint32_t>()[0], 0x3f800000u);
  EXPECT_EQ(a.bitcast(DType::u8, {2, 4}).element_count(), 8);
  EXPECT_THROW(a.bitcast(DType::f64, {2}), Error);
  EXPECT_THROW(a.bitcast(DType::string, {1}), Error);
}

TEST(Tensor, bitcast_of_an_unaligned_slice_copies) {
  const Tensor bytes = Tensor::vector<std::uint8_t>({9, 0, 0, 128, 63, 0, 0, 0, 64});
  const Tensor floats = bytes.slice(1, 9).bitcast(DType::f32, {2});
  EXPECT_FALSE(floats.shares_storage(bytes));
  EXPECT_TRUE(identical(floats, Tensor::vector<float>({1, 2})));
}

TEST(Tensor, objects_are_constructed_copied_and_destroyed) {
  const auto counted = std::make_shared<const int>(5);
  {
    Tensor a(DType::variant, {3});
    EXPECT_TRUE(a.data<Variant>()[2].empty());
    a.data<Variant>()[1] = Variant("int", counted);
    const Tensor b = a.clone();
    EXPECT_EQ(counted.use_count(), 3);
    EXPECT_EQ(*b.data<Variant>()[1].get<int>(), 5);
    EXPECT_EQ(b.data<Variant>()[1].get<float>(), nullptr);
  }
  EXPECT_EQ(counted.use_count(), 1);
  EXPECT_EQ(Tensor(DType::resource, {2}).data<ResourceHandle>()[1].name, "");
  EXPECT_EQ(Tensor::zeros(DType::string, {2}).data<std::string>()[1], "");
}

TEST(Tensor, borrowed_storage_is_released_once_and_never_exclusive) {
  int released = 0;
  float values[] = {1, 2};
  {
    const Tensor a(DType::f32, {2},
                   BufferRef(Buffer::borrow(
                       values, sizeof values, [&] { ++released; }, false)),
                   values);
    EXPECT_FALSE(a.is_exclusive());
    const Tensor b = a.slice(1, 2);
    EXPECT_EQ(b.data<float>(), values + 1);
    EXPECT_TRUE(a.clone().is_exclusive());
  }
  EXPECT_EQ(released, 1);
}

TEST(Tensor, nothing_and_empty) {
  const Tensor nothing{};
  EXPECT_FALSE(nothing.has_value());
  EXPECT_FALSE(nothing.clone().has_value());
  EXPECT_FALSE(nothing.is_exclusive());
  const Tensor empty(DType::f32, {0});
  EXPECT_TRUE(empty.has_value());
  EXPECT_TRUE(identical(empty, empty.clone()));
  EXPECT_FALSE(identical(empty, nothing));
}

TEST(Tensor, identical_compares_bits) {
  EXPECT_TRUE(identical(Tensor::scalar(NAN), Tensor::scalar(NAN)));
  EXPECT_FALSE(identical(Tensor::scalar(0.0f), Tensor::scalar(-0.0f)));
  EXPECT_FALSE(identical(Tensor::vector<float>({1}), Tensor::scalar(1.0f)));
  EXPECT_FALSE(identical(Tensor::scalar(1), Tensor::scalar(1u)));
  EXPECT_TRUE(identical(Tensor::vector<std::string>({"a"}), Tensor::vector<std::string>({"a"})));
}

}  // namespace
}  // namespace rill
