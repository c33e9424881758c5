// Builds on a trained network: keeps all of it but the last layer, and trains a new one for one's
// own pictures. The Python twin, retrain.py, says more about it; both take the same flags, but for
// --architecture and --model_dir, and keep the same files.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>

#include "examples/pictures.h"

namespace tf = rill;
namespace fs = std::filesystem;

namespace {

using tf::flags::DEFINE_float, tf::flags::DEFINE_integer, tf::flags::DEFINE_string;
const auto& image_dir = DEFINE_string("image_dir", "", "folders of JPEG files, one for each class");
const auto& trunk = DEFINE_string("trunk", "", "a SavedModel, or a frozen graph (.pb)");
const auto& input_layer =
    DEFINE_string("input_layer", "", "the trunk's tensor for pictures; else its only placeholder");
const auto& bottleneck_layer =
    DEFINE_string("bottleneck_layer", "", "the trunk's tensor to build on; else its last one");
const auto& input_mean = DEFINE_float("input_mean", 127.5, "taken from each pixel");
const auto& input_std = DEFINE_float("input_std", 127.5, "what each pixel is divided by then");
const auto& bottleneck_dir = DEFINE_string("bottleneck_dir", "/tmp/bottleneck",
                                           "keeps what the trunk makes of each picture");
const auto& output_graph =
    DEFINE_string("output_graph", "/tmp/output_graph.pb", "the trained graph");
const auto& output_labels =
    DEFINE_string("output_labels", "/tmp/output_labels.txt", "the names of its classes");
const auto& saved_model_dir =
    DEFINE_string("saved_model_dir", "", "the same as a SavedModel, where it is wanted");
const auto& summaries_dir = DEFINE_string("summaries_dir", "/tmp/retrain_logs", "for TensorBoard");
const auto& final_tensor_name =
    DEFINE_string("final_tensor_name", "final_result", "what the graph answers with");
const auto& training_steps = DEFINE_integer("how_many_training_steps", 4000, "how long to train");
const auto& learning_rate = DEFINE_float("learning_rate", 0.01, "how far each step goes");
const auto& batch_size = DEFINE_integer("train_batch_size", 100, "pictures of a step");
const auto& eval_interval =
    DEFINE_integer("eval_step_interval", 100, "steps between two looks at the validation pictures");
const auto& testing_percentage =
    DEFINE_integer("testing_percentage", 10, "pictures that are kept for the end");
const auto& validation_percentage =
    DEFINE_integer("validation_percentage", 10, "pictures that are watched while training");

// --- the pictures ------------------------------------------------------------------------------

enum Set { kTesting, kValidation, kTraining, kSets };

struct Picture {
  std::int64_t label;
  fs::path path;
};
struct Pictures {
  std::vector<std::string> labels;
  std::vector<Picture> sets[kSets];
};

// Depends on the file's name alone: more pictures do not move those that are there.
Set set_of(const std::string& name) {
  std::uint32_t hash = 2166136261;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  const auto number = static_cast<std::int64_t>(hash % 100);
  if (number < *testing_percentage) return kTesting;
  return number < *testing_percentage + *validation_percentage ? kValidation : kTraining;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::vector<fs::path> sorted(const fs::path& folder, bool (*wanted)(const fs::path&)) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (wanted(entry.path())) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

Pictures list_pictures() {
  Pictures all;
  for (const auto& folder : sorted(*image_dir, [](auto& p) { return fs::is_directory(p); })) {
    const auto files = sorted(folder, [](const fs::path& p) {
      const std::string ending = lower(p.extension());
      return ending == ".jpg" || ending == ".jpeg";
    });
    if (files.empty()) {
      std::printf("no pictures in %s\n", folder.c_str());
      continue;
    }
    for (const auto& file : files)
      all.sets[set_of(file.filename())].push_back(
          {static_cast<std::int64_t>(all.labels.size()), file});
    all.labels.push_back(lower(folder.filename()));
  }
  tf::require(all.labels.size() >= 2, "--image_dir=", *image_dir,
              " must have pictures of two classes or more");
  tf::require(!all.sets[kTraining].empty(), "no picture is left to train with");
  return all;
}

// --- the network -------------------------------------------------------------------------------

struct Trunk {
  tf::Output source, vector;
};

Trunk import_trunk() {
  tensorflow::GraphDef definition;
  std::string source = *input_layer, vector = *bottleneck_layer;
  if (fs::is_directory(*trunk)) {
    const auto model = tf::saved_model::load(*trunk);
    const auto& signature = model.meta_graph->signature_def().at("serving_default");
    if (source.empty()) source = signature.inputs().begin()->second.name();
    if (vector.empty()) vector = signature.outputs().begin()->second.name();
    definition = tf::saved_model::freeze_session(
        *model.session, {.output_node_names = {vector.substr(0, vector.find(':'))}});
  } else {
    definition = tf::graph_util::read_graph_def(*trunk);
    if (vector.empty()) vector = definition.node(definition.node_size() - 1).name();
  }
  const auto imported =
      tf::import_graph_def(*tf::default_graph(), definition,
                           {.return_elements = {pictures::input_name(definition, source),
                                                pictures::tensor_name(vector)}});
  return {imported.returned[0], imported.returned[1]};
}

// A new last layer. Vectors that are known already are fed; else they are those of the trunk.
struct Head {
  tf::Output fed, labels, result, loss, accuracy;
};

Head add_head(tf::Output vector, std::int64_t classes) {
  const std::int64_t size = vector.shape()[vector.shape().rank() - 1];
  Head head;
  head.fed = tf::raw::PlaceholderWithDefault(tf::reshape(vector, tf::ShapeInput({-1, size})),
                                             {-1, size}, {.name = "BottleneckInput"});
  head.labels = tf::placeholder(tf::int64, {tf::None}, {.name = "GroundTruthInput"});
  const auto logits =
      tf::layers::dense(head.fed, classes,
                        {.kernel_initializer = tf::truncated_normal_initializer({.stddev = 0.001}),
                         .name = "final_training_ops"});
  head.result = tf::nn::softmax(logits, {.name = *final_tensor_name});
  head.loss = tf::losses::sparse_softmax_cross_entropy(head.labels, logits);
  const auto right = tf::equal(tf::argmax(head.result, {.axis = 1}), head.labels);
  head.accuracy = tf::reduce_mean(tf::cast(right, tf::float32));
  tf::summaries::scalar("cross_entropy", head.loss);
  tf::summaries::scalar("accuracy", head.accuracy);
  return head;
}

// --- what the trunk makes of each picture ------------------------------------------------------

// The numbers of a file; nothing where there is none, or not as many as there must be.
std::vector<float> read_vector(const std::string& path, std::int64_t size) {
  std::vector<float> values;
  if (!tf::gfile::Exists(path)) return values;
  const std::string text = tf::gfile::GFile(path).read();
  const char* at = text.c_str();
  for (char* end = nullptr;; at = end + 1) {
    const float value = std::strtof(at, &end);
    if (end == at) break;
    values.push_back(value);
    if (*end != ',') break;
  }
  if (static_cast<std::int64_t>(values.size()) == size) return values;
  std::printf("%s is damaged and made anew\n", path.c_str());
  return {};
}

void write_vector(const std::string& path, std::span<const float> values) {
  std::string text;
  char number[32];
  for (const float value : values) {
    std::snprintf(number, sizeof number, "%s%.9g", text.empty() ? "" : ",",
                  static_cast<double>(value));
    text += number;
  }
  fs::create_directories(fs::path(path).parent_path());
  tf::gfile::GFile(path, "w").write(text);
}

struct Bottlenecks {
  tf::Session& sess;
  Trunk network;
  tf::Output bytes, picture;
  std::int64_t size;

  std::vector<float> of(const fs::path& path) const {
    const std::string kept = fs::path(*bottleneck_dir) / fs::relative(path, *image_dir).string() +=
        "_" + (fs::path(*trunk) / ".").parent_path().filename().string() + ".txt";
    if (auto values = read_vector(kept, size); !values.empty()) return values;
    const auto read = tf::Tensor::scalar(tf::gfile::GFile(path, "rb").read());
    const auto made =
        sess.run(network.vector, {{network.source, sess.run(picture, {{bytes, read}})}});
    const auto values = made.flat<float>();
    write_vector(kept, values);
    return {values.begin(), values.end()};
  }
};

struct Examples {
  tf::Tensor vectors, labels;
  std::int64_t count() const { return labels.element_count(); }

  Examples rows(const std::vector<std::int64_t>& chosen) const {
    const std::int64_t size = vectors.dim(1), count = static_cast<std::int64_t>(chosen.size());
    Examples batch{tf::Tensor(tf::float32, {count, size}), tf::Tensor(tf::int64, {count})};
    for (std::int64_t i = 0; i < count; ++i) {
      const auto row = chosen[static_cast<std::size_t>(i)];
      std::copy_n(vectors.data<float>() + row * size, size, batch.vectors.data<float>() + i * size);
      batch.labels.data<std::int64_t>()[i] = labels.data<std::int64_t>()[row];
    }
    return batch;
  }
};

Examples examples_of(const std::vector<Picture>& pictures, const Bottlenecks& bottlenecks) {
  const auto count = static_cast<std::int64_t>(pictures.size());
  Examples all{tf::Tensor(tf::float32, {count, bottlenecks.size}), tf::Tensor(tf::int64, {count})};
  for (std::int64_t i = 0; i < count; ++i) {
    const auto& picture = pictures[static_cast<std::size_t>(i)];
    std::ranges::copy(bottlenecks.of(picture.path),
                      all.vectors.data<float>() + i * bottlenecks.size);
    all.labels.data<std::int64_t>()[i] = picture.label;
  }
  return all;
}

// --- training ----------------------------------------------------------------------------------

std::vector<tf::Feed> feeds(const Head& head, const Examples& examples) {
  return {{head.fed, examples.vectors}, {head.labels, examples.labels}};
}

void train(tf::Session& sess, const Head& head, tf::Node& step, const Examples (&sets)[kSets]) {
  const auto merged = *tf::summaries::merge_all();
  const fs::path logs = *summaries_dir;
  tf::summaries::FileWriter training(logs / "training"), validation(logs / "validation");
  training.add_graph(sess.graph());
  std::mt19937 chance(1);
  std::uniform_int_distribution<std::int64_t> any(0, sets[kTraining].count() - 1);
  for (std::int64_t i = 1; i <= *training_steps; ++i) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(*batch_size));
    std::ranges::generate(rows, [&] { return any(chance); });
    sess.run(step, feeds(head, sets[kTraining].rows(rows)));
    if (i % *eval_interval != 0 && i != *training_steps) continue;
    for (const Set set : {kTraining, kValidation}) {
      if (sets[set].count() == 0) continue;
      const auto told =
          sess.run(std::vector{merged, head.loss, head.accuracy}, feeds(head, sets[set]));
      (set == kTraining ? training : validation)
          .add_summary(told[0].scalar_value<std::string>(), i);
      std::printf("step %d: %s accuracy %.1f%%, cross entropy %.4f\n", static_cast<int>(i),
                  set == kTraining ? "training" : "validation",
                  100.0 * static_cast<double>(told[2].scalar_value<float>()),
                  static_cast<double>(told[1].scalar_value<float>()));
    }
  }
  if (sets[kTesting].count() == 0) return;
  const auto right = sess.run(head.accuracy, feeds(head, sets[kTesting])).scalar_value<float>();
  std::printf("final test accuracy = %.1f%% (N=%d)\n", 100.0 * static_cast<double>(right),
              static_cast<int>(sets[kTesting].count()));
}

