#include "rill/board/data/stored_tensor.h"
#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

void write_samples(const Series& series, JsonOut& json) {
  json.key("samples").integer(static_cast<std::int64_t>(series.samples));
}

Answer image_tags(const BoardFacts& board, const Question&) {
  return tags_answer(board, "images",
                     [](const Series& series, JsonOut& json) { write_samples(series, json); });
}
Answer audio_tags(const BoardFacts& board, const Question&) {
  return tags_answer(board, "audio",
                     [](const Series& series, JsonOut& json) { write_samples(series, json); });
}

// The address of one picture or clip: whatever the log does later, it names the same bytes.
std::string blob_query(const Question& question, const StoredValue& value, std::size_t index,
                       std::size_t sample) {
  return str_cat("run=", url_encoded(question.parameter("run")),
                 "&tag=", url_encoded(question.parameter("tag")), "&index=", index,
                 "&step=", value.step, "&sample=", sample);
}

// Steps with fewer samples have none of this number; how many there are is in the bytes, so that
// only series with several samples are asked.
bool has_sample(const StoredSeries& stored, const StoredValue& value, bool is_image,
                std::size_t sample) {
  if (value.kind != ValueKind::kTensor) return sample == 0;
  if (sample == 0 && !is_image) return true;
  const auto file = file_system_of(stored.paths[value.file]).open(stored.paths[value.file]);
  BytesInFile bytes(*file, value.offset, value.size);
  const TensorFacts facts = tensor_facts(bytes, 0, value.size);
  return is_image ? facts.strings > sample + 2
                  : std::min(facts.strings, facts.first_dimension) > sample;
}

// As the metadata says; what was written before there was metadata is of a kind nobody named.
std::string_view audio_type(const SeriesMetadata& metadata) {
  constexpr std::uint64_t kWav = 11;
  bool is_wav = false;
  each_field(metadata.content, [&](const MessageField& field) {
    if (field.is(2, MessageField::kVarint)) is_wav = field.integer() == kWav;
  });
  return is_wav ? "audio/wav" : "application/octet-stream";
}

Answer blobs(const BoardFacts& board, const Question& question, bool is_image) {
  const StoredSeries stored = asked_stored(board, question, is_image ? "images" : "audio",
                                           is_image ? "image data" : "audio data");
  const std::size_t sample = question.count_or("sample", 0);
  JsonOut json;
  json.open_array();
  for (std::size_t i = 0; i < stored.values.size(); ++i) {
    const StoredValue& value = stored.values[i];
    if (!has_sample(stored, value, is_image, sample)) continue;
    json.open_object().key("wall_time").number(value.wall_time).key("step").integer(value.step);
    std::string query = blob_query(question, value, i, sample);
    if (!is_image) {
      json.member("label", "").member("contentType", audio_type(stored.metadata));
      query += "&content_type=" + url_encoded(audio_type(stored.metadata));
    }
    json.member("query", query).close_object();
  }
  json.close_array();
  return json_answer(json);
}

Answer images(const BoardFacts& board, const Question& question) {
  return blobs(board, question, true);
}
Answer audio(const BoardFacts& board, const Question& question) {
  return blobs(board, question, false);
}

Answer blob(const BoardFacts& board, const Question& question, bool is_image) {
  const StoredSeries stored = asked_stored(board, question, is_image ? "images" : "audio",
                                           is_image ? "image data" : "audio data");
  const std::size_t index = question.count_or("index", 0), sample = question.count_or("sample", 0);
  const StoredValue* found = index < stored.values.size() ? &stored.values[index] : nullptr;
  // After a purge others may stand at this index.
  long long step = 0;
  if (question.has("step") && parse_int(question.parameter("step"), &step) &&
      (found == nullptr || found->step != step)) {
    found = nullptr;
    for (const StoredValue& value : stored.values)
      if (value.step == step) found = &value;
  }
  if (found == nullptr) raise(Code::kNotFound, "Invalid run, tag, index, or sample");
  Blob blob = is_image ? image_of(found->kind, stored.bytes(*found), sample)
                       : audio_of(found->kind, stored.bytes(*found), sample);
  return text_answer(std::move(blob.bytes), std::move(blob.content_type));
}

Answer individual_image(const BoardFacts& board, const Question& question) {
  return blob(board, question, true);
}
Answer individual_audio(const BoardFacts& board, const Question& question) {
  return blob(board, question, false);
}

}  // namespace

std::span<const Route> media_routes() {
  static constexpr Route kRoutes[] = {
      {"/data/plugin/images/tags", image_tags},
      {"/data/plugin/images/images", images},
      {"/data/plugin/images/individualImage", individual_image},
      {"/data/plugin/audio/tags", audio_tags},
      {"/data/plugin/audio/audio", audio},
      {"/data/plugin/audio/individualAudio", individual_audio},
  };
  return kRoutes;
}

}  // namespace rill::board
