#include "rill/cluster/tensor_message.h"

#include <google/protobuf/any.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "rill/tensor/tensor_proto.h"
#include "rill_cluster/cluster.pb.h"
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
constexpr std::uint32_t kTensor = tag(1, kBytes), kIsDead = tag(2, kVarint),
                        kTransport = tag(4, kBytes);
constexpr std::uint32_t kType = tag(1, kVarint), kShape = tag(2, kBytes), kContent = tag(4, kBytes);

constexpr const char* kPiecesUrl = "rill.cluster/pieces";
// From where on it is worth to look for the place of the bytes before they have come, and how many
// bytes stand before those of a tensor of few dimensions at most.
constexpr std::size_t kLarge = 64 << 10, kMostBefore = 512;

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

  // A tensor of the type and shape that were read, whose bytes are not there yet.
  Tensor read_empty(CodedInputStream& input) {
    StringOutputStream rest_bytes(&rest_);
    CodedOutputStream rest(&rest_bytes);
    while (const std::uint32_t tag = input.ReadTag()) read_field(input, tag, rest);
    if (input.BytesUntilLimit() > 0) broken();
    const DType type = dtype_from_proto(static_cast<int>(type_));
    const std::optional<Shape> shape = shape_from_proto(shape_).full();
    if (!is_plain(type) || !shape) broken();
    return Tensor(type, *shape);
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

bool is_sent_plain(const Tensor& value) { return is_plain(value.dtype()); }

std::string write_pieces_message(const Tensor& value, std::int64_t pieces,
                                 std::int64_t send_start_micros) {
  tensorflow::RecvTensorResponse response, last;
  response.set_send_start_micros(send_start_micros);
  last.mutable_tensor()->set_dtype(static_cast<tensorflow::DataType>(value.dtype()));
  to_proto(PartialShape(value.shape()), last.mutable_tensor()->mutable_tensor_shape());
  wire::Pieces offer;
  offer.set_id(pieces);
  offer.set_size(static_cast<std::int64_t>(value.byte_size()));
  response.mutable_transport_options()->set_type_url(kPiecesUrl);
  offer.SerializeToString(response.mutable_transport_options()->mutable_value());
  // The offer first: who reads on knows by it that no bytes follow.
  return response.SerializeAsString() + last.SerializeAsString();
}

namespace {

// The number of the pieces that are offered; 0: none are.
std::int64_t read_offer(CodedInputStream& input) {
  std::uint32_t size = 0;
  std::string bytes;
  if (!input.ReadVarint32(&size) || !input.ReadString(&bytes, static_cast<int>(size))) broken();
  google::protobuf::Any any;
  wire::Pieces offer;
  if (!any.ParseFromString(bytes)) broken();
  if (any.type_url() != kPiecesUrl) return 0;
  if (!offer.ParseFromString(any.value()) || offer.id() == 0) broken();
  return offer.id();
}

}  // namespace

TensorMessage read_tensor_message(google::protobuf::io::ZeroCopyInputStream& bytes) {
  CodedInputStream input(&bytes);
  TensorMessage message;
  while (const std::uint32_t tag = input.ReadTag()) {
    if (tag == kTensor) {
      std::uint32_t size = 0;
      if (!input.ReadVarint32(&size)) broken();
      const auto limit = input.PushLimit(static_cast<int>(size));
      message.value =
          message.pieces != 0 ? TensorReader().read_empty(input) : TensorReader().read(input);
      input.PopLimit(limit);
    } else if (tag == kTransport) {
      message.pieces = read_offer(input);
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

// --- TensorSink ----------------------------------------------------------------------------------

void TensorSink::begin(std::size_t size) {
  size_ = size;
  has_begun_ = true;
}

void TensorSink::take(std::string_view bytes) {
  if (content_ == nullptr) {
    const std::size_t before =
        std::min(bytes.size(), has_looked_ || size_ < kLarge ? bytes.size() : kMostBefore);
    head_.append(bytes.substr(0, before));
    bytes.remove_prefix(before);
    taken_ += before;
    if (!has_looked_ && size_ >= kLarge && head_.size() >= kMostBefore) find_content();
    if (content_ == nullptr) {
      head_.append(bytes);
      taken_ += bytes.size();
      return;
    }
  }
  std::memcpy(content_ + (message_.value.byte_size() - (size_ - taken_)), bytes.data(),
              bytes.size());
  taken_ += bytes.size();
}

// Where the tensor stands last, and its bytes last in it, as TensorFlow writes it.
void TensorSink::find_content() {
  has_looked_ = true;
  google::protobuf::io::ArrayInputStream bytes(head_.data(), static_cast<int>(head_.size()));
  CodedInputStream input(&bytes);
  tensorflow::TensorProto about;
  const auto at = [&] { return static_cast<std::size_t>(input.CurrentPosition()); };
  std::uint32_t size = 0;
  for (std::uint32_t tag = input.ReadTag(); tag != kTensor; tag = input.ReadTag())
    if (tag == kIsDead || tag == kTransport || tag == 0 || !WireFormatLite::SkipField(&input, tag))
      return;
  if (!input.ReadVarint32(&size) || at() + size != size_) return;
  const std::size_t begin = at();
  for (std::uint32_t tag = input.ReadTag(); tag != kContent; tag = input.ReadTag())
    if (tag == 0 || !WireFormatLite::SkipField(&input, tag)) return;
  const std::size_t end = at() - 1;  // of the fields before the tag of one byte
  if (!input.ReadVarint32(&size) || at() + size != size_) return;
  if (!about.ParseFromArray(head_.data() + begin, static_cast<int>(end - begin))) return;
  const std::optional<Shape> shape = shape_from_proto(about.tensor_shape()).full();
  if (about.dtype() == tensorflow::DT_INVALID || !shape) return;
  const DType type = dtype_from_proto(about.dtype());
  if (!is_plain(type) || shape->byte_size(element_size(type)) != size) return;
  message_.value = Tensor(type, *shape);
  content_ = static_cast<char*>(message_.value.raw_data());
  std::memcpy(content_, head_.data() + at(), head_.size() - at());
}

TensorMessage TensorSink::finish() {
  if (content_ != nullptr) return std::move(message_);
  google::protobuf::io::ArrayInputStream bytes(head_.data(), static_cast<int>(head_.size()));
  return read_tensor_message(bytes);
}

}  // namespace rill::cluster
