#include <google/protobuf/text_format.h>

#include <algorithm>

#include "rill/board/graph/graph_cache.h"
#include "rill/board/graph/graph_source.h"
#include "rill/board/graph/graph_view.h"
#include "rill/board/plugin/question.h"
#include "rill/io/parse_message.h"
#include "rill/io/parse_text.h"
#include "tensorflow/core/framework/function.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::board {
namespace {

constexpr std::size_t kMostFound = 200;
constexpr std::size_t kMostAttribute = 400;  // letters of an attribute that the page shows

// What of a graph a tag has.
struct TagGraphs {
  bool conceptual = false, op = false, profile = false;
};

Answer graph_info(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_object();
  for (const auto& run : board.logs.runs()) {
    std::map<std::string, TagGraphs> tags;
    const bool has_graph = run->with_lock([&](const Run::Contents& contents) {
      for (const auto& [tag, series] : contents.series) {
        const auto& [plugin, content, display_name, description] = series.metadata;
        if (content != "1") continue;
        if (plugin == "graph_run_metadata_graph") tags[tag].op = true;
        if (plugin == "graph_run_metadata") tags[tag].op = tags[tag].profile = true;
        if (plugin == "graph_keras_model") tags[tag].conceptual = true;
      }
      for (const auto& [tag, stored] : contents.run_metadata) tags[tag].profile = true;
      return contents.graph || contents.meta_graph;
    });
    if (!has_graph && tags.empty()) continue;
    json.key(run->name()).open_object().member("run", run->name()).key("tags").open_object();
    for (const auto& [tag, has] : tags) {
      json.key(tag).open_object().member("tag", tag);
      json.key("conceptual_graph").boolean(has.conceptual);
      json.key("op_graph").boolean(has.op).key("profile").boolean(has.profile).close_object();
    }
    json.close_object().key("run_graph").boolean(has_graph).close_object();
  }
  json.close_object();
  return json_answer(json);
}

tensorflow::RunMetadata metadata_of(const Run& run, const std::string& tag) {
  const auto stored = run_metadata(run, tag);
  if (!stored)
    raise(Code::kNotFound, "No run metadata for run='", run.name(), "', tag='", tag, "'");
  tensorflow::RunMetadata metadata;
  if (!parse_message(stored->bytes(), &metadata))
    raise(Code::kDataLoss, "The log holds broken run metadata");
  return metadata;
}

tensorflow::GraphDef asked_graph(const BoardFacts& board, const Question& question) {
  const auto run = asked_run(board, question, "graph");
  const std::string tag = question.parameter_or("tag", "");
  if (question.parameter_or("conceptual", "false") == "true") {
    const auto stored = keras_model(*run, tag);
    if (!stored) raise(Code::kNotFound, "No conceptual graph for run='", run->name(), "'");
    return graph_of_keras(stored->bytes());
  }
  if (!tag.empty()) return graph_of_functions(metadata_of(*run, tag));
  const auto stored = run_graph(*run);
  if (!stored) raise(Code::kNotFound, "No graph for run='", run->name(), "'");
  return read_graph_def(stored->bytes());
}

std::string printed(const google::protobuf::Message& message) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  return text;
}

// Takes out attributes that are larger than somebody wants to have; their names are listed.
void limit_attributes(const Question& question, tensorflow::GraphDef* graph) {
  const bool has_size = question.has("limit_attr_size"), has_key = question.has("large_attrs_key");
  require(!has_key || has_size, "limit_attr_size is missing");
  if (!has_size) return;
  require(has_key, "large_attrs_key must be given with limit_attr_size");
  const std::size_t most = question.count_or("limit_attr_size", 0);
  require(most > 0, "limit_attr_size must be greater than 0");
  const std::string key = question.parameter("large_attrs_key");
  for (auto& node : *graph->mutable_node()) {
    std::vector<std::string> large;
    for (const auto& [name, value] : node.attr())
      if (value.ByteSizeLong() > most) large.push_back(name);
    std::ranges::sort(large);
    for (const std::string& name : large) {
      node.mutable_attr()->erase(name);
      (*node.mutable_attr())[key].mutable_list()->add_s(name);
    }
  }
}

Answer graph(const BoardFacts& board, const Question& question) {
  (void)question.parameter("run");
  tensorflow::GraphDef found = asked_graph(board, question);
  limit_attributes(question, &found);
  return text_answer(printed(found), "text/x-protobuf; charset=utf-8");
}

Answer run_metadata_text(const BoardFacts& board, const Question& question) {
  const auto run = asked_run(board, question, "run metadata");
  return text_answer(printed(metadata_of(*run, question.parameter("tag"))),
                     "text/x-protobuf; charset=utf-8");
}

