#include "rill/tensor/tensor_proto.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "rill/tensor/base128.h"
#include "rill/tensor/dtype_visit.h"
#include "rill/tensor/list_value.h"
#include "rill/tensor/ragged_value.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {
namespace {

using google::protobuf::TextFormat;
using tensorflow::TensorProto;
using tensorflow::TensorShapeProto;

TensorProto parse(const std::string& text) {
  TensorProto proto;
  EXPECT_TRUE(TextFormat::ParseFromString(text, &proto)) << text;
  return proto;
}

Tensor read(const std::string& text) { return from_proto(parse(text)); }

std::string written(const Tensor& tensor, ProtoForm form = ProtoForm::constant) {
  TensorProto proto;
  to_proto(tensor, &proto, form);
  return proto.ShortDebugString();
}

Code code_of(const std::string& text) {
  try {
    read(text);
    return Code::kOk;
  } catch (const Error& error) {
    return error.code();
  }
}

void expect_invalid(const std::string& text) {
  EXPECT_EQ(code_of(text), Code::kInvalidArgument) << text;
}

template <class T>
Tensor sample(std::int64_t count) {
  Tensor t(dtype_of<T>, {count});
  std::vector<unsigned char> bytes(t.byte_size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(std::is_same_v<T, bool> ? i % 2 : i * 7 + 1);
  if (!bytes.empty()) std::memcpy(t.raw_data(), bytes.data(), bytes.size());
  return t;
}

// The texts below are what make_tensor_proto of TensorFlow writes.
TEST(TensorProto, writes_constants_as_python_does) {
  EXPECT_EQ(written(Tensor::scalar(1.0f)), "dtype: DT_FLOAT tensor_shape { } float_val: 1");
  EXPECT_EQ(written(Tensor::vector<std::int8_t>({1})),
            "dtype: DT_INT8 tensor_shape { dim { size: 1 } } int_val: 1");
  EXPECT_EQ(written(Tensor::vector<std::int16_t>({1, 0, 1})),
            "dtype: DT_INT16 tensor_shape { dim { size: 3 } } "
            "tensor_content: \"\\001\\000\\000\\000\\001\\000\"");
  EXPECT_EQ(written(Tensor::vector<half>({half(1), half(0)})),
            "dtype: DT_HALF tensor_shape { dim { size: 2 } } tensor_content: \"\\000<\\000\\000\"");
  EXPECT_EQ(written(Tensor::scalar(half(-0.0f))),
            "dtype: DT_HALF tensor_shape { } half_val: 32768");
  EXPECT_EQ(written(Tensor::scalar(bfloat16(-1.5f))),
            "dtype: DT_BFLOAT16 tensor_shape { } half_val: 49088");
  EXPECT_EQ(written(Tensor(DType::f64, {0})), "dtype: DT_DOUBLE tensor_shape { dim { } }");
}

TEST(TensorProto, writes_bool_uint16_complex_and_string_arrays_as_lists) {
  EXPECT_EQ(written(Tensor::vector<bool>({true, false})),
            "dtype: DT_BOOL tensor_shape { dim { size: 2 } } bool_val: true bool_val: false");
  EXPECT_EQ(written(Tensor::vector<std::uint16_t>({1, 65535})),
            "dtype: DT_UINT16 tensor_shape { dim { size: 2 } } int_val: 1 int_val: 65535");
  EXPECT_EQ(written(Tensor::scalar(std::complex<float>(1, 2))),
            "dtype: DT_COMPLEX64 tensor_shape { } scomplex_val: 1 scomplex_val: 2");
  EXPECT_EQ(
      written(Tensor::vector<std::string>({"a", "b"})),
      "dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: \"a\" string_val: \"b\"");
}

TEST(TensorProto, content_form_is_raw_even_for_one_element) {
  EXPECT_EQ(written(Tensor::scalar(half(1)), ProtoForm::content),
            "dtype: DT_HALF tensor_shape { } tensor_content: \"\\000<\"");
  EXPECT_EQ(written(Tensor::scalar(std::string("a")), ProtoForm::content),
            "dtype: DT_STRING tensor_shape { } string_val: \"a\"");
}

TEST(TensorProto, compact_form_writes_a_repeated_last_value_once) {
  EXPECT_EQ(written(Tensor::of<float>({2, 2}, {1, 2, 2, 2}), ProtoForm::compact),
            "dtype: DT_FLOAT tensor_shape { dim { size: 2 } dim { size: 2 } } "
            "float_val: 1 float_val: 2");
  EXPECT_EQ(written(Tensor::zeros(DType::i64, {9}), ProtoForm::compact),
            "dtype: DT_INT64 tensor_shape { dim { size: 9 } }");
  const Tensor signed_zeros = Tensor::vector<float>({0, 0, -0.0f, -0.0f, -0.0f});
  TensorProto proto;
  to_proto(signed_zeros, &proto, /*compact=*/true);
  EXPECT_TRUE(identical(from_proto(proto), signed_zeros));
}

TEST(TensorProto, every_numeric_type_survives_every_form) {
  for (int i = 1; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!is_trivial(dtype)) continue;
    visit_dtype(dtype, [&]<class T>() {
      for (const int count : {0, 1, 5})
        for (auto form :
             {ProtoForm::constant, ProtoForm::content, ProtoForm::fields, ProtoForm::compact}) {
          const Tensor before = sample<T>(count);
          TensorProto proto;
          to_proto(before, &proto, form);
          TensorProto parsed;
          ASSERT_TRUE(parsed.ParseFromString(proto.SerializeAsString()));
          EXPECT_TRUE(identical(from_proto(parsed), before)) << dtype_name(dtype) << count;
        }
    });
  }
}

TEST(TensorProto, short_lists_repeat_their_last_value) {
  EXPECT_TRUE(identical(read("dtype: DT_FLOAT tensor_shape { dim { size: 3 } } "
                             "float_val: 1 float_val: 2"),
                        Tensor::vector<float>({1, 2, 2})));
  EXPECT_TRUE(identical(read("dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: 'a'"),
                        Tensor::vector<std::string>({"a", "a"})));
  EXPECT_TRUE(identical(read("dtype: DT_COMPLEX64 tensor_shape { dim { size: 2 } } "
                             "scomplex_val: 1 scomplex_val: 2"),
                        Tensor::vector<std::complex<float>>({{1, 2}, {1, 2}})));
  EXPECT_TRUE(identical(read("dtype: DT_INT32 tensor_shape { dim { size: 2 } }"),
                        Tensor::vector<std::int32_t>({0, 0})));
  EXPECT_EQ(read("dtype: DT_FLOAT tensor_shape { dim { size: 0 } } float_val: 1").shape(),
            Shape({0}));
}

TEST(TensorProto, numbers_wrap_into_small_types) {
  EXPECT_TRUE(identical(read("dtype: DT_INT8 tensor_shape { dim { size: 2 } } "
                             "int_val: 300 int_val: -1"),
                        Tensor::vector<std::int8_t>({44, -1})));
}

TEST(TensorProto, reads_strings_from_content) {
  EXPECT_TRUE(identical(
      read("dtype: DT_STRING tensor_shape { dim { size: 2 } } tensor_content: '\\001\\002abb'"),
      Tensor::vector<std::string>({"a", "bb"})));
  expect_invalid(
      "dtype: DT_STRING tensor_shape { dim { size: 2 } } tensor_content: '\\001\\003abb'");
  expect_invalid(
      "dtype: DT_STRING tensor_shape { dim { size: 2 } } tensor_content: '\\001\\001abb'");
  expect_invalid("dtype: DT_STRING tensor_shape { dim { size: 2 } } tensor_content: '\\201\\201'");
  expect_invalid(
      "dtype: DT_STRING tensor_content: "
      "'\\377\\377\\377\\377\\377\\377\\377\\377\\377\\377\\001'");
}

TEST(TensorProto, refuses_values_that_do_not_fit_the_shape) {
  expect_invalid("dtype: DT_FLOAT tensor_shape { dim { size: 1 } } float_val: 1 float_val: 2");
  expect_invalid("dtype: DT_COMPLEX64 tensor_shape { dim { size: 2 } } scomplex_val: [1, 2, 3]");
  expect_invalid("dtype: DT_FLOAT tensor_shape { dim { size: 2 } } tensor_content: 'abc'");
  expect_invalid("dtype: DT_BOOL tensor_shape { dim { size: 2 } } tensor_content: '\\001\\002'");
  expect_invalid("dtype: DT_RESOURCE tensor_content: 'abc'");
}

TEST(TensorProto, refuses_bad_types_and_shapes) {
  expect_invalid("");
  expect_invalid("dtype: DT_FLOAT_REF float_val: 1");
  for (const int number : {-1, 24, 100, 124, 201, 257, 1 << 30}) {
    TensorProto proto;
    proto.set_dtype(static_cast<tensorflow::DataType>(number));
    EXPECT_THROW(from_proto(proto), Error) << number;
  }
  expect_invalid("dtype: DT_FLOAT tensor_shape { dim { size: -1 } } float_val: 1");
  expect_invalid(
      "dtype: DT_FLOAT tensor_shape { dim { size: 10000000000 } "
      "dim { size: 10000000000 } } float_val: 1");
  TensorProto deep;
  deep.set_dtype(tensorflow::DT_FLOAT);
  for (int i = 0; i < 255; ++i) deep.mutable_tensor_shape()->add_dim()->set_size(1);
  EXPECT_THROW(from_proto(deep), Error);
}

TEST(TensorProto, small_messages_cannot_exhaust_memory) {
  for (const char* size : {"1000000000000000", "4611686018427387904", "9223372036854775807"})
    for (const char* value : {"dtype: DT_FLOAT float_val: 1", "dtype: DT_COMPLEX128",
                              "dtype: DT_STRING string_val: 'a'", "dtype: DT_RESOURCE"})
      EXPECT_EQ(code_of(std::string(value) + " tensor_shape { dim { size: " + size + " } }"),
                Code::kResourceExhausted);
  TensorProto proto = parse("dtype: DT_STRING tensor_shape { dim { size: 1000000 } }");
  proto.add_string_val(std::string(10 << 20, 'x'));
  try {
    from_proto(proto);
    FAIL() << "ten terabytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kResourceExhausted);
  }
}

TEST(TensorProto, handles_keep_their_parts) {
  const ResourceHandle handle{
      .device = "/cpu:0", .container = "c", .name = "n", .type_name = "Var", .type_hash = 7};
  TensorProto proto;
  to_proto(Tensor::scalar(handle), &proto);
  const Tensor read_back = from_proto(proto);
  const auto& again = read_back.scalar_value<ResourceHandle>();
  EXPECT_EQ(again.device, "/cpu:0");
  EXPECT_EQ(again.container, "c");
  EXPECT_EQ(again.name, "n");
  EXPECT_EQ(again.type_name, "Var");
  EXPECT_EQ(again.type_hash, 7u);
}

// The list of [[1], [2]] and two elements without a value, as TensorFlow's SerializeTensor wrote
// it.
const std::string kListByTensorFlow = {
    "\x48\x0a\x16tensorflow::TensorList\x12\x16\x02\x01\x02\x01\x07\x12\x02\x08\x02\x12\x0b\x08"
    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x1a\x16\x08\x01\x12\x08\x12\x02\x08\x02\x12\x02\x08"
    "\x01\x2a\x08\x00\x00\x80\x3f\x00\x00\x00\x40",
    73};

TEST(TensorProto, lists_are_tensorflows) {
  TensorProto proto;
  proto.set_dtype(tensorflow::DT_VARIANT);
  proto.mutable_tensor_shape();
  proto.set_tensor_content(kListByTensorFlow);
  const Tensor read = from_proto(proto);
  const auto* list = read.scalar_value<Variant>().get<ListValue>();
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->dtype, DType::f32);
  EXPECT_EQ(list->most, 7);
  EXPECT_EQ(list->element_shape, (PartialShape{2, kUnknownDim}));
  ASSERT_EQ(list->elements.size(), 3u);
  EXPECT_TRUE(identical(list->elements[0], Tensor::of<float>({2, 1}, {1, 2})));
  EXPECT_FALSE(list->elements[1].has_value());
  TensorProto written;
  to_proto(read, &written);
  ASSERT_EQ(written.variant_val_size(), 1);
  EXPECT_EQ(written.variant_val(0).SerializeAsString(), kListByTensorFlow.substr(1));
}

