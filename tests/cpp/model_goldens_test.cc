// Reads models that TensorFlow wrote, and compares with what it answered (tools/model_goldens.py).
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include "rill/api/core/default_graph.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/api/saver/saver.h"
#include "rill/base/files.h"
#include "rill/graph/graph_def.h"
#include "rill/io/event_reader.h"
#include "rill/io/record_reader.h"
#include "rill/tensor/dtype_visit.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/util/event.pb.h"
#include "tests/cpp/stored_graphs.h"

namespace rill {
namespace {

using google::protobuf::ListValue;
using google::protobuf::Struct;
using google::protobuf::Value;
using NamedFeeds = std::vector<std::pair<std::string, Tensor>>;

const std::string kModelGoldens = "tests/golden/models";

std::string decoded(const std::string& base64) {
  static const std::string kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (const char c : base64) {
    const auto digit = kDigits.find(c);
    if (digit == std::string::npos) break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 0xff);
  }
  return bytes;
}

const Value& at(const Struct& from, const std::string& key) { return from.fields().at(key); }
const Struct& part(const Struct& from, const std::string& key) {
  return at(from, key).struct_value();
}
const std::string& text(const Struct& from, const std::string& key) {
  return at(from, key).string_value();
}
const ListValue& list(const Struct& from, const std::string& key) {
  return at(from, key).list_value();
}
std::vector<std::string> texts(const ListValue& values) {
  std::vector<std::string> all;
  for (const Value& value : values.values()) all.push_back(value.string_value());
  return all;
}

template <class T>
T stored_element(const Value& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return decoded(value.string_value());
  } else if constexpr (std::is_same_v<T, std::complex<float>> ||
                       std::is_same_v<T, std::complex<double>>) {
    using Part = typename T::value_type;
    const auto& parts = value.list_value().values();
    return T(static_cast<Part>(parts[0].number_value()),
             static_cast<Part>(parts[1].number_value()));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value.bool_value();
  } else if constexpr (std::is_constructible_v<T, float> || std::is_arithmetic_v<T>) {
    return static_cast<T>(value.kind_case() == Value::kStringValue ? std::stod(value.string_value())
                                                                   : value.number_value());
  } else {
    ADD_FAILURE() << "a value of a type that is in no answer";
    return T();
  }
}

// What `described` of tools/model_cases/reading.py told.
Tensor tensor_of(const Struct& described) {
  DType dtype = DType::string;  // "object" in Python
  if (text(described, "dtype") != "object") {
    EXPECT_TRUE(parse_dtype(text(described, "dtype"), &dtype)) << text(described, "dtype");
  }
  std::vector<std::int64_t> dims;
  for (const Value& dim : list(described, "shape").values())
    dims.push_back(static_cast<std::int64_t>(dim.number_value()));
  Tensor tensor = Tensor::zeros(dtype, Shape(dims));
  const auto& data = list(described, "data").values();
  visit_dtype(dtype, [&]<class T>() {
    auto flat = tensor.flat<T>();
    for (int i = 0; i < data.size(); ++i)
      flat[static_cast<std::size_t>(i)] = stored_element<T>(data[i]);
  });
  return tensor;
}

void expect_agree(const Tensor& got, const Value& want, const std::string& what) {
  const Tensor expected = tensor_of(want.struct_value());
  EXPECT_TRUE(agree(got, expected)) << what << " is " << print(got) << "\nwant " << print(expected);
}

NamedFeeds feeds_of_step(const Struct& step) {
  NamedFeeds feeds;
  for (const auto& [name, value] : part(step, "feeds").fields())
    feeds.emplace_back(name, tensor_of(value.struct_value()));
  return feeds;
}

void expect_steps(Session& session, const ListValue& steps, const ListValue& values) {
  for (int i = 0; i < steps.values_size(); ++i) {
    const Struct& step = steps.values(i).struct_value();
    const auto fetches = texts(list(step, "fetches"));
    const auto got = session.run(feeds_of_step(step), fetches, texts(list(step, "targets")));
    for (std::size_t k = 0; k < fetches.size(); ++k)
      expect_agree(got[k], values.values(i).list_value().values(static_cast<int>(k)), fetches[k]);
  }
}

// --- kinds of questions ------------------------------------------------------------------------

void ask_checkpoint(const std::string& folder, const Struct& question, const Struct& answer) {
  const auto reader = train::load_checkpoint(join_path(folder, text(question, "prefix")));
  EXPECT_EQ(reader->tensors().size(),
            static_cast<std::size_t>(list(answer, "listed").values_size()));
  for (const auto& [name, stored] : part(answer, "tensors").fields())
    expect_agree(reader->read(name), stored.list_value().values(2), name);
}

void ask_meta_graph(const std::string& folder, const Struct& question, const Struct& answer) {
  if (question.fields().contains("gradients")) return;  // Python's business
  const auto graph = make_graph();
  const AsDefault in(graph);
  const auto saver =
      train::import_meta_graph(join_path(folder, text(question, "meta")), {.clear_devices = true});
  Session session(graph);
  if (at(question, "prefix").kind_case() == Value::kStringValue)
    saver->restore(session, join_path(folder, text(question, "prefix")));
  expect_steps(session, list(question, "steps"), list(answer, "values"));
}