// The graph that the page looks at, from a run or one that was sent, or a function of it.
GraphCache::Model asked_model(const BoardFacts& board, const Question& question) {
  const std::string function = question.parameter_or("function", "");
  const std::string upload = question.parameter_or("upload", "");
  std::string key;
  std::function<tensorflow::GraphDef()> make;
  if (!upload.empty()) {
    const auto kept = board.graphs.kept(upload);
    if (!kept) raise(Code::kNotFound, "This graph is not kept any longer: send it again");
    if (function.empty()) return kept;
    key = str_cat("upload ", upload);
    make = [kept] { return kept->graph(); };
  } else {
    const auto run = asked_run(board, question, "graph");
    const std::string tag = question.parameter_or("tag", "");
    const auto stored = tag.empty() ? run_graph(*run)
                        : question.parameter_or("conceptual", "") == "true"
                            ? keras_model(*run, tag)
                            : run_metadata(*run, tag);
    if (!stored) raise(Code::kNotFound, "No graph for run='", run->name(), "'");
    key = str_cat(stored->path, " ", stored->value.offset, " ", stored->value.size, " ",
                  question.parameter_or("conceptual", ""));
    make = [&] { return asked_graph(board, question); };
  }
  return board.graphs.get(str_cat(key, " ", function), [&] {
    tensorflow::GraphDef graph = make();
    if (!function.empty()) graph = function_graph(graph, function);
    return std::make_shared<const GraphModel>(std::move(graph));
  });
}

using Costs = std::unordered_map<std::string, NodeCost>;

Costs asked_costs(const BoardFacts& board, const Question& question) {
  const std::string tag = question.parameter_or("metadata", "");
  if (tag.empty()) return {};
  return GraphModel::costs(metadata_of(*asked_run(board, question, "run metadata"), tag));
}

// The costs of all nodes below each group.
std::vector<NodeCost> summed_costs(const GraphModel& model, const Costs& costs) {
  std::vector<NodeCost> sums(model.groups().size());
  if (costs.empty()) return sums;
  for (std::size_t i = sums.size(); i-- > 0;) {
    const auto& group = model.groups()[i];
    if (group.node >= 0)
      if (const auto cost = costs.find(model.graph().node(group.node).name());
          cost != costs.end()) {
        sums[i].micros += cost->second.micros;
        sums[i].bytes += cost->second.bytes;
      }
    if (group.parent < 0) continue;
    NodeCost& above = sums[static_cast<std::size_t>(group.parent)];
    above.micros += sums[i].micros;
    above.bytes += sums[i].bytes;
  }
  return sums;
}

void write_box(const GraphModel& model, const GraphView::Box& box,
               const std::vector<NodeCost>& costs, JsonOut& json) {
  constexpr std::string_view kKinds[] = {"scope", "open", "node"};
  const auto& group = model.groups()[static_cast<std::size_t>(box.group)];
  json.open_object().member("path", group.path).member("name", group.name);
  json.member("kind", kKinds[static_cast<int>(box.kind)]);
  json.key("box").open_array();
  for (const double side : {box.x, box.y, box.width, box.height}) json.integer(std::llround(side));
  json.close_array().key("nodes").integer(group.nodes);
  if (group.node >= 0) json.member("op", model.graph().node(group.node).op());
  if (!group.device.empty()) json.member("device", group.device);
  json.member("shape", std::to_string(group.shape));
  if (box.is_aside) json.key("aside").boolean(true);
  if (box.is_traced) json.key("traced").boolean(true);
  const NodeCost& cost = costs[static_cast<std::size_t>(box.group)];
  if (cost.micros > 0) json.key("micros").number(cost.micros);
  if (cost.bytes > 0) json.key("bytes").number(cost.bytes);
  json.close_object();
}

// The drawing that the page shows.
Answer graph_drawing(const BoardFacts& board, const Question& question) {
  const auto model = asked_model(board, question);
  const auto costs = summed_costs(*model, asked_costs(board, question));
  ViewOptions options{.opens_all = question.parameter_or("all", "") == "true",
                      .shows_constants = question.parameter_or("constants", "") == "true",
                      .trace = question.parameter_or("trace", "")};
  for (const std::string& path : question.all("open")) options.open.insert(path);
  const GraphView view = view_graph(*model, options);
  JsonOut json;
  json.open_object().key("width").number(view.width).key("height").number(view.height);
  json.key("nodes").integer(model->graph().node_size()).key("boxes").open_array();
  // Lines name boxes by their number; the whole graph is -1.
  std::unordered_map<int, std::int64_t> box_numbers{{0, -1}};
  for (const auto& box : view.boxes) {
    box_numbers.emplace(box.group, static_cast<std::int64_t>(box_numbers.size()) - 1);
    write_box(*model, box, costs, json);
  }
  json.close_array().key("lines").open_array();
  for (const auto& line : view.lines) {
    json.open_object().key("points").open_array();
    for (const auto& point : line.points)
      json.integer(std::llround(point.x)).integer(std::llround(point.y));
    json.close_array();
    if (line.tensors != 1) json.key("tensors").integer(line.tensors);
    if (line.is_control) json.key("control").boolean(true);
    if (!line.label.empty()) json.member("label", line.label);
    json.key("ends").open_array().integer(box_numbers[line.from]).integer(box_numbers[line.to]);
    json.close_array().close_object();
  }
  json.close_array().key("functions").open_array();
  for (const auto& function : model->graph().library().function())
    json.text(function.signature().name());
  json.close_array().close_object();
  return json_answer(json);
}