TEST(TensorProto, variants_of_tensors) {
  Tensor both(DType::variant, {2});
  both.data<Variant>()[0] = to_variant(Tensor::of<float>({2}, {1, 2}));
  both.data<Variant>()[1] = to_variant(
      RaggedValue{{Tensor::vector<std::int64_t>({0, 2, 3})}, Tensor::of<float>({3}, {1, 2, 3})});
  TensorProto proto;
  to_proto(both, &proto);
  EXPECT_EQ(proto.variant_val(0).type_name(), "tensorflow::Tensor");
  EXPECT_EQ(proto.variant_val(1).tensors_size(), 2);
  const Tensor read = from_proto(proto);
  const auto* tensor = read.data<Variant>()[0].get<Tensor>();
  ASSERT_NE(tensor, nullptr);
  EXPECT_TRUE(identical(*tensor, Tensor::of<float>({2}, {1, 2})));
  const auto* ragged = read.data<Variant>()[1].get<RaggedValue>();
  ASSERT_NE(ragged, nullptr);
  EXPECT_TRUE(identical(ragged->values, Tensor::of<float>({3}, {1, 2, 3})));
  EXPECT_TRUE(identical(ragged->splits.at(0), Tensor::vector<std::int64_t>({0, 2, 3})));
}

TEST(TensorProto, broken_ragged_tensors_are_refused) {
  const auto message = [](std::vector<std::int64_t> splits) {
    TensorProto proto;
    proto.set_dtype(tensorflow::DT_VARIANT);
    proto.mutable_tensor_shape();
    auto* ragged = proto.add_variant_val();
    ragged->set_type_name(RaggedValue::kTypeName);
    Tensor given(DType::i64, {static_cast<std::int64_t>(splits.size())});
    std::copy(splits.begin(), splits.end(), given.data<std::int64_t>());
    to_proto(given, ragged->add_tensors());
    to_proto(Tensor::of<float>({3}, {1, 2, 3}), ragged->add_tensors());
    return proto;
  };
  EXPECT_NO_THROW(from_proto(message({0, 0, 3})));
  for (const std::vector<std::int64_t>& bad :
       {std::vector<std::int64_t>{}, {0}, {0, 4}, {1, 3}, {0, 3, 2, 3}, {-1, 3}})
    EXPECT_THROW(from_proto(message(bad)), Error) << bad.size();
  TensorProto without = message({0, 3});
  without.mutable_variant_val(0)->clear_tensors();
  EXPECT_THROW(from_proto(without), Error);
}

