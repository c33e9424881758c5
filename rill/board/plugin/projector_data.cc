#include "rill/board/plugin/projector_data.h"

#include <algorithm>
#include <filesystem>

#include "rill/base/files.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/parse_text.h"
#include "rill/tensor/dtype_visit.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::board {
namespace {

using tensorflow::EmbeddingInfo;
using tensorflow::ProjectorConfig;

constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;  // of a file of text, of a tensor

std::string without_output(const std::string& name) {
  return name.ends_with(":0") ? name.substr(0, name.size() - 2) : name;
}

std::string absolute(const std::string& path, const std::string& directory) {
  if (path.starts_with('/') || !scheme_of(path).empty()) return path;
  return join_path(directory, path);
}

std::string small_file(const std::string& path) {
  const auto facts = file_system_of(path).facts(path);
  if (facts.is_directory || facts.size > kMostBytes)
    raise(Code::kInvalidArgument, path, " is too large, or a directory");
  return read_file(path);
}

// The newest checkpoint that the state file of a directory names; "" when there is none.
std::string latest_checkpoint(const std::string& directory) {
  const std::string path = join_path(directory, "checkpoint");
  if (!file_exists(path)) return "";
  tensorflow::CheckpointState state;
  if (!parse_text(small_file(path), &state) || state.model_checkpoint_path().empty()) return "";
  return absolute(state.model_checkpoint_path(), directory);
}

// The matrices of a checkpoint, which may be embeddings.
void add_checkpoint(const BoardFacts& board, const std::string& directory,
                    ProjectorConfig* config) {
  const auto reader =
      CheckpointReader::open(asset_path(board, directory, config->model_checkpoint_path()));
  EmbeddingInfo defaults;
  if (config->embeddings_size() > 0 && config->embeddings(0).tensor_name().empty() &&
      config->embeddings(0).tensor_path().empty()) {
    defaults = config->embeddings(0);
    config->mutable_embeddings()->DeleteSubrange(0, 1);
  }
  for (const auto& [name, tensor] : reader->tensors()) {
    if (tensor.shape.rank() != 2 || name.find(".OPTIMIZER_SLOT") != std::string::npos) continue;
    EmbeddingInfo* found = nullptr;
    for (EmbeddingInfo& one : *config->mutable_embeddings())
      if (without_output(one.tensor_name()) == without_output(name)) found = &one;
    if (found == nullptr) {
      found = config->add_embeddings();
      found->set_tensor_name(name);
      found->set_metadata_path(defaults.metadata_path());
      found->set_bookmarks_path(defaults.bookmarks_path());
    }
    if (found->tensor_shape_size() > 0) continue;
    for (int i = 0; i < 2; ++i)
      found->add_tensor_shape(static_cast<std::uint32_t>(tensor.shape.dim(i)));
  }
}

Points parse_table(const std::string& text, std::size_t most) {
  Points points;
  for (const std::string_view line : split(text, '\n')) {
    if (strip(line).empty()) continue;
    if (most > 0 && points.rows == most) break;
    std::size_t columns = 0;
    for (const std::string_view cell : split(strip(line), '\t')) {
      double value = 0;
      require(parse_float(strip(cell), &value), "A table of tensors holds something else: ", cell);
      points.values.push_back(static_cast<float>(value));
      ++columns;
    }
    require(points.rows == 0 || columns == points.columns, "A table has rows of several lengths");
    points.columns = columns;
    ++points.rows;
  }
  return points;
}

void complete(const BoardFacts& board, RunEmbeddings* found) {
  for (EmbeddingInfo& one : *found->config.mutable_embeddings()) {
    if (!one.tensor_path().empty() && one.tensor_name().empty())
      one.set_tensor_name(std::string(base_name(one.tensor_path())));
    one.set_tensor_name(without_output(one.tensor_name()));
  }
  if (!found->config.model_checkpoint_path().empty())
    add_checkpoint(board, found->directory, &found->config);
  for (EmbeddingInfo& one : *found->config.mutable_embeddings()) {
    if (one.tensor_path().empty() || one.tensor_shape_size() > 0) continue;
    const Points points =
        parse_table(small_file(asset_path(board, found->directory, one.tensor_path())), 0);
    one.add_tensor_shape(static_cast<std::uint32_t>(points.rows));
    one.add_tensor_shape(static_cast<std::uint32_t>(points.columns));
  }
}

// Whatever is wrong with one run's files, others have theirs.
std::optional<RunEmbeddings> look_for(const BoardFacts& board, const std::string& directory,
                                      bool completes) {
  for (const std::string& place :
       {join_path(join_path(directory, "plugins"), "org_tensorflow_tensorboard_projector"),
        directory}) {
    RunEmbeddings found{.config = {}, .directory = place};
    try {
      const std::string path = join_path(place, "projector_config.pbtxt");
      const bool has_config = file_exists(path);
      if (has_config && !parse_text(small_file(path), &found.config)) continue;
      if (!has_config && place != directory) continue;
      const bool has_tables = std::ranges::any_of(
          found.config.embeddings(), [](const auto& one) { return !one.tensor_path().empty(); });
      if (found.config.model_checkpoint_path().empty())
        found.config.set_model_checkpoint_path(latest_checkpoint(directory));
      if (found.config.model_checkpoint_path().empty() && !has_tables) continue;
      if (completes) complete(board, &found);
      if (!completes || found.config.embeddings_size() > 0) return found;
    } catch (const Error&) {
    }
  }
  return std::nullopt;
}

}  // namespace

