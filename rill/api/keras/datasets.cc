#include "rill/api/keras/datasets.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "rill/api/examples/mnist.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/get_file.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/json_values.h"
#include "rill/io/npy.h"
#include "rill/io/pickled_arrays.h"
#include "rill/io/zip.h"

namespace rill::keras::datasets {
namespace {

using examples::mnist::Shuffler;

constexpr const char* kOrigin = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/";
constexpr const char* kCifar = "https://www.cs.toronto.edu/~kriz/";

// Files as they are fetched; one that is there already may be somebody's own.
struct Known {
  const char* name;
  const char* hash;
};
constexpr Known kHashes[] = {
    {"boston_housing.npz", "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5"},
    {"cifar-10-batches-py", "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce"},
    {"cifar-100-python", "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7"},
    {"imdb.npz", "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f"},
    {"imdb_word_index.json", "bfafd718b763782e994055a2d397834f"},
    {"mnist.npz", "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"},
    {"reuters.npz", "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916"},
    {"reuters_word_index.json", "4d44cc38712099c9e383dc6e5f11a921"},
};

std::string keras_home() {
  const char* const given = std::getenv("KERAS_HOME");
  if (given != nullptr && *given != '\0') return given;
  const char* const home = std::getenv("HOME");
  return join_path(home == nullptr ? "" : home, ".keras");
}

std::string path_of(const std::string& name, const std::string& subdir = "datasets",
                    const std::string& origin = {}, bool untar = false) {
  std::string hash;
  if (!file_exists(join_path(join_path(keras_home(), subdir), name)))
    for (const Known& known : kHashes)
      if (name == known.name) hash = known.hash;
  return utils::get_file(name, origin.empty() ? kOrigin + name : origin,
                         {.untar = untar, .file_hash = hash, .cache_subdir = subdir});
}

// An .npz file, whose arrays are read when they are asked for.
class Arrays {
 public:
  explicit Arrays(const std::string& path) : bytes_(read_file(path)), file_(bytes_, path) {}
  Tensor tensor(const std::string& name) const { return parse_npy(bytes_of(name)); }
  Pickled::List objects(const std::string& name) const { return parse_npy_objects(bytes_of(name)); }

 private:
  std::string bytes_of(const std::string& name) const {
    for (const ZipEntry& entry : file_.entries())
      if (entry.name == name + ".npy") return file_.read(entry);
    raise(Code::kInvalidArgument, "the file has no array '", name, "'");
  }
  std::string bytes_;
  ZipFile file_;
};

// Rows of `all` in another order, or some of them.
Tensor rows(const Tensor& all, std::span<const std::int64_t> order) {
  require(all.rank() > 0 && all.dtype() != DType::string, "data have rows of numbers");
  std::vector<std::int64_t> sizes(all.shape().dims().begin(), all.shape().dims().end());
  sizes[0] = std::ssize(order);
  Tensor picked(all.dtype(), Shape(std::span<const std::int64_t>(sizes)));
  const std::size_t width =
      all.dim(0) == 0 ? 0 : all.byte_size() / static_cast<std::size_t>(all.dim(0));
  auto* to = static_cast<std::byte*>(picked.raw_data());
  for (const std::int64_t i : order) {
    require(i >= 0 && i < all.dim(0), "there are ", all.dim(0), " rows and none of number ", i);
    std::memcpy(to,
                static_cast<const std::byte*>(all.raw_data()) + static_cast<std::size_t>(i) * width,
                width);
    to += width;
  }
  return picked;
}

// CIFAR's rows as images, channels where keras::backend says.
Tensor images(const Tensor& flat) {
  require(flat.dtype() == DType::u8 && flat.element_count() % 3072 == 0,
          "pictures of CIFAR have 3072 bytes");
  const std::int64_t count = flat.element_count() / 3072;
  const Tensor planes = flat.reshaped(Shape({count, 3, 32, 32}));
  if (backend::image_data_format() != "channels_last") return planes;
  Tensor made(DType::u8, Shape({count, 32, 32, 3}));
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t place = 0; place < 1024; ++place)
      for (std::int64_t c = 0; c < 3; ++c)
        made.data<std::uint8_t>()[(i * 1024 + place) * 3 + c] =
            planes.data<std::uint8_t>()[(i * 3 + c) * 1024 + place];
  return made;
}

Part cifar_part(const std::vector<std::string>& files, const std::string& labels) {
  std::string bytes;
  std::vector<std::uint8_t> kinds;
  for (const std::string& file : files) {
    const Pickled stored = read_pickle(read_file(file));
    const Tensor part = pickled_array(stored.at("data"));
    bytes.append(static_cast<const char*>(part.raw_data()), part.byte_size());
    for (const Pickled& kind : stored.at(labels).list())
      kinds.push_back(static_cast<std::uint8_t>(kind.number()));
  }
  Tensor flat(DType::u8, Shape({static_cast<std::int64_t>(bytes.size())}));
  std::memcpy(flat.raw_data(), bytes.data(), bytes.size());
  return {images(flat),
          Tensor::of<std::uint8_t>({std::ssize(kinds), 1}, std::span<const std::uint8_t>(kinds))};
}

// --- words ---------------------------------------------------------------------------------------

struct Texts {
  std::vector<std::vector<std::int64_t>> x;
  std::vector<std::int64_t> y;
};

std::vector<std::int64_t> numbers(const Tensor& all) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < all.element_count(); ++i)
    numbers.push_back(all.dtype() == DType::i64   ? all.data<std::int64_t>()[i]
                      : all.dtype() == DType::i32 ? all.data<std::int32_t>()[i]
                                                  : all.data<std::uint8_t>()[i]);
  return numbers;
}

