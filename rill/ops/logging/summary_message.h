#pragma once

#include <memory>
#include <string>

#include "rill/io/wav.h"
#include "rill/ops/logging/histogram.h"
#include "rill/tensor/tensor.h"

namespace tensorflow {
class Summary;
}  // namespace tensorflow

namespace rill {

// A Summary message while it is written.
class SummaryMessage {
 public:
  SummaryMessage();
  ~SummaryMessage();

  void add_scalar(const std::string& tag, float value);
  void add_histogram(const std::string& tag, const Histogram& histogram);
  void add_image(const std::string& tag, std::int64_t height, std::int64_t width, int channels,
                 std::string png);
  void add_audio(const std::string& tag, float sample_rate, const Sound& sound);
  // A tensor under the name of the node that made it, or under a tag with metadata as it came
  // (nullptr: none).
  void add_tensor_of(const std::string& node, const Tensor& tensor);
  void add_tensor(const std::string& tag, const Tensor& tensor, const std::string* metadata);
  // Adds all values of another message. Throws InvalidArgument when it is none.
  void merge(const std::string& serialized);
  void check_tags_differ() const;  // throws InvalidArgument

  // Throws InvalidArgument beyond what a message can be.
  std::string serialized() const;

 private:
  std::unique_ptr<tensorflow::Summary> summary_;
};

}  // namespace rill
