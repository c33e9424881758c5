#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/graph_keys.h"
#include "rill/base/maybe.h"

namespace tensorflow {
class NodeDef;
class SummaryDescription;
}  // namespace tensorflow

// tf.summary: tensors of serialised Summary messages, for TensorBoard. The tag is the full name of
// the node; with a family, that and a slash stand before it.
// (rill::summary is the text of a tensor.)
namespace rill::summaries {

using InCollections = std::optional<std::vector<std::string>>;  // SUMMARIES where absent

struct SummaryOptions {
  InCollections collections{};
  std::string family{};
};
// A number. Each function returns a string scalar, which a FileWriter writes:
//
//   summary::scalar("loss", loss);
//   Output all = *summary::merge_all();
//   writer.add_summary(session.run(all).scalar_value<std::string>(), step);
Output scalar(const std::string& name, const Input& tensor, const SummaryOptions& options = {},
              std::source_location at = std::source_location::current());
// How the values of a tensor are distributed. NaN or infinity fails the step.
Output histogram(const std::string& name, const Input& values, const SummaryOptions& options = {},
                 std::source_location at = std::source_location::current());

struct MediaOptions {
  std::int64_t max_outputs = 3;
  InCollections collections{};
  std::string family{};
};
// The first max_outputs of a batch of pictures: [batch, height, width, channels], of 1 (grey), 3
// (RGB) or 4 channels. Floats are scaled to 0..255, each picture by itself; uint8 stays.
Output image(const std::string& name, const Input& tensor, const MediaOptions& options = {},
             std::source_location at = std::source_location::current());
// The first max_outputs of a batch of sounds: [batch, frames, channels] or [batch, frames], of
// floats in [-1, 1].
Output audio(const std::string& name, const Input& tensor, const Input& sample_rate,
             const MediaOptions& options = {},
             std::source_location at = std::source_location::current());

struct TextOptions {
  InCollections collections{};
};
// Throws InvalidArgument unless the tensor holds strings.
Output text(const std::string& name, const Input& tensor, const TextOptions& options = {},
            std::source_location at = std::source_location::current());

struct TensorSummaryOptions {
  std::string summary_description{};
  InCollections collections{};
  std::string summary_metadata{};  // a serialised SummaryMetadata that the others are added to
  std::string family{};
  std::string display_name{};
};
// Any tensor.
Output tensor_summary(const std::string& name, const Input& tensor,
                      const TensorSummaryOptions& options = {},
                      std::source_location at = std::source_location::current());

struct MergeOptions {
  std::vector<std::string> collections{};
  std::string name{};
};
// All values of several summaries in one. A tag that occurs twice fails the step.
Output merge(const Inputs& inputs, const MergeOptions& options = {},
             std::source_location at = std::source_location::current());
struct MergeAllOptions {
  std::string scope{};  // only those whose names begin with this
  std::string name{};
};
// Those of a collection of the default graph; nothing where there are none: NotFound for who takes
// it all the same.
Maybe<Output> merge_all(const std::string& key = GraphKeys::SUMMARIES,
                        const MergeAllOptions& options = {},
                        std::source_location at = std::source_location::current());

// What a TensorSummary node says of itself. Throws InvalidArgument for other nodes.
tensorflow::SummaryDescription get_summary_description(const tensorflow::NodeDef& node_def);

// A name as tags and nodes may have it: other characters become underscores, slashes at the start
// go.
std::string clean_tag(std::string_view name);

// The name scope of one summary.
class SummaryBlock : public Block {
 public:
  SummaryBlock(const std::string& name, const std::string& family, const char* otherwise,
               std::source_location at);
  const std::string& tag() const { return tag_; }

 private:
  std::string tag_;
};

}  // namespace rill::summaries