void add_texts(Texts& all, const Pickled::List& x, const Tensor& y,
               const std::vector<std::int64_t>& order) {
  const std::vector<std::int64_t> labels = numbers(y);
  require(x.size() == labels.size(), "there are ", x.size(), " texts and ", labels.size(),
          " labels");
  for (const std::int64_t i : order) {
    std::vector<std::int64_t> words;
    for (const Pickled& word : x.at(static_cast<std::size_t>(i)).list())
      words.push_back(word.number());
    all.x.push_back(std::move(words));
    all.y.push_back(labels[static_cast<std::size_t>(i)]);
  }
}

void shift(Texts& all, const TextOptions& o) {
  for (auto& words : all.x) {
    if (o.start_char || o.index_from != 0)
      for (std::int64_t& word : words) word += o.index_from;
    if (o.start_char) words.insert(words.begin(), *o.start_char);
  }
}

void drop_long_ones(Texts& all, std::int64_t maxlen) {
  Texts kept;
  for (std::size_t i = 0; i < all.x.size(); ++i) {
    if (std::ssize(all.x[i]) >= maxlen) continue;
    kept.x.push_back(std::move(all.x[i]));
    kept.y.push_back(all.y[i]);
  }
  require(!kept.x.empty(), "After filtering for sequences shorter than maxlen=", maxlen,
          ", no sequence was kept. Increase maxlen.");
  all = std::move(kept);
}

void limit_words(Texts& all, const TextOptions& o) {
  std::int64_t most = o.num_words.value_or(0);
  if (!o.num_words)
    for (const auto& words : all.x)
      for (const std::int64_t word : words) most = std::max(most, word);
  const auto is_kept = [&](std::int64_t word) { return o.skip_top <= word && word < most; };
  for (auto& words : all.x) {
    if (o.oov_char)
      std::ranges::replace_if(
          words, [&](std::int64_t word) { return !is_kept(word); }, *o.oov_char);
    else
      std::erase_if(words, [&](std::int64_t word) { return !is_kept(word); });
  }
}

TextTrainAndTest split_texts(Texts all, std::int64_t kept) {
  kept = std::clamp<std::int64_t>(kept, 0, std::ssize(all.x));
  return {{{all.x.begin(), all.x.begin() + kept}, {all.y.begin(), all.y.begin() + kept}},
          {{all.x.begin() + kept, all.x.end()}, {all.y.begin() + kept, all.y.end()}}};
}

