#include "rill/tensor/dlpack.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rill {
namespace {

using namespace dlpack;

// An array lent by somebody else; counts how often it was given back.
struct Lender {
  std::vector<float> data = {0, 1, 2, 3, 4, 5};
  std::vector<std::int64_t> shape = {2, 3}, strides;
  int returned = 0;
  ManagedTensor managed{};

  Lender() {
    managed.array = {.data = data.data(),
                     .device = {DeviceType::cpu, 0},
                     .rank = 2,
                     .dtype = {TypeCode::floating, 32, 1},
                     .shape = shape.data()};
    managed.context = this;
    managed.deleter = [](ManagedTensor* self) { ++static_cast<Lender*>(self->context)->returned; };
  }
  void set_strides(std::vector<std::int64_t> values) {
    strides = std::move(values);
    managed.array.strides = strides.data();
  }
  Code code() {
    try {
      from_dlpack(&managed);
      return Code::kOk;
    } catch (const Error& error) {
      return error.code();
    }
  }
};

TEST(DLPack, lends_without_copying_and_keeps_the_storage_alive) {
  Tensor tensor = Tensor::of<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  const void* data = tensor.raw_data();
  ManagedTensor* lent = to_dlpack(tensor);
  EXPECT_FALSE(tensor.is_exclusive());
  tensor = Tensor();
  EXPECT_EQ(lent->array.data, data);
  EXPECT_EQ(lent->array.rank, 2);
  EXPECT_EQ(lent->array.shape[1], 3);
  EXPECT_EQ(lent->array.strides[0], 3);
  EXPECT_EQ(lent->array.strides[1], 1);
  EXPECT_EQ(static_cast<float*>(lent->array.data)[5], 5);
  lent->deleter(lent);
}

TEST(DLPack, every_type_goes_out_and_comes_back) {
  for (const DType dtype : {DType::boolean, DType::i8, DType::i16, DType::i32, DType::i64,
                            DType::u8, DType::u16, DType::u32, DType::u64, DType::f16, DType::bf16,
                            DType::f32, DType::f64, DType::c64, DType::c128}) {
    const Tensor tensor = Tensor::zeros(dtype, {3});
    const Tensor again = from_dlpack(to_dlpack(tensor));
    EXPECT_EQ(again.dtype(), dtype);
    EXPECT_EQ(again.raw_data(), tensor.raw_data());
    EXPECT_TRUE(identical(from_dlpack(to_dlpack_versioned(tensor)), tensor));
  }
  for (const DType dtype : {DType::string, DType::qi8, DType::resource, DType::variant})
    EXPECT_THROW(to_dlpack(Tensor(dtype, {1})), Error);
  EXPECT_THROW(to_dlpack(Tensor()), Error);
}

TEST(DLPack, type_codes) {
  const auto code = [](DType dtype) {
    ManagedTensor* lent = to_dlpack(Tensor::zeros(dtype, {}));
    const DataType type = lent->array.dtype;
    lent->deleter(lent);
    return std::pair(static_cast<int>(type.code), int{type.bits});
  };
  EXPECT_EQ(code(DType::boolean), std::pair(6, 8));
  EXPECT_EQ(code(DType::bf16), std::pair(4, 16));
  EXPECT_EQ(code(DType::c64), std::pair(5, 64));
  EXPECT_EQ(code(DType::c128), std::pair(5, 128));
  EXPECT_EQ(code(DType::f16), std::pair(2, 16));
}

TEST(DLPack, borrows_without_copying_and_gives_back_after_the_last_use) {
  Lender lender;
  {
    const Tensor tensor = from_dlpack(&lender.managed);
    EXPECT_EQ(tensor.raw_data(), lender.data.data());
    EXPECT_FALSE(tensor.is_exclusive());
    const Tensor row = tensor.slice(1, 2);
    EXPECT_EQ(row.data<float>()[0], 3);
  }
  EXPECT_EQ(lender.returned, 1);
}

TEST(DLPack, starts_at_the_byte_offset) {
  Lender lender;
  lender.managed.array.byte_offset = 4;
  lender.shape = {1, 5};
  lender.managed.array.shape = lender.shape.data();
  EXPECT_EQ(from_dlpack(&lender.managed).data<float>()[0], 1);
}

TEST(DLPack, strided_arrays_are_copied_and_given_back_at_once) {
  Lender lender;
  lender.shape = {3, 2};
  lender.managed.array.shape = lender.shape.data();
  lender.set_strides({1, 3});
  const Tensor transposed = from_dlpack(&lender.managed);
  EXPECT_EQ(lender.returned, 1);
  EXPECT_TRUE(identical(transposed, Tensor::of<float>({3, 2}, {0, 3, 1, 4, 2, 5})));
  lender.shape = {2, 2};
  lender.managed.array.byte_offset = 20;
  lender.set_strides({-3, -1});
  EXPECT_TRUE(identical(from_dlpack(&lender.managed), Tensor::of<float>({2, 2}, {5, 4, 2, 1})));
  lender.managed.array.byte_offset = 4;
  lender.set_strides({0, 0});
  EXPECT_TRUE(identical(from_dlpack(&lender.managed), Tensor::of<float>({2, 2}, {1, 1, 1, 1})));
}

TEST(DLPack, strides_of_single_rows_do_not_matter) {
  Lender lender;
  lender.shape = {1, 6};
  lender.managed.array.shape = lender.shape.data();
  lender.set_strides({777, 1});
  EXPECT_EQ(from_dlpack(&lender.managed).raw_data(), lender.data.data());
}

TEST(DLPack, unaligned_arrays_are_copied) {
  Lender lender;
  lender.shape = {1, 5};
  lender.managed.array.shape = lender.shape.data();
  lender.managed.array.byte_offset = 1;
  const Tensor tensor = from_dlpack(&lender.managed);
  EXPECT_EQ(lender.returned, 1);
  EXPECT_EQ(std::memcmp(tensor.raw_data(), reinterpret_cast<char*>(lender.data.data()) + 1, 20), 0);
}

TEST(DLPack, read_only_storage_is_marked_or_copied) {
  const float values[] = {1, 2};
  const Tensor constant(DType::f32, {2},
                        BufferRef(Buffer::borrow(const_cast<float*>(values), 8, {}, true)),
                        const_cast<float*>(values));
  ManagedTensorVersioned* versioned = to_dlpack_versioned(constant);
  EXPECT_EQ(versioned->flags, kReadOnly);
  EXPECT_EQ(versioned->array.data, values);
  EXPECT_TRUE(from_dlpack(versioned).buffer()->read_only());
  ManagedTensor* plain = to_dlpack(constant);
  EXPECT_NE(plain->array.data, values);
  plain->deleter(plain);
}

TEST(DLPack, refuses_what_it_cannot_hold_and_leaves_it_to_the_caller) {
  Lender lender;
  lender.managed.array.device.type = DeviceType::cuda;
  EXPECT_EQ(lender.code(), Code::kUnimplemented);
  lender.managed.array.device.type = static_cast<DeviceType>(-5);
  EXPECT_EQ(lender.code(), Code::kUnimplemented);
  lender.managed.array.device.type = DeviceType::cpu;
  lender.managed.array.dtype = {TypeCode::signed_int, 4, 1};
  EXPECT_EQ(lender.code(), Code::kUnimplemented);
  lender.managed.array.dtype = {TypeCode::floating, 32, 4};
  EXPECT_EQ(lender.code(), Code::kUnimplemented);
  lender.managed.array.dtype = {TypeCode::floating, 32, 1};
  lender.shape = {-1, 2};
  EXPECT_EQ(lender.code(), Code::kInvalidArgument);
  lender.managed.array.rank = -1;
  EXPECT_EQ(lender.code(), Code::kInvalidArgument);
  lender.managed.array.rank = 2;
  lender.managed.array.shape = nullptr;
  EXPECT_EQ(lender.code(), Code::kInvalidArgument);
  EXPECT_EQ(lender.returned, 0);
}

TEST(DLPack, names_the_device_it_refuses) {
  Lender lender;
  lender.managed.array.device.type = DeviceType::rocm;
  try {
    from_dlpack(&lender.managed);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("ROCm"), std::string::npos);
  }
}

TEST(DLPack, empty_arrays_and_scalars) {
  Lender lender;
  lender.shape = {2, 0};
  lender.managed.array.data = nullptr;
  EXPECT_EQ(from_dlpack(&lender.managed).shape(), Shape({2, 0}));
  const Tensor scalar = from_dlpack(to_dlpack(Tensor::scalar(std::int64_t{7})));
  EXPECT_EQ(scalar.scalar_value<std::int64_t>(), 7);
}

}  // namespace
}  // namespace rill
