#include "rill/board/data/stored_tensor.h"

#include "rill/base/error.h"
#include "rill/io/parse_message.h"
#include "rill/tensor/dtype_visit.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/summary.pb.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill::board {
namespace {

constexpr double kMostElements = 1 << 26;

template <class Message>
Message parsed(std::string_view bytes, const char* what) {
  Message message;
  if (!parse_message(bytes, &message)) raise(Code::kDataLoss, "The log holds a broken ", what);
  return message;
}

template <class T>
void take_elements(const Tensor& tensor, LoggedTensor* result) {
  if constexpr (std::is_same_v<T, std::string>) {
    result->is_text = true;
    result->texts.assign(tensor.flat<T>().begin(), tensor.flat<T>().end());
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, half> ||
                       std::is_same_v<T, bfloat16>) {
    result->numbers.reserve(static_cast<std::size_t>(tensor.element_count()));
    for (const T& value : tensor.flat<T>())
      if constexpr (std::is_arithmetic_v<T>)
        result->numbers.push_back(static_cast<double>(value));
      else
        result->numbers.push_back(static_cast<double>(static_cast<float>(value)));
  } else {
    raise(Code::kUnimplemented, "Tensors of type ", tensor.dtype(), " are not shown");
  }
}

// What TensorBoard makes of the histograms of before plugins: the outer edges are the smallest and
// the largest value.
std::vector<Bucket> buckets_of(const tensorflow::HistogramProto& histogram) {
  const int size = std::min(histogram.bucket_size(), histogram.bucket_limit_size());
  std::vector<Bucket> buckets;
  for (int i = 0; i < size; ++i)
    buckets.push_back({.left = i == 0 ? histogram.min() : histogram.bucket_limit(i - 1),
                       .right = i == size - 1 ? histogram.max() : histogram.bucket_limit(i),
                       .count = histogram.bucket(i)});
  return buckets;
}

}  // namespace

LoggedTensor tensor_of(std::string_view bytes) {
  const auto proto = parsed<tensorflow::TensorProto>(bytes, "tensor");
  // A short list of elements may stand for very many equal ones.
  double elements = 1;
  for (const auto& dim : proto.tensor_shape().dim())
    elements *= static_cast<double>(std::max<std::int64_t>(dim.size(), 0));
  if (elements > kMostElements)
    raise(Code::kResourceExhausted, "A tensor of ", elements, " elements is too large to be shown");
  const Tensor tensor = from_proto(proto);
  LoggedTensor result;
  for (int i = 0; i < tensor.rank(); ++i) result.shape.push_back(tensor.dim(i));
  visit_dtype(tensor.dtype(), [&]<class T>() { take_elements<T>(tensor, &result); });
  return result;
}

std::vector<Bucket> buckets_of(ValueKind kind, std::string_view bytes) {
  if (kind == ValueKind::kHistogram)
    return buckets_of(parsed<tensorflow::HistogramProto>(bytes, "histogram"));
  const LoggedTensor tensor = tensor_of(bytes);
  if (tensor.is_text || tensor.shape.size() != 2 || tensor.shape[1] != 3)
    raise(Code::kDataLoss, "The log holds a histogram that is no list of buckets");
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i + 2 < tensor.numbers.size(); i += 3)
    buckets.push_back({tensor.numbers[i], tensor.numbers[i + 1], tensor.numbers[i + 2]});
  return buckets;
}

std::string image_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "image/gif";
  if (bytes.starts_with("BM")) return "image/bmp";
  if (bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") return "image/webp";
  return "application/octet-stream";
}

Blob image_of(ValueKind kind, std::string bytes, std::size_t sample) {
  std::string picture;
  if (kind == ValueKind::kImage) {
    require(sample == 0, "There is one picture, not ", sample + 1);
    picture = std::move(
        *parsed<tensorflow::Summary::Image>(bytes, "picture").mutable_encoded_image_string());
  } else {
    LoggedTensor tensor = tensor_of(bytes);  // width, height, then the pictures
    require(sample + 2 < tensor.texts.size(), "There is no picture ", sample);
    picture = std::move(tensor.texts[sample + 2]);
  }
  std::string type = image_type(picture);
  return {std::move(picture), std::move(type)};
}

Blob audio_of(ValueKind kind, std::string bytes, std::size_t sample) {
  if (kind == ValueKind::kAudio) {
    require(sample == 0, "There is one clip, not ", sample + 1);
    auto audio = parsed<tensorflow::Summary::Audio>(bytes, "clip");
    return {std::move(*audio.mutable_encoded_audio_string()), "audio/wav"};
  }
  LoggedTensor tensor = tensor_of(bytes);  // clips, or pairs of clip and label
  const std::size_t width =
      tensor.shape.size() == 2 ? static_cast<std::size_t>(tensor.shape[1]) : 1;
  require(width > 0 && sample < tensor.texts.size() / width, "There is no clip ", sample);
  return {std::move(tensor.texts[sample * width]), "audio/wav"};
}

}  // namespace rill::board
