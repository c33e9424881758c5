#include "rill/cluster/tensor_message.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

#include <optional>

#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;

constexpr std::uint32_t kBytes = WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
constexpr std::uint32_t kVarint = WireFormatLite::WIRETYPE_VARINT;
constexpr std::uint32_t tag(int field, std::uint32_t type) {
  return static_cast<std::uint32_t>(field) << 3 | type;
}
// Of RecvTensorResponse and of TensorProto.
constexpr std::uint32_t kTensor = tag(1, kBytes), kIsDead = tag(2, kVarint);
constexpr std::uint32_t kType = tag(1, kVarint), kShape = tag(2, kBytes), kContent = tag(4, kBytes);

// Whose bytes may be taken as they are. Those of bools are checked.
bool is_plain(DType type) { return is_trivial(type) && type != DType::boolean; }

[[noreturn]] void broken() { raise(Code::kInvalidArgument, "What came is no RecvTensorResponse"); }

// Reads a TensorProto, whose content goes to its place if type and shape are known by then.
class TensorReader {
 public:
  Tensor read(CodedInputStream& input) {
    StringOutputStream rest_bytes(&rest_);
    {
      CodedOutputStream rest(&rest_bytes);
      while (const std::uint32_t tag = input.ReadTag()) read_field(input, tag, rest);
    }
    if (input.BytesUntilLimit() > 0) broken();  // cut off
    if (content_) return std::move(*content_);
    tensorflow::TensorProto proto;
    if (!proto.ParseFromString(rest_)) broken();
    return from_proto(proto);
  }

 private:
  void read_field(CodedInputStream& input, std::uint32_t tag, CodedOutputStream& rest) {
    if (tag == kContent && read_content(input)) return;
    if (tag == kType) {
      if (!input.ReadVarint32(&type_)) broken();
      rest.WriteTag(tag);
      rest.WriteVarint32(type_);
    } else if (tag == kShape || tag == kContent) {
      std::string bytes;
      std::uint32_t size = 0;
      if (!input.ReadVarint32(&size) || !input.ReadString(&bytes, static_cast<int>(size))) broken();
      rest.WriteTag(tag);
      rest.WriteVarint32(size);
      rest.WriteString(bytes);
      if (tag == kShape && !shape_.ParseFromString(bytes)) broken();
    } else if (!WireFormatLite::SkipField(&input, tag, &rest)) {
      broken();
    }
  }

  // False: it is read as any other field.
  bool read_content(CodedInputStream& input) {
    if (type_ == 0) return false;
    const DType type = dtype_from_proto(static_cast<int>(type_));
    if (!is_plain(type)) return false;
    const std::optional<Shape> shape = shape_from_proto(shape_).full();
    std::uint32_t size = 0;
    if (!shape || !input.ReadVarint32(&size)) broken();
    require(size == shape->byte_size(element_size(type)), "A tensor of ", size,
            " bytes does not fill ", type, *shape);
    // Memory is asked for only as far as bytes have come.
    if (input.BytesUntilLimit() < static_cast<int>(size)) broken();
    Tensor tensor(type, *shape);
    if (!input.ReadRaw(tensor.raw_data(), static_cast<int>(size))) broken();
    content_ = std::move(tensor);
    return true;
  }

  std::uint32_t type_ = 0;
  tensorflow::TensorShapeProto shape_;
  std::string rest_;
  std::optional<Tensor> content_;
};

}  // namespace

WrittenTensor write_tensor_message(const TensorMessage& message, std::int64_t send_start_micros) {
  tensorflow::RecvTensorResponse response;
  response.set_send_start_micros(send_start_micros);
  response.set_is_dead(message.is_dead);
  const Tensor& value = message.value;
  if (message.is_dead || !is_plain(value.dtype()) || value.byte_size() == 0) {
    if (!message.is_dead) to_proto(value, response.mutable_tensor(), ProtoForm::content);
    return {response.SerializeAsString(), {}};
  }
  tensorflow::TensorProto about;
  about.set_dtype(static_cast<tensorflow::DataType>(value.dtype()));
  if (value.shape().rank() > 0) to_proto(PartialShape(value.shape()), about.mutable_tensor_shape());
  const std::string fields = about.SerializeAsString();
  const auto size = static_cast<std::uint32_t>(value.byte_size());
  require(value.byte_size() < std::size_t{1} << 31, "A tensor of ", value.byte_size(),
          " bytes is too large to be sent to another task at once");
  WrittenTensor written{response.SerializeAsString(),
                        {static_cast<const char*>(value.raw_data()), value.byte_size()}};
  const std::size_t before = fields.size() + 1 + CodedOutputStream::VarintSize32(size);
  {
    StringOutputStream bytes(&written.head);
    CodedOutputStream head(&bytes);  // gives back what it did not fill when it ends
    head.WriteTag(kTensor);
    head.WriteVarint64(before + size);
    head.WriteString(fields);
    head.WriteTag(kContent);
    head.WriteVarint32(size);
  }
  return written;
}

TensorMessage read_tensor_message(google::protobuf::io::ZeroCopyInputStream& bytes) {
  CodedInputStream input(&bytes);
  TensorMessage message;
  while (const std::uint32_t tag = input.ReadTag()) {
    if (tag == kTensor) {
      std::uint32_t size = 0;
      if (!input.ReadVarint32(&size)) broken();
      const auto limit = input.PushLimit(static_cast<int>(size));
      message.value = TensorReader().read(input);
      input.PopLimit(limit);
    } else if (tag == kIsDead) {
      std::uint32_t dead = 0;
      if (!input.ReadVarint32(&dead)) broken();
      message.is_dead = dead != 0;
    } else if (!WireFormatLite::SkipField(&input, tag)) {
      broken();
    }
  }
  if (!message.is_dead && !message.value.has_value()) broken();
  return message;
}

}  // namespace rill::cluster