void write_results(tf::Session& sess, tf::Output source, tf::Output result,
                   const std::vector<std::string>& labels) {
  const auto frozen =
      tf::saved_model::freeze_session(sess, {.output_node_names = {result.node->name()}});
  tf::gfile::GFile(*output_graph, "wb").write(frozen.SerializeAsString());
  std::string names;
  for (const auto& label : labels) names += label + "\n";
  tf::gfile::GFile(*output_labels, "w").write(names);
  if (!saved_model_dir->empty())
    tf::saved_model::simple_save(sess, *saved_model_dir, {{"image", source}},
                                 {{"prediction", result}});
}

int retrain(std::span<const std::string>) {
  const Pictures all = list_pictures();
  const Trunk network = import_trunk();
  const auto bytes = tf::placeholder(tf::string, {}, {.name = "DecodeJPGInput"});
  const auto picture = pictures::as_input(bytes, network.source, *input_mean, *input_std);
  const Head head = add_head(network.vector, static_cast<std::int64_t>(all.labels.size()));
  auto& step = tf::train::GradientDescentOptimizer(*learning_rate).minimize(head.loss);

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  const Bottlenecks bottlenecks{sess, network, bytes, picture, head.fed.shape()[1]};
  const Examples sets[kSets] = {examples_of(all.sets[kTesting], bottlenecks),
                                examples_of(all.sets[kValidation], bottlenecks),
                                examples_of(all.sets[kTraining], bottlenecks)};
  train(sess, head, step, sets);
  write_results(sess, network.source, head.result, all.labels);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return tf::app::run(retrain, argc, argv); }
