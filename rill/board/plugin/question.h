#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/function_ref.h"
#include "rill/board/data/json_out.h"
#include "rill/board/log/log_store.h"
#include "rill/net/http/http_request.h"

namespace rill::board {

// A request taken apart.
class Question {
 public:
  Question(const net::HttpRequest& request, std::string_view target);

  const std::string& path() const { return path_; }
  std::string_view body() const { return request_.body; }
  const net::HttpRequest& request() const { return request_; }

  // A parameter of the query, or of a form in the body. Throws InvalidArgument without one.
  std::string parameter(std::string_view name) const;
  std::string parameter_or(std::string_view name, std::string_view otherwise) const;
  double number_or(std::string_view name, double otherwise) const;
  std::size_t count_or(std::string_view name, std::size_t otherwise) const;
  std::vector<std::string> all(std::string_view name) const;
  bool has(std::string_view name) const;

 private:
  void take_pairs(std::string_view text);

  const net::HttpRequest& request_;
  std::string path_;
  std::vector<std::pair<std::string, std::string>> parameters_;
};

// What "%41+b" stands for; broken escapes stand for themselves.
std::string url_decoded(std::string_view text, bool plus_is_blank = true);
std::string url_encoded(std::string_view text);

class GraphCache;

// What answers have to look at.
struct BoardFacts {
  LogStore& logs;
  GraphCache& graphs;
  std::string version, logdir, window_title, path_prefix;
};

using Answer = net::HttpResponse;
struct Route {
  std::string_view path;
  Answer (*answer)(const BoardFacts&, const Question&);
};

inline Answer json_answer(JsonOut& json) { return {.body = json.take()}; }
inline Answer text_answer(std::string body, std::string type) {
  return {.content_type = std::move(type), .body = std::move(body)};
}

// A run and the series of it that the parameters "run" and "tag" name, for who holds the run's
// lock. Throws NotFound as TensorBoard says it.
std::shared_ptr<const Run> asked_run(const BoardFacts& board, const Question& question,
                                     std::string_view what);
const Series& asked_series(const Run::Contents& contents, const Question& question,
                           std::string_view run, std::string_view plugin, std::string_view what);

// {run: {tag: {...}}} of all series of a plugin; `more` adds members of a tag.
Answer tags_answer(const BoardFacts& board, std::string_view plugin,
                   FunctionRef<void(const Series&, JsonOut&)> more);

// The bytes of the stored values of a series, copied with where they are.
struct StoredSeries {
  std::vector<StoredValue> values;
  std::vector<std::string> paths;
  SeriesMetadata metadata;
  std::string bytes(const StoredValue& value) const {
    return read_stored(paths[value.file], value);
  }
};
StoredSeries asked_stored(const BoardFacts& board, const Question& question,
                          std::string_view plugin, std::string_view what);

// Whether there is anything for the projector: a configuration or a checkpoint beside the events.
bool has_embeddings(const BoardFacts& board);

// The routes of each part of the dashboard.
std::span<const Route> core_routes();
std::span<const Route> scalar_routes();
std::span<const Route> media_routes();
std::span<const Route> text_routes();
std::span<const Route> histogram_routes();
std::span<const Route> pr_curve_routes();
std::span<const Route> graph_routes();
std::span<const Route> hparams_routes();
std::span<const Route> custom_scalar_routes();
std::span<const Route> mesh_routes();
std::span<const Route> projector_routes();
std::span<const Route> profile_routes();
std::span<const Route> search_routes();

}  // namespace rill::board