TEST(TensorProto, broken_lists_are_refused) {
  const auto message = [](const std::string& metadata) {
    TensorProto proto;
    proto.set_dtype(tensorflow::DT_VARIANT);
    proto.add_variant_val()->set_type_name("tensorflow::TensorList");
    proto.mutable_variant_val(0)->set_metadata(metadata);
    return proto;
  };
  EXPECT_EQ(from_proto(message({"\x00\x01\x05", 3})).scalar_value<Variant>().get<ListValue>()->most,
            5);
  for (const std::string& bad :
       {std::string(), std::string("\xff"), std::string("\xff\xff\xff\x7f\x01"),
        std::string("\x01\x05\x01\x01"), std::string("\x02\x01\x00\x01\x01", 5),
        std::string("\x00\xff\x7f\x01", 4), std::string("\x00\x01\x01\xff", 4)})
    EXPECT_THROW(from_proto(message(bad)), Error) << bad.size();
  TensorProto mixed = message({"\x00\x01\x05", 3});
  to_proto(Tensor::scalar(std::int32_t{3}), mixed.mutable_variant_val(0)->add_tensors());
  EXPECT_THROW(from_proto(mixed), Error);
}

TEST(TensorProto, bytes_do_not_nest_without_end) {
  TensorProto proto;
  proto.set_dtype(tensorflow::DT_VARIANT);
  for (int depth = 0; depth < 100; ++depth) {
    tensorflow::VariantTensorDataProto list;
    list.set_type_name("tensorflow::TensorList");
    list.set_metadata(std::string("\x00\x15\x01", 3));
    if (depth > 0) *list.add_tensors() = proto;
    const std::string bytes = list.SerializeAsString();
    std::string content;
    append_base128(bytes.size(), &content);
    proto.set_tensor_content(content + bytes);
    if (depth == 20) {
      EXPECT_EQ(from_proto(proto).dtype(), DType::variant);
    }
  }
  EXPECT_THROW(from_proto(proto), Error);
}

TEST(TensorProto, variants_are_written_as_they_came) {
  const std::string text =
      "dtype: DT_VARIANT tensor_shape { } variant_val { type_name: \"T\" "
      "metadata: \"m\" }";
  EXPECT_EQ(written(read(text)), text);
  const Tensor own = Tensor::scalar(Variant("Own", std::make_shared<const int>(3)));
  EXPECT_THROW(written(own), Error);
}

TEST(ShapeProto, round_trips_and_refuses) {
  for (const PartialShape& shape : {PartialShape(), PartialShape({}), PartialShape({2, -1, 0})}) {
    TensorShapeProto proto;
    to_proto(shape, &proto);
    EXPECT_EQ(shape_from_proto(proto), shape);
  }
  TensorShapeProto proto;
  proto.add_dim()->set_size(-2);
  EXPECT_THROW(shape_from_proto(proto), Error);
  proto.mutable_dim(0)->set_size(1);
  proto.set_unknown_rank(true);
  EXPECT_THROW(shape_from_proto(proto), Error);
}

}  // namespace
}  // namespace rill