Answer graph_search(const BoardFacts& board, const Question& question) {
  const auto model = asked_model(board, question);
  const std::string wanted = lower(question.parameter("q"));
  JsonOut json;
  json.open_array();
  std::size_t count = 0;
  for (const auto& group : model->groups()) {
    if (group.parent < 0 || count >= kMostFound) continue;
    const bool is_op =
        group.node >= 0 &&
        lower(model->graph().node(group.node).op()).find(wanted) != std::string::npos;
    if (!is_op && lower(group.path).find(wanted) == std::string::npos) continue;
    json.text(group.path);
    ++count;
  }
  json.close_array();
  return json_answer(json);
}

void write_edge(const GraphModel& model, const GraphModel::Edge& edge, int other, JsonOut& json) {
  json.open_object().member("name", model.graph().node(other).name());
  json.member("shape", model.output_shape(edge));
  if (edge.is_control()) json.key("control").boolean(true);
  json.close_object();
}

// All about one node or scope.
Answer graph_node(const BoardFacts& board, const Question& question) {
  const auto model = asked_model(board, question);
  const int found = model->group_at(question.parameter("path"));
  if (found < 0) raise(Code::kNotFound, "The graph has no such node");
  const auto& group = model->groups()[static_cast<std::size_t>(found)];
  const NodeCost cost =
      summed_costs(*model, asked_costs(board, question))[static_cast<std::size_t>(found)];
  JsonOut json;
  json.open_object().member("path", group.path).key("nodes").integer(group.nodes);
  json.member("device", group.device).key("micros").number(cost.micros);
  json.key("bytes").number(cost.bytes);
  json.key("children").integer(static_cast<std::int64_t>(group.children.size()));
  if (group.node >= 0) {
    const auto& node = model->graph().node(group.node);
    json.member("op", node.op()).key("attributes").open_object();
    std::map<std::string, std::string> attributes;
    for (const auto& [name, value] : node.attr())
      attributes[name] = value.ByteSizeLong() > 64 * kMostAttribute
                             ? str_cat("(", value.ByteSizeLong(), " bytes)")
                             : value.ShortDebugString().substr(0, kMostAttribute);
    for (const auto& [name, value] : attributes) json.member(name, value);
    json.close_object().key("inputs").open_array();
    for (const auto& edge : model->edges())
      if (edge.to == group.node) write_edge(*model, edge, edge.from, json);
    json.close_array().key("outputs").open_array();
    std::size_t count = 0;
    for (const auto& edge : model->edges())
      if (edge.from == group.node && count++ < kMostFound) write_edge(*model, edge, edge.to, json);
    json.close_array();
  }
  json.close_object();
  return json_answer(json);
}

// Takes a GraphDef, a MetaGraphDef or a SavedModel's first graph, in bytes or as text.
Answer graph_upload(const BoardFacts& board, const Question& question) {
  require(question.request().method == "POST", "A graph is sent by POST");
  const std::string bytes(question.body());
  tensorflow::GraphDef graph;
  if (!parse_text(bytes, &graph)) {
    try {
      graph = read_graph_def(bytes);
    } catch (const Error&) {
      graph.Clear();
    }
  }
  require(graph.node_size() > 0, "This is no graph: a GraphDef or MetaGraphDef is one");
  JsonOut json;
  const std::string key = board.graphs.keep(std::make_shared<const GraphModel>(std::move(graph)));
  json.open_object().member("upload", key).close_object();
  return json_answer(json);
}

}  // namespace

std::span<const Route> graph_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/graphs/info", graph_info},
                                      {"/data/plugin/graphs/graph", graph},
                                      {"/data/plugin/graphs/run_metadata", run_metadata_text},
                                      {"/data/rill/graph", graph_drawing},
                                      {"/data/rill/graph_search", graph_search},
                                      {"/data/rill/graph_node", graph_node},
                                      {"/data/rill/graph_upload", graph_upload}};
  return kRoutes;
}

}  // namespace rill::board
