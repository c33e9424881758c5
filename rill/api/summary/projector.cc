#include "rill/api/summary/projector.h"

#include <google/protobuf/text_format.h>

#include "rill/api/summary/file_writer.h"
#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "tensorflow/contrib/tensorboard/plugins/projector/projector_config.pb.h"

namespace rill::projector {

void visualize_embeddings(const summaries::FileWriter& summary_writer,
                          const ProjectorConfig& config) {
  visualize_embeddings(summary_writer.get_logdir(), config);
}

void visualize_embeddings(const std::string& logdir, const ProjectorConfig& config) {
  require(!logdir.empty(), "Summary writer must have a logdir");
  std::string text;
  google::protobuf::TextFormat::PrintToString(config, &text);
  make_directories(logdir);
  publish_file(join_path(logdir, "projector_config.pbtxt"), text);
}

}  // namespace rill::projector