void settle(Texts& all, const TextOptions& o) {
  shift(all, o);
  if (o.maxlen) drop_long_ones(all, *o.maxlen);
  limit_words(all, o);
}

WordIndex word_index(const std::string& path) {
  WordIndex index;
  for (const auto& [word, number] : parse_json(read_file(path_of(path))).members)
    index.emplace(word, int_of(number, word));
  return index;
}

}  // namespace

TrainAndTest mnist::load_data(const std::string& path) {
  const Arrays arrays(path_of(path));
  return {{arrays.tensor("x_train"), arrays.tensor("y_train")},
          {arrays.tensor("x_test"), arrays.tensor("y_test")}};
}

TrainAndTest fashion_mnist::load_data() {
  const auto read = [](const std::string& name) {
    return examples::mnist::read_idx(path_of(name, "datasets/fashion-mnist"));
  };
  return {{read("train-images-idx3-ubyte.gz"), read("train-labels-idx1-ubyte.gz")},
          {read("t10k-images-idx3-ubyte.gz"), read("t10k-labels-idx1-ubyte.gz")}};
}

TrainAndTest boston_housing::load_data(const std::string& path, const Options& o) {
  require(o.test_split >= 0 && o.test_split < 1, "test_split must be in [0, 1), not ",
          o.test_split);
  const Arrays arrays(path_of(path));
  const Tensor x = arrays.tensor("x"), y = arrays.tensor("y");
  const std::vector<std::int64_t> order = Shuffler(o.seed).order(x.dim(0));
  const auto kept =
      static_cast<std::size_t>(static_cast<double>(order.size()) * (1 - o.test_split));
  const std::span all(order);
  return {{rows(x, all.first(kept)), rows(y, all.first(kept))},
          {rows(x, all.subspan(kept)), rows(y, all.subspan(kept))}};
}

TrainAndTest cifar10::load_data() {
  const std::string folder =
      path_of("cifar-10-batches-py", "datasets", str_cat(kCifar, "cifar-10-python.tar.gz"), true);
  std::vector<std::string> files;
  for (int i = 1; i <= 5; ++i) files.push_back(join_path(folder, str_cat("data_batch_", i)));
  return {cifar_part(files, "labels"), cifar_part({join_path(folder, "test_batch")}, "labels")};
}

TrainAndTest cifar100::load_data(const std::string& label_mode) {
  require(label_mode == "fine" || label_mode == "coarse",
          "`label_mode` must be one of `\"fine\"`, `\"coarse\"`.");
  const std::string folder =
      path_of("cifar-100-python", "datasets", str_cat(kCifar, "cifar-100-python.tar.gz"), true);
  const std::string labels = label_mode + "_labels";
  return {cifar_part({join_path(folder, "train")}, labels),
          cifar_part({join_path(folder, "test")}, labels)};
}

TextTrainAndTest imdb::load_data(const std::string& path, const TextOptions& options) {
  const Arrays arrays(path_of(path));
  Shuffler chance(options.seed);
  Texts all;
  std::int64_t kept = 0;
  for (const char* part : {"train", "test"}) {
    const Pickled::List x = arrays.objects(str_cat("x_", part));
    add_texts(all, x, arrays.tensor(str_cat("y_", part)), chance.order(std::ssize(x)));
    if (kept == 0) kept = std::ssize(all.x);
  }
  settle(all, options);
  return split_texts(std::move(all), kept);
}
WordIndex imdb::get_word_index(const std::string& path) { return word_index(path); }

TextTrainAndTest reuters::load_data(const std::string& path, const TextOptions& options) {
  const Arrays arrays(path_of(path));
  const Pickled::List x = arrays.objects("x");
  Texts all;
  add_texts(all, x, arrays.tensor("y"), Shuffler(options.seed).order(std::ssize(x)));
  settle(all, options);
  const auto kept =
      static_cast<std::int64_t>(static_cast<double>(all.x.size()) * (1 - options.test_split));
  return split_texts(std::move(all), kept);
}
WordIndex reuters::get_word_index(const std::string& path) { return word_index(path); }

}  // namespace rill::keras::datasets
