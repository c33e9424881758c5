#include "rill/ops/logging/summary_message.h"

#include <set>

#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/summary.pb.h"

namespace rill {

SummaryMessage::SummaryMessage() : summary_(std::make_unique<tensorflow::Summary>()) {}
SummaryMessage::~SummaryMessage() = default;

void SummaryMessage::add_scalar(const std::string& tag, float value) {
  auto* const entry = summary_->add_value();
  entry->set_tag(tag);
  entry->set_simple_value(value);
}

void SummaryMessage::add_histogram(const std::string& tag, const Histogram& histogram) {
  auto* const entry = summary_->add_value();
  entry->set_tag(tag);
  auto* const proto = entry->mutable_histo();
  proto->set_min(histogram.min);
  proto->set_max(histogram.max);
  proto->set_num(histogram.count);
  proto->set_sum(histogram.sum);
  proto->set_sum_squares(histogram.sum_of_squares);
  const Buckets buckets = written_buckets(histogram);
  proto->mutable_bucket_limit()->Add(buckets.limits.begin(), buckets.limits.end());
  proto->mutable_bucket()->Add(buckets.counts.begin(), buckets.counts.end());
}

void SummaryMessage::add_image(const std::string& tag, std::int64_t height, std::int64_t width,
                               int channels, std::string png) {
  auto* const entry = summary_->add_value();
  entry->set_tag(tag);
  auto* const image = entry->mutable_image();
  image->set_height(static_cast<int>(height));
  image->set_width(static_cast<int>(width));
  image->set_colorspace(channels);
  image->set_encoded_image_string(std::move(png));
}

void SummaryMessage::add_audio(const std::string& tag, float sample_rate, const Sound& sound) {
  auto* const entry = summary_->add_value();
  entry->set_tag(tag);
  auto* const audio = entry->mutable_audio();
  audio->set_sample_rate(sample_rate);
  audio->set_num_channels(sound.channels);
  audio->set_length_frames(sound.frames);
  audio->set_encoded_audio_string(encode_wav(sound));
  audio->set_content_type("audio/wav");
}

void SummaryMessage::add_tensor_of(const std::string& node, const Tensor& tensor) {
  auto* const entry = summary_->add_value();
  entry->set_node_name(node);
  to_proto(tensor, entry->mutable_tensor(), ProtoForm::content);
}

void SummaryMessage::add_tensor(const std::string& tag, const Tensor& tensor,
                                const std::string* metadata) {
  auto* const entry = summary_->add_value();
  entry->set_tag(tag);
  to_proto(tensor, entry->mutable_tensor(), ProtoForm::content);
  // As in TensorFlow, metadata that cannot be read is none.
  if (metadata != nullptr && !entry->mutable_metadata()->ParseFromString(*metadata))
    entry->mutable_metadata()->Clear();
}

void SummaryMessage::merge(const std::string& serialized) {
  tensorflow::Summary other;
  require(other.ParseFromString(serialized), "Could not parse one of the summary inputs");
  summary_->MergeFrom(other);
}

// Tensors under the names of nodes have no tags.
void SummaryMessage::check_tags_differ() const {
  std::set<std::string> tags;
  for (const auto& entry : summary_->value())
    require(entry.tag().empty() || tags.insert(entry.tag()).second, "Duplicate tag ", entry.tag(),
            " found in summary inputs ");
}

std::string SummaryMessage::serialized() const {
  std::string bytes;
  require(summary_->ByteSizeLong() < std::size_t{1} << 31 && summary_->SerializeToString(&bytes),
          "a summary of ", summary_->ByteSizeLong(),
          " bytes does not fit into a protocol buffer, which is limited to 2GB");
  return bytes;
}

}  // namespace rill
