#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rill/tensor/tensor.h"

// tf.keras.datasets: well-known data, fetched once into ~/.keras/datasets ($KERAS_HOME). What lies
// there is taken as it is; on a machine without a network an error says where a file belongs.
//
//   const auto [train, test] = tf::keras::datasets::mnist::load_data();
//   model.fit(scaled(train.x), train.y);
namespace rill::keras::datasets {

struct Part {
  Tensor x = {}, y = {};
};
struct TrainAndTest {
  Part train = {}, test = {};
};
// Sequences of numbers of words; they differ in length, see preprocessing of the program.
struct TextPart {
  std::vector<std::vector<std::int64_t>> x = {};
  std::vector<std::int64_t> y = {};
};
struct TextTrainAndTest {
  TextPart train = {}, test = {};
};
struct TextOptions {
  std::optional<std::int64_t> num_words = {};  // rarer words become oov_char
  std::int64_t skip_top = 0;                   // so do so many of the most frequent
  std::optional<std::int64_t> maxlen = {};     // longer sequences are left out
  std::uint32_t seed = 113;
  std::optional<std::int64_t> start_char = 1, oov_char = 2;  // none: no such word
  std::int64_t index_from = 3;
  double test_split = 0.2;  // reuters
};
using WordIndex = std::map<std::string, std::int64_t>;

namespace mnist {
TrainAndTest load_data(const std::string& path = "mnist.npz");
}  // namespace mnist
namespace fashion_mnist {
TrainAndTest load_data();
}  // namespace fashion_mnist
namespace boston_housing {
struct Options {
  double test_split = 0.2;
  std::uint32_t seed = 113;
};
TrainAndTest load_data(const std::string& path = "boston_housing.npz", const Options& options = {});
}  // namespace boston_housing
namespace cifar10 {
TrainAndTest load_data();
}  // namespace cifar10
namespace cifar100 {
TrainAndTest load_data(const std::string& label_mode = "fine");  // or "coarse"
}  // namespace cifar100
namespace imdb {
TextTrainAndTest load_data(const std::string& path = "imdb.npz", const TextOptions& options = {});
WordIndex get_word_index(const std::string& path = "imdb_word_index.json");
}  // namespace imdb
namespace reuters {
TextTrainAndTest load_data(const std::string& path = "reuters.npz",
                           const TextOptions& options = {});
WordIndex get_word_index(const std::string& path = "reuters_word_index.json");
}  // namespace reuters

}  // namespace rill::keras::datasets
