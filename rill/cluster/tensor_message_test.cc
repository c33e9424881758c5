#include "rill/cluster/tensor_message.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

std::string bytes_of(const TensorMessage& message, std::int64_t micros = 1000) {
  const WrittenTensor written = write_tensor_message(message, micros);
  return written.head + std::string(written.body);
}

TensorMessage read(std::string_view bytes, int block = -1) {
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()),
                                                block);
  return read_tensor_message(stream);
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[(byte >> 4) & 15];
    text += kDigits[byte & 15];
  }
  return text;
}

TEST(TensorMessage, bytes_are_tensorflows) {
  EXPECT_EQ(hex(bytes_of({Tensor::vector<float>({1, 2})})),
            "18e8070a1208011204120208022208"
            "0000803f00000040");
  EXPECT_EQ(hex(bytes_of({Tensor::scalar(1.0f)})), "18e8070a08080122040000803f");
  EXPECT_EQ(hex(bytes_of({.value = {}, .is_dead = true})), "100118e807");
}

TEST(TensorMessage, comes_back_however_it_is_cut) {
  const Tensor value = Tensor::of<std::int64_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const int block : {1, 3, 7, 1000}) {
    const TensorMessage back = read(bytes_of({value}), block);
    EXPECT_FALSE(back.is_dead);
    EXPECT_EQ(back.value.shape(), value.shape());
    EXPECT_TRUE(std::ranges::equal(back.value.flat<std::int64_t>(), value.flat<std::int64_t>()));
  }
  EXPECT_TRUE(read(bytes_of({.value = {}, .is_dead = true})).is_dead);
  EXPECT_EQ(read(bytes_of({Tensor::scalar(std::string("abc"))})).value.scalar_value<std::string>(),
            "abc");
}

TEST(TensorMessage, fields_in_any_order) {
  tensorflow::RecvTensorResponse response;
  response.mutable_tensor()->set_dtype(tensorflow::DT_FLOAT);
  response.mutable_tensor()->add_float_val(3);
  EXPECT_EQ(read(response.SerializeAsString()).value.scalar_value<float>(), 3);
  // The content before the type.
  EXPECT_EQ(read(std::string_view("\x0a\x08\x22\x04\x00\x00\x80\x3f\x08\x01", 10))
                .value.scalar_value<float>(),
            1);
}

TEST(TensorMessage, what_is_broken_is_refused) {
  const std::string whole = bytes_of({Tensor::vector<float>({1, 2, 3})}, 0);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(read(std::string_view(whole).substr(0, size)), Error) << size;
  std::string other = whole;
  other[other.size() - 13] = 11;  // bytes that do not fill the shape
  EXPECT_THROW(read(other), Error);
}

}  // namespace
}  // namespace rill::cluster
