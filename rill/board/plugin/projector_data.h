#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/board/plugin/question.h"
#include "tensorflow/contrib/tensorboard/plugins/projector/projector_config.pb.h"

namespace rill::board {

// What a run has for the projector.
struct RunEmbeddings {
  tensorflow::ProjectorConfig config;
  std::string directory;  // relative paths begin here
};

// Rows of equally many numbers.
struct Points {
  std::size_t rows = 0, columns = 0;
  std::vector<float> values;
};

// By run; "." is there without a run, too.
std::map<std::string, RunEmbeddings> find_embeddings(const BoardFacts& board);
RunEmbeddings embeddings_of(const BoardFacts& board, const std::string& run);
const tensorflow::EmbeddingInfo& embedding_named(const RunEmbeddings& found,
                                                 const std::string& name);

// At most so many rows of a tensor; 0: all.
Points read_points(const BoardFacts& board, const RunEmbeddings& found, const std::string& name,
                   std::size_t most);

// The path of a file that a configuration names, which lies below one of the directories of logs.
// Throws PermissionDenied for another.
std::string asset_path(const BoardFacts& board, const std::string& directory,
                       const std::string& path);

}  // namespace rill::board