void ask_graph(const std::string& folder, const Struct& question, const Struct& answer) {
  if (text(question, "file").ends_with("txt")) return;
  tensorflow::GraphDef def;
  ASSERT_TRUE(def.ParseFromString(read_file(join_path(folder, text(question, "file")))));
  auto graph = make_graph();
  import_graph_def(*graph, def);
  Session session(graph);
  expect_steps(session, list(question, "steps"), list(answer, "values"));
}

void ask_saved_model(const std::string& folder, const Struct& question, const Struct& answer) {
  const auto tags = texts(list(question, "tags"));
  auto bundle = saved_model::load(join_path(folder, "model"), {tags.begin(), tags.end()});
  const auto& calls = list(question, "calls");
  for (int i = 0; i < calls.values_size(); ++i) {
    const Struct& call = calls.values(i).struct_value();
    const NamedFeeds feeds = feeds_of_step(call);
    const auto got = bundle.run({feeds.begin(), feeds.end()}, text(call, "signature"));
    for (const auto& [name, want] : list(answer, "calls").values(i).struct_value().fields()) {
      const auto& parts = want.list_value().values();
      if (parts.size() == 1) {
        expect_agree(got.at(name), parts[0], name);
        continue;
      }
      expect_agree(got.at(name + "/indices"), parts[0], name);
      expect_agree(got.at(name + "/values"), parts[1], name);
      expect_agree(got.at(name + "/dense_shape"), parts[2], name);
    }
  }
}

void ask_records(const std::string& folder, const Struct& question, const Struct& answer) {
  if (!answer.fields().contains("records")) return;
  const bool packed = question.fields().contains("compression");
  RecordReader reader(
      join_path(folder, "records"),
      {.compression = compression_named(packed ? text(question, "compression") : "")});
  std::string record;
  for (const Value& want : list(answer, "records").values()) {
    ASSERT_TRUE(reader.read(&record));
    EXPECT_EQ(record, decoded(want.string_value()));
  }
  EXPECT_FALSE(reader.read(&record));
}

void ask_events(const std::string& folder, const Struct& question, const Struct& answer) {
  std::vector<tensorflow::Event> events;
  for (const std::string& path : matching_paths(join_path(folder, text(question, "file")))) {
    EventReader reader(path);
    for (tensorflow::Event event; reader.read(&event);) events.push_back(event);
  }
  const auto& wanted = list(answer, "events").values();
  ASSERT_EQ(events.size(), static_cast<std::size_t>(wanted.size()));
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Struct& want = wanted[static_cast<int>(i)].struct_value();
    const auto step = want.fields().find("step");
    EXPECT_EQ(std::to_string(events[i].step()),
              step == want.fields().end() ? "0" : step->second.string_value());
    EXPECT_EQ(events[i].has_summary(), want.fields().contains("summary"));
    if (!events[i].has_summary()) continue;
    const auto& values = list(part(want, "summary"), "value").values();
    ASSERT_EQ(events[i].summary().value_size(), values.size());
    for (int k = 0; k < values.size(); ++k)
      EXPECT_EQ(events[i].summary().value(k).tag(), text(values[k].struct_value(), "tag"));
  }
}

using Ask = void (*)(const std::string&, const Struct&, const Struct&);
const std::map<std::string, Ask> kKinds = {
    {"checkpoint", ask_checkpoint},   {"meta_graph", ask_meta_graph}, {"graph", ask_graph},
    {"saved_model", ask_saved_model}, {"records", ask_records},       {"events", ask_events}};

void expect_family(const std::string& family) {
  Struct cases;
  const auto status = google::protobuf::util::JsonStringToMessage(
      read_file(join_path(kModelGoldens, family + ".json")), &cases);
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (const auto& [name, found] : cases.fields()) {
    SCOPED_TRACE(family + "/" + name);
    const Struct& question = part(found.struct_value(), "question");
    const auto ask = kKinds.find(text(question, "kind"));
    if (ask == kKinds.end()) continue;
    try {
      ask->second(join_path(join_path(kModelGoldens, family), name), question,
                  part(found.struct_value(), "answer"));
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(ModelGoldens, checkpoints) { expect_family("checkpoints"); }
TEST(ModelGoldens, meta_graphs) { expect_family("meta_graphs"); }
TEST(ModelGoldens, frozen_graphs) { expect_family("frozen"); }
TEST(ModelGoldens, saved_models) { expect_family("saved_models"); }
TEST(ModelGoldens, models_of_tensorflow_2) { expect_family("tf2_models"); }
TEST(ModelGoldens, keras_models) { expect_family("tf2_keras"); }
TEST(ModelGoldens, records) { expect_family("records"); }
TEST(ModelGoldens, events) { expect_family("events"); }
TEST(ModelGoldens, events_of_tensorflow_2) { expect_family("tf2_events"); }

}  // namespace
}  // namespace rill
