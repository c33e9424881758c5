#include "rill/api/examples/mnist.h"

#include <cstring>
#include <numeric>
#include <random>

#include "rill/api/io/gfile.h"
#include "rill/io/inflate.h"

namespace rill::examples::mnist {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t place) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[place + i]);
  return number;
}

// The rows of `all` in that order.
Tensor rows(const Tensor& all, std::span<const std::int64_t> order) {
  std::vector<std::int64_t> dims(all.shape().dims().begin(), all.shape().dims().end());
  dims[0] = static_cast<std::int64_t>(order.size());
  Tensor picked(all.dtype(), Shape(dims));
  const std::size_t row =
      all.dim(0) == 0 ? 0 : all.byte_size() / static_cast<std::size_t>(all.dim(0));
  auto* to = static_cast<std::byte*>(picked.raw_data());
  const auto* from = static_cast<const std::byte*>(all.raw_data());
  for (const std::int64_t i : order) {
    std::memcpy(to, from + static_cast<std::size_t>(i) * row, row);
    to += row;
  }
  return picked;
}

std::vector<std::int64_t> range(std::int64_t start, std::int64_t end) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(end - start));
  std::iota(all.begin(), all.end(), start);
  return all;
}

Tensor prepared_images(const Tensor& bytes, const ReadOptions& options) {
  require(bytes.rank() == 3, "images have 3 dimensions, not ", bytes.rank());
  const std::int64_t count = bytes.dim(0), pixels = bytes.dim(1) * bytes.dim(2);
  const Shape shape =
      options.reshape ? Shape({count, pixels}) : Shape({count, bytes.dim(1), bytes.dim(2), 1});
  require(options.dtype == DType::f32 || options.dtype == DType::u8, "Invalid image dtype ",
          numpy_name(options.dtype), ", expected uint8 or float32");
  Tensor images(options.dtype, shape);
  const auto* from = bytes.data<std::uint8_t>();
  for (std::int64_t i = 0; i < bytes.element_count(); ++i) {
    if (options.dtype == DType::u8)
      images.data<std::uint8_t>()[i] = from[i];
    else
      images.data<float>()[i] = static_cast<float>(from[i]) * (1.0F / 255.0F);
  }
  return images;
}

Tensor prepared_labels(const Tensor& bytes, const ReadOptions& options) {
  require(bytes.rank() == 1, "labels have 1 dimension, not ", bytes.rank());
  if (!options.one_hot) return bytes;
  constexpr std::int64_t kClasses = 10;
  Tensor labels = Tensor::zeros(DType::f64, {bytes.dim(0), kClasses});
  for (std::int64_t i = 0; i < bytes.dim(0); ++i) {
    const std::uint8_t label = bytes.data<std::uint8_t>()[i];
    require(label < kClasses, "a label is ", label, ", which is no digit");
    labels.data<double>()[i * kClasses + label] = 1;
  }
  return labels;
}

Tensor read_file(const std::string& directory, const std::string& name) {
  for (const char* ending : {".gz", ""}) {
    const std::string path = str_cat(directory, "/", name, ending);
    if (gfile::Exists(path)) return read_idx(path);
  }
  raise(Code::kNotFound, "There is no ", name, ".gz in '", directory,
        "'. Put MNIST's four files train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz, "
        "t10k-images-idx3-ubyte.gz and t10k-labels-idx1-ubyte.gz there: nothing is downloaded.");
}

}  // namespace

Tensor read_idx(const std::string& path) {
  std::string bytes = gfile::GFile(path, "rb").read();
  if (path.ends_with(".gz")) bytes = inflated(bytes, Compression::gzip);
  const bool is_idx = bytes.size() >= 4 && number_at(bytes, 0) >> 8 == 0x08;
  require(is_idx, "'", path, "' is no IDX file of bytes");
  const std::size_t rank = static_cast<unsigned char>(bytes[3]), header = 4 + 4 * rank;
  if (bytes.size() < header) raise(Code::kDataLoss, "'", path, "' ends in its header");
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < rank; ++i) dims.push_back(number_at(bytes, 4 + 4 * i));
  const Shape shape(dims);
  if (bytes.size() - header < static_cast<std::size_t>(shape.element_count()))
    raise(Code::kDataLoss, "'", path, "' ends before its ", shape.element_count(), " bytes");
  Tensor values(DType::u8, shape);
  std::memcpy(values.raw_data(), bytes.data() + header, values.byte_size());
  return values;
}

