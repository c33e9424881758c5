// Says what a picture shows: asks a graph such as retrain leaves behind. The Python twin is
// label_image.py.
#include <algorithm>
#include <cstdio>
#include <numeric>

#include "examples/pictures.h"

namespace tf = rill;

namespace {

const auto& graph_file =
    tf::flags::DEFINE_string("graph", "/tmp/output_graph.pb", "a frozen graph");
const auto& labels_file = tf::flags::DEFINE_string("labels", "/tmp/output_labels.txt",
                                                   "the names of its classes, one on a line");
const auto& image = tf::flags::DEFINE_string("image", "", "a JPEG, PNG, GIF or BMP file");
const auto& input_layer = tf::flags::DEFINE_string(
    "input_layer", "", "the tensor for pictures; else the graph's first placeholder");
const auto& output_layer =
    tf::flags::DEFINE_string("output_layer", "final_result", "the operation that answers");
const auto& input_mean = tf::flags::DEFINE_float("input_mean", 127.5, "taken from each pixel");
const auto& input_std =
    tf::flags::DEFINE_float("input_std", 127.5, "what each pixel is divided by then");

std::vector<std::string> read_labels() {
  std::vector<std::string> labels;
  for (std::string line : tf::gfile::GFile(*labels_file).readlines()) {
    if (line.ends_with('\n')) line.pop_back();
    labels.push_back(line);
  }
  return labels;
}

int say(std::span<const std::string>) {
  const auto definition = tf::graph_util::read_graph_def(*graph_file);
  const auto imported =
      tf::import_graph_def(*tf::default_graph(), definition,
                           {.return_elements = {pictures::input_name(definition, *input_layer),
                                                pictures::tensor_name(*output_layer)}});
  const auto source = imported.returned[0], answer = imported.returned[1];
  const auto picture =
      pictures::as_input(tf::gfile::GFile(*image, "rb").read(), source, *input_mean, *input_std);
  tf::Session sess;
  const auto scores = sess.run(answer, {{source, sess.run(picture)}});
  const auto score = scores.flat<float>();
  const auto labels = read_labels();
  tf::require(labels.size() == score.size(), *labels_file, " names ", labels.size(),
              " classes, but the graph tells ", score.size(), " apart");

  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return score[i]; });
  for (std::size_t i = 0; i < std::min<std::size_t>(5, order.size()); ++i)
    std::printf("%s %.5f\n", labels[order[i]].c_str(), static_cast<double>(score[order[i]]));
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return tf::app::run(say, argc, argv); }
