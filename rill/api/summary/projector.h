#pragma once

#include <string>

#include "rill/proto/messages_fwd.h"

namespace rill::summaries {
class FileWriter;
}  // namespace rill::summaries

// tf.contrib.tensorboard.plugins.projector: which tensors of a checkpoint TensorBoard's projector
// shows.
namespace rill::projector {

using tensorflow::EmbeddingInfo;
using tensorflow::ProjectorConfig;
using tensorflow::SpriteMetadata;

// Writes the configuration beside the writer's files, where TensorBoard looks for it.
void visualize_embeddings(const summaries::FileWriter& summary_writer,
                          const ProjectorConfig& config);
void visualize_embeddings(const std::string& logdir, const ProjectorConfig& config);

}  // namespace rill::projector
