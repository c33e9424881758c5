#include <google/protobuf/util/json_util.h>

#include <algorithm>

#include "rill/base/files.h"
#include "rill/board/data/stored_tensor.h"
#include "rill/board/layout/embedding.h"
#include "rill/board/plugin/projector_data.h"

namespace rill::board {
namespace {

constexpr std::size_t kMostProjected = 5000;  // points that are laid out by neighbours

Answer projector_runs(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_array();
  for (const auto& [run, found] : find_embeddings(board)) json.text(run);
  json.close_array();
  return json_answer(json);
}

Answer projector_info(const BoardFacts& board, const Question& question) {
  const RunEmbeddings found = embeddings_of(board, question.parameter("run"));
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(found.config, &json).ok())
    raise(Code::kDataLoss, "The configuration of the projector is broken");
  return {.body = json};
}

std::size_t asked_rows(const Question& question) {
  const std::size_t rows = question.count_or("num_rows", 0);
  require(!question.has("num_rows") || rows > 0, "query parameter num_rows must be integer > 0");
  return rows;
}

std::string_view bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

Answer projector_tensor(const BoardFacts& board, const Question& question) {
  const RunEmbeddings found = embeddings_of(board, question.parameter("run"));
  const Points points = read_points(board, found, question.parameter("name"), asked_rows(question));
  return text_answer(std::string(bytes_of(points.values)), "application/octet-stream");
}

// A file that the configuration names for an embedding.
std::string asset(const BoardFacts& board, const Question& question,
                  FunctionRef<std::string(const tensorflow::EmbeddingInfo&)> path_of,
                  std::string_view what) {
  const RunEmbeddings found = embeddings_of(board, question.parameter("run"));
  const std::string name = question.parameter("name");
  const std::string path = path_of(embedding_named(found, name));
  require(!path.empty(), "No ", what, " file found for tensor \"", name, "\"");
  const std::string place = asset_path(board, found.directory, path);
  require(file_exists(place) && !is_directory(place), "\"", place,
          "\" not found, or is not a file");
  return read_file(place);
}

Answer projector_metadata(const BoardFacts& board, const Question& question) {
  std::string text = asset(
      board, question, [](const auto& info) { return info.metadata_path(); }, "metadata");
  if (std::size_t rows = asked_rows(question); rows > 0) {
    const std::size_t first = text.find('\n');
    if (text.substr(0, first).find('\t') != std::string::npos) ++rows;  // names of columns
    std::size_t end = 0;
    for (std::size_t i = 0; i < rows && end != std::string::npos; ++i)
      end = text.find('\n', end == 0 && i == 0 ? 0 : end + 1);
    if (end != std::string::npos) text.resize(end + 1);
  }
  return text_answer(std::move(text), "text/plain; charset=utf-8");
}

Answer projector_bookmarks(const BoardFacts& board, const Question& question) {
  return {
      .body = asset(
          board, question, [](const auto& info) { return info.bookmarks_path(); }, "bookmarks")};
}

Answer projector_sprite(const BoardFacts& board, const Question& question) {
  std::string picture = asset(
      board, question, [](const auto& info) { return info.sprite().image_path(); }, "sprite image");
  std::string type = image_type(picture);
  return text_answer(std::move(picture), std::move(type));
}

// For the page: points in two or three dimensions, as floats.
Answer projection(const BoardFacts& board, const Question& question) {
  const RunEmbeddings found = embeddings_of(board, question.parameter("run"));
  const std::string method = question.parameter_or("method", "pca");
  const std::size_t most =
      std::min(question.count_or("num_rows", 100000), method == "pca" ? 100000 : kMostProjected);
  const Points points = read_points(board, found, question.parameter("name"), most);
  const EmbeddingOptions options{
      .dimensions = question.count_or("dimensions", 3) == 2 ? 2u : 3u,
      .neighbours = std::clamp<std::size_t>(question.count_or("neighbours", 15), 2, 100),
      .perplexity = std::clamp(question.number_or("perplexity", 25), 2.0, 100.0),
      .iterations = std::clamp<std::size_t>(question.count_or("iterations", 300), 1, 2000)};
  const PointMatrix matrix{points.rows, points.columns, points.values};
  std::vector<float> places;
  if (method == "pca")
    places = pca(matrix, options.dimensions).places;
  else if (method == "tsne")
    places = tsne(matrix, options);
  else if (method == "umap")
    places = umap(matrix, options);
  else
    raise(Code::kInvalidArgument, "There is no projection ", method);
  return text_answer(std::string(bytes_of(places)), "application/octet-stream");
}

}  // namespace

std::span<const Route> projector_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/projector/runs", projector_runs},
                                      {"/data/plugin/projector/info", projector_info},
                                      {"/data/plugin/projector/tensor", projector_tensor},
                                      {"/data/plugin/projector/metadata", projector_metadata},
                                      {"/data/plugin/projector/bookmarks", projector_bookmarks},
                                      {"/data/plugin/projector/sprite_image", projector_sprite},
                                      {"/data/rill/projection", projection}};
  return kRoutes;
}

}  // namespace rill::board
