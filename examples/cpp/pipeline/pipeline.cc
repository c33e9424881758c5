// An input pipeline: records are written to files, read side by side, parsed, shuffled and batched
// while a network trains on them.
#include <cstdio>
#include <filesystem>

#include "../../drawn_digits.h"
#include "rill/messages.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

constexpr int kFiles = 4, kEach = 500;

std::vector<std::string> write_files(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::vector<std::string> files;
  digits::Pen pen(7);
  for (int i = 0; i < kFiles; ++i) {
    files.push_back(folder / ("digits-" + std::to_string(i) + ".tfrecord"));
    tf::io::TFRecordWriter writer(files.back());
    const auto batch = pen.draw(kEach);
    for (std::size_t j = 0; j < kEach; ++j) {
      const auto first = batch.pixels.begin() + static_cast<std::ptrdiff_t>(j * digits::kPixels);
      const auto example = tf::train::make_example(
          {{"pixels", tf::train::float_feature({first, first + digits::kPixels})},
           {"label", tf::train::int64_feature({batch.labels[j]})}});
      writer.write(example.SerializeAsString());
    }
  }
  return files;
}

}  // namespace

int main() {
  tf::set_random_seed(1);
  const auto folder = std::filesystem::temp_directory_path() / "rill_pipeline";
  const auto files = write_files(folder);

  const auto parse = [](tf::Output record) {
    const auto parsed = tf::parse_single_example(
        record, {{"pixels", tf::FixedLenFeature{{digits::kPixels}, tf::float32}},
                 {"label", tf::FixedLenFeature{{}, tf::int64}}});
    return std::vector{std::get<tf::Output>(parsed.at("pixels")),
                       std::get<tf::Output>(parsed.at("label"))};
  };
  const auto data = tf::data::Dataset::from_tensor_slices({tf::constant(files)})
                        .interleave([](tf::Output file) { return tf::data::TFRecordDataset(file); },
                                    {.cycle_length = kFiles})
                        .map(parse, {.num_parallel_calls = 2})
                        .shuffle(1000, {.seed = 1})
                        .repeat(4)
                        .batch(50)
                        .prefetch(2);
  const auto next = tf::data::make_one_shot_iterator(data).get_next();
  const auto pixels = next[0].tensor(), label = next[1].tensor();

  const auto hidden = tf::layers::dense(pixels, 64, {.activation = tf::nn::relu});
  const auto logits = tf::layers::dense(hidden, digits::kClasses);
  const auto loss = tf::losses::sparse_softmax_cross_entropy(label, logits);
  auto& train = tf::train::AdamOptimizer(0.005).minimize(loss);

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  int batches = 0;
  float error = 0;
  try {
    while (true) {
      const auto [_, now] = sess.run(std::tie(train, loss));
      error = 0.9f * error + 0.1f * now.scalar_value<float>();
      ++batches;
    }
  } catch (const tf::errors::OutOfRangeError&) {
    std::printf("%d batches, loss %.3f\n", batches, error);
  }
  std::filesystem::remove_all(folder);
}
