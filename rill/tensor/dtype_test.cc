#include "rill/tensor/dtype.h"

#include <gtest/gtest.h>

#include "rill/tensor/dtype_visit.h"

namespace rill {
namespace {

struct Row {
  int number;
  const char *name, *numpy_name, *proto_name;
  std::size_t size;
};

// Number, OpDef name, NumPy name and size of every type of plain numbers.
constexpr Row kRows[] = {
    {1, "float", "float32", "DT_FLOAT", 4},
    {2, "double", "float64", "DT_DOUBLE", 8},
    {3, "int32", "int32", "DT_INT32", 4},
    {4, "uint8", "uint8", "DT_UINT8", 1},
    {5, "int16", "int16", "DT_INT16", 2},
    {6, "int8", "int8", "DT_INT8", 1},
    {8, "complex64", "complex64", "DT_COMPLEX64", 8},
    {9, "int64", "int64", "DT_INT64", 8},
    {10, "bool", "bool", "DT_BOOL", 1},
    {11, "qint8", "qint8", "DT_QINT8", 1},
    {12, "quint8", "quint8", "DT_QUINT8", 1},
    {13, "qint32", "qint32", "DT_QINT32", 4},
    {14, "bfloat16", "bfloat16", "DT_BFLOAT16", 2},
    {15, "qint16", "qint16", "DT_QINT16", 2},
    {16, "quint16", "quint16", "DT_QUINT16", 2},
    {17, "uint16", "uint16", "DT_UINT16", 2},
    {18, "complex128", "complex128", "DT_COMPLEX128", 16},
    {19, "half", "float16", "DT_HALF", 2},
    {22, "uint32", "uint32", "DT_UINT32", 4},
    {23, "uint64", "uint64", "DT_UINT64", 8},
};

TEST(DType, table) {
  for (const Row& row : kRows) {
    const auto dtype = static_cast<DType>(row.number);
    EXPECT_EQ(dtype_name(dtype), row.name);
    EXPECT_EQ(numpy_name(dtype), row.numpy_name);
    EXPECT_EQ(element_size(dtype), row.size);
    EXPECT_TRUE(is_trivial(dtype));
    for (const char* spelling : {row.name, row.numpy_name, row.proto_name}) {
      DType parsed = DType::invalid;
      EXPECT_TRUE(parse_dtype(spelling, &parsed)) << spelling;
      EXPECT_EQ(parsed, dtype) << spelling;
    }
  }
}

TEST(DType, references) {
  EXPECT_EQ(dtype_name(ref_type(DType::f32)), "float_ref");
  EXPECT_EQ(base_type(ref_type(DType::u64)), DType::u64);
  EXPECT_EQ(ref_type(ref_type(DType::u64)), ref_type(DType::u64));
  DType parsed = DType::invalid;
  EXPECT_TRUE(parse_dtype("DT_FLOAT_REF", &parsed));
  EXPECT_EQ(parsed, ref_type(DType::f32));
  EXPECT_TRUE(kFloatTypes.contains(ref_type(DType::f32)));
}

TEST(DType, invalid_types) {
  DType parsed = DType::f32;
  for (const char* bad : {"", "flot", "object", "invalid", "DT_", "_ref", "FLOAT"})
    EXPECT_FALSE(parse_dtype(bad, &parsed)) << bad;
  for (const int number : {0, 24, 100, 124, 255}) {
    EXPECT_FALSE(is_valid(static_cast<DType>(number))) << number;
    EXPECT_EQ(element_size(static_cast<DType>(number)), 0u) << number;
  }
}

TEST(DType, visiting_gives_the_type_of_the_elements) {
  for (int i = 1; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    visit_dtype(dtype, [&]<class T>() {
      EXPECT_EQ(dtype_of<T>, dtype);
      EXPECT_EQ(sizeof(T), element_size(dtype));
      EXPECT_TRUE(kAllTypes.contains(dtype));
    });
  }
  EXPECT_THROW(visit_dtype(ref_type(DType::f32), []<class T>() {}), Error);
}

TEST(DType, sets) {
  EXPECT_TRUE(kIntTypes.contains(DType::u16));
  EXPECT_FALSE((kIntTypes - TypeSet(DType::u16)).contains(DType::u16));
  EXPECT_TRUE((kFloatTypes & kIntTypes).empty());
  for (const DType dtype : {DType::string, DType::resource, DType::variant})
    EXPECT_FALSE(is_trivial(dtype));
}

}  // namespace
}  // namespace rill