// --- batches -------------------------------------------------------------------------------------

struct Shuffler::Bits {
  std::mt19937 next;
};

Shuffler::Shuffler(std::uint32_t seed) : bits_(std::make_shared<Bits>(Bits{std::mt19937(seed)})) {}

// Draws again until the value is small enough, as NumPy does.
std::uint32_t Shuffler::up_to(std::uint32_t most) {
  std::uint32_t mask = most;
  for (const int shift : {1, 2, 4, 8, 16}) mask |= mask >> shift;
  std::uint32_t value = 0;
  do {
    value = static_cast<std::uint32_t>(bits_->next()) & mask;
  } while (value > most);
  return value;
}

std::vector<std::int64_t> Shuffler::order(std::int64_t count) {
  std::vector<std::int64_t> all = range(0, count);
  for (std::int64_t i = count - 1; i > 0; --i)
    std::swap(all[static_cast<std::size_t>(i)], all[up_to(static_cast<std::uint32_t>(i))]);
  return all;
}

DataSet::DataSet(Tensor images, Tensor labels, std::uint32_t seed)
    : images_(std::move(images)), labels_(std::move(labels)), shuffler_(seed) {
  require(images_.rank() > 0 && labels_.rank() > 0 && images_.dim(0) == labels_.dim(0),
          "images.shape: ", images_.shape(), " labels.shape: ", labels_.shape());
}

void DataSet::shuffle_all() {
  const std::vector<std::int64_t> order = shuffler_.order(num_examples());
  images_ = rows(images_, order);
  labels_ = rows(labels_, order);
}

Batch DataSet::next_batch(std::int64_t batch_size, bool shuffle) {
  require(batch_size >= 0 && batch_size <= num_examples(), "a batch of ", batch_size,
          " examples of a set of ", num_examples());
  if (epochs_completed_ == 0 && next_ == 0 && shuffle) shuffle_all();
  const std::int64_t start = next_;
  if (start + batch_size <= num_examples()) {
    next_ += batch_size;
    const auto picked = range(start, next_);
    return {rows(images_, picked), rows(labels_, picked)};
  }
  // What is left of this epoch, then the beginning of the next one.
  ++epochs_completed_;
  const std::int64_t count = num_examples();
  const Tensor rest_images = images_, rest_labels = labels_;
  if (shuffle) shuffle_all();
  next_ = batch_size - (count - start);
  const auto joined = [&](const Tensor& before, const Tensor& after) {
    const Tensor first = rows(before, range(start, count)), second = rows(after, range(0, next_));
    std::vector<std::int64_t> dims(first.shape().dims().begin(), first.shape().dims().end());
    dims[0] = batch_size;
    Tensor both(first.dtype(), Shape(dims));
    std::memcpy(both.raw_data(), first.raw_data(), first.byte_size());
    std::memcpy(static_cast<std::byte*>(both.raw_data()) + first.byte_size(), second.raw_data(),
                second.byte_size());
    return both;
  };
  return {joined(rest_images, images_), joined(rest_labels, labels_)};
}

DataSets read_data_sets(const std::string& directory, const ReadOptions& options) {
  const Tensor images = prepared_images(read_file(directory, "train-images-idx3-ubyte"), options);
  const Tensor labels = prepared_labels(read_file(directory, "train-labels-idx1-ubyte"), options);
  const Tensor test_images =
      prepared_images(read_file(directory, "t10k-images-idx3-ubyte"), options);
  const Tensor test_labels =
      prepared_labels(read_file(directory, "t10k-labels-idx1-ubyte"), options);
  const std::int64_t size = options.validation_size;
  require(size >= 0 && size <= images.dim(0), "Validation size should be between 0 and ",
          images.dim(0), ". Received: ", size, ".");
  const auto seed = options.seed ? static_cast<std::uint32_t>(*options.seed)
                                 : static_cast<std::uint32_t>(std::random_device()());
  const auto validation = range(0, size), train = range(size, images.dim(0));
  return {DataSet(rows(images, train), rows(labels, train), seed),
          DataSet(rows(images, validation), rows(labels, validation), seed),
          DataSet(test_images, test_labels, seed)};
}

}  // namespace rill::examples::mnist