std::string asset_path(const BoardFacts& board, const std::string& directory,
                       const std::string& path) {
  const std::string wanted = absolute(path, directory);
  namespace fs = std::filesystem;
  for (const LogDirectory& log : board.logs.directories()) {
    std::error_code problem;
    if (!scheme_of(wanted).empty() || !scheme_of(log.path).empty()) {
      if (wanted.starts_with(log.path) && wanted.find("..") == std::string::npos) return wanted;
      continue;
    }
    const fs::path top = fs::weakly_canonical(fs::absolute(log.path), problem);
    const fs::path place = fs::weakly_canonical(fs::absolute(wanted), problem);
    if (problem) continue;
    const auto [end, rest] = std::mismatch(top.begin(), top.end(), place.begin(), place.end());
    if (end == top.end()) return place.string();
  }
  raise(Code::kPermissionDenied, wanted, " is not below the directory of the logs");
}

bool has_embeddings(const BoardFacts& board) {
  for (const LogDirectory& log : board.logs.directories())
    if (look_for(board, log.path, false)) return true;
  std::size_t looked_at = 0;  // files are asked for each run: of very many only the first are
  for (const auto& run : board.logs.runs()) {
    if (++looked_at > 200) return false;
    if (look_for(board, run->directory(), false)) return true;
  }
  return false;
}

std::map<std::string, RunEmbeddings> find_embeddings(const BoardFacts& board) {
  std::map<std::string, RunEmbeddings> all;
  for (const auto& run : board.logs.runs())
    if (auto found = look_for(board, run->directory(), true))
      all.emplace(run->name(), std::move(*found));
  for (const LogDirectory& log : board.logs.directories()) {
    const std::string name = log.name.empty() ? "." : log.name;
    if (all.contains(name)) continue;
    if (auto found = look_for(board, log.path, true)) all.emplace(name, std::move(*found));
  }
  return all;
}

RunEmbeddings embeddings_of(const BoardFacts& board, const std::string& run) {
  std::optional<RunEmbeddings> found;
  if (const auto known = board.logs.run(run)) {
    found = look_for(board, known->directory(), true);
  } else {
    for (const LogDirectory& log : board.logs.directories())
      if (run == (log.name.empty() ? "." : log.name)) found = look_for(board, log.path, true);
  }
  require(found.has_value(), "Unknown run: \"", run, "\"");
  return std::move(*found);
}

const EmbeddingInfo& embedding_named(const RunEmbeddings& found, const std::string& name) {
  for (const EmbeddingInfo& one : found.config.embeddings())
    if (without_output(one.tensor_name()) == without_output(name)) return one;
  raise(Code::kInvalidArgument, "There is no embedding \"", name, "\"");
}

Points read_points(const BoardFacts& board, const RunEmbeddings& found, const std::string& name,
                   std::size_t most) {
  const EmbeddingInfo& info = embedding_named(found, name);
  if (!info.tensor_path().empty())
    return parse_table(small_file(asset_path(board, found.directory, info.tensor_path())), most);
  const auto reader = CheckpointReader::open(
      asset_path(board, found.directory, found.config.model_checkpoint_path()));
  const StoredTensor& stored = reader->tensor(info.tensor_name());
  require(stored.shape.rank() == 2, name, " is no matrix");
  const double bytes = static_cast<double>(stored.shape.element_count()) * 8;
  require(bytes <= kMostBytes, name, " is too large to be shown");
  const Tensor tensor = reader->read(info.tensor_name());
  Points points{.rows = static_cast<std::size_t>(tensor.dim(0)),
                .columns = static_cast<std::size_t>(tensor.dim(1)),
                .values = {}};
  if (most > 0) points.rows = std::min(points.rows, most);
  points.values.resize(points.rows * points.columns);
  visit_dtype(tensor.dtype(), [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>)
      std::transform(tensor.data<T>(), tensor.data<T>() + points.values.size(),
                     points.values.begin(), [](T value) { return static_cast<float>(value); });
    else
      raise(Code::kUnimplemented, "Matrices of ", tensor.dtype(), " are not shown");
  });
  return points;
}

}  // namespace rill::board
