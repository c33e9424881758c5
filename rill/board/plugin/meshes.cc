#include <algorithm>
#include <set>

#include "rill/board/data/stored_tensor.h"
#include "rill/board/log/wire.h"
#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

using Wire = MessageField;

// What the metadata of a tag says: one tag holds vertices, another faces or colours of the same
// name.
struct MeshFacts {
  std::string name, config;
  int content = 0;  // 1: vertices, 2: faces, 3: colours
  std::vector<std::int64_t> shape;
  std::uint64_t components = 0;
};

MeshFacts mesh_facts(std::string_view text) {
  MeshFacts facts;
  each_field(text, [&](const Wire& field) {
    if (field.is_bytes(2)) facts.name = text_of(field);
    if (field.is(3, Wire::kVarint)) facts.content = static_cast<int>(field.integer() & 3);
    if (field.is_bytes(5)) facts.config = text_of(field);
    if (field.is(6, Wire::kVarint))
      facts.shape.push_back(static_cast<std::int64_t>(field.integer()));
    if (field.is_bytes(6)) {
      std::string_view packed = text_of(field);
      std::uint64_t size = 0;
      while (!packed.empty() && take_varint(&packed, &size))
        facts.shape.push_back(static_cast<std::int64_t>(size));
    }
    if (field.is(7, Wire::kVarint)) facts.components = field.integer();
  });
  if (facts.components == 0)
    facts.components = 2 | 4 | 8;  // older logs do not say: all may be there
  return facts;
}

Answer mesh_tags(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_object();
  for (const auto& run : board.logs.runs()) {
    std::map<std::string, std::int64_t> samples;
    run->with_lock([&](const Run::Contents& contents) {
      for (const auto& [tag, series] : contents.series) {
        if (series.metadata.plugin != "mesh") continue;
        const MeshFacts facts = mesh_facts(series.metadata.content);
        samples[facts.name] = facts.shape.empty() ? 0 : facts.shape[0];
      }
    });
    if (samples.empty()) continue;
    json.key(run->name()).open_object();
    for (const auto& [name, count] : samples)
      json.key(name).open_object().key("samples").integer(count).close_object();
    json.close_object();
  }
  json.close_object();
  return json_answer(json);
}

struct MeshPart {
  MeshFacts facts;
  StoredValue value;
  std::string path;
};

std::vector<MeshPart> asked_parts(const BoardFacts& board, const Question& question) {
  const auto run = asked_run(board, question, "mesh data");
  const std::string name = question.parameter("tag");
  std::vector<MeshPart> parts;
  run->with_lock([&](const Run::Contents& contents) {
    for (const auto& [tag, series] : contents.series) {
      if (series.metadata.plugin != "mesh") continue;
      const MeshFacts facts = mesh_facts(series.metadata.content);
      if (facts.name != name) continue;
      for (const StoredValue& value : series.stored)
        parts.push_back({facts, value, contents.paths[value.file]});
    }
  });
  std::ranges::stable_sort(parts, {}, [](const MeshPart& part) { return part.value.step; });
  return parts;
}

Answer meshes(const BoardFacts& board, const Question& question) {
  JsonOut json;
  json.open_array();
  for (const MeshPart& part : asked_parts(board, question)) {
    json.open_object().key("wall_time").number(part.value.wall_time);
    json.key("step").integer(part.value.step).key("content_type").integer(part.facts.content);
    json.key("components").integer(static_cast<std::int64_t>(part.facts.components));
    json.member("config", part.facts.config).key("data_shape").open_array();
    for (const std::int64_t size : part.facts.shape) json.integer(size);
    json.close_array().close_object();
  }
  json.close_array();
  return json_answer(json);
}

template <class T>
void append_as(double value, std::string* bytes) {
  const bool fits = value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                    value <= static_cast<double>(std::numeric_limits<T>::max());
  const T narrow = fits ? static_cast<T>(value) : T{};
  bytes->append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
}

Answer mesh_data(const BoardFacts& board, const Question& question) {
  constexpr std::string_view kContents[] = {"UNDEFINED", "VERTEX", "FACE", "COLOR"};
  const std::string wanted = question.parameter("content_type");
  const auto content = std::ranges::find(kContents, wanted) - std::begin(kContents);
  require(content > 0 && content < std::ssize(kContents), "Bad content_type");
  const double step = question.number_or("step", 0);
  const std::size_t sample = question.count_or("sample", 0);
  std::string bytes;
  for (const MeshPart& part : asked_parts(board, question)) {
    if (static_cast<double>(part.value.step) != step || part.facts.content != content) continue;
    const LoggedTensor tensor = tensor_of(read_stored(part.path, part.value));
    require(static_cast<std::int64_t>(sample) < tensor.rows() && !tensor.is_text,
            "There is no mesh ", sample);
    const std::size_t size = tensor.numbers.size() / static_cast<std::size_t>(tensor.rows());
    for (std::size_t i = sample * size; i < (sample + 1) * size; ++i) {
      if (content == 1) append_as<float>(tensor.numbers[i], &bytes);
      if (content == 2) append_as<std::int32_t>(tensor.numbers[i], &bytes);
      if (content == 3) append_as<std::uint8_t>(tensor.numbers[i], &bytes);
    }
  }
  return text_answer(std::move(bytes), "application/octet-stream");
}

}  // namespace

std::span<const Route> mesh_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/mesh/tags", mesh_tags},
                                      {"/data/plugin/mesh/meshes", meshes},
                                      {"/data/plugin/mesh/data", mesh_data}};
  return kRoutes;
}

}  // namespace rill::board
