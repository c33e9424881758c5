#include "rill/api/keras/image_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "rill/api/core/default_graph.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/runtime/session/session.h"

namespace rill::keras::preprocessing::image {
namespace {

constexpr double kEpsilon = 1e-6;  // beside a standard deviation

std::vector<double> doubles(const Tensor& t) {
  if (t.dtype() == DType::f64) return {t.data<double>(), t.data<double>() + t.element_count()};
  require(t.dtype() == DType::f32, "pictures must be of floats, got ", t.dtype());
  return {t.data<float>(), t.data<float>() + t.element_count()};
}

Tensor tensor_of(const std::vector<double>& values, DType dtype, const Shape& shape) {
  Tensor made(dtype, shape);
  if (dtype == DType::f64)
    std::ranges::copy(values, made.data<double>());
  else
    std::ranges::transform(values, made.data<float>(),
                           [](double v) { return static_cast<float>(v); });
  return made;
}

struct Moments {
  double mean, deviation;
};

Moments moments_of(const std::vector<double>& values) {
  if (values.empty()) return {0, 0};
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / count)};
}

// The channel of element i of a picture or of many.
class Channels {
 public:
  Channels(const Shape& shape, int axis) {
    for (int d = axis + 1; d < shape.rank(); ++d) inner_ *= shape.dim(d);
    count_ = shape.dim(axis);
  }
  std::size_t of(std::size_t i) const {
    return i / static_cast<std::size_t>(inner_) % static_cast<std::size_t>(count_);
  }
  std::size_t count() const { return static_cast<std::size_t>(count_); }

 private:
  std::int64_t inner_ = 1, count_ = 1;
};

// [1, 1, C] or as the channels lie, which broadcasts over pictures.
Shape shape_of_channels(const Shape& images, int axis) {
  Dims dims;
  for (int d = 1; d < images.rank(); ++d) dims.push_back(d == axis ? images.dim(d) : 1);
  return Shape(dims.span());
}

int channel_axis_of(const ImageDataGeneratorOptions& options) {
  const int axis = options.layout.channel_axis;
  require(axis >= 0 && axis < 3, "channel_axis must be in [0, 3), got ", axis);
  return axis;
}

// What decorrelates the values of pictures, which are rows of `flat`: U diag(sqrt(n) / (s + e)) U'.
Tensor whitening(const Tensor& flat, double epsilon) {
  const std::shared_ptr<Graph> graph = make_graph();
  const AsDefault as_default(graph);
  const raw::SvdOutputs parts = raw::Svd(flat);
  const double root = std::sqrt(static_cast<double>(flat.dim(0)));
  const Output scale =
      raw::RealDiv(Tensor::scalar(root), raw::AddV2(parts.s, Tensor::scalar(epsilon)));
  const Output made = raw::MatMul(raw::Mul(parts.v, scale), parts.v, {.transpose_b = true});
  return Session(graph).run(made);
}

// Rows of `width` values each, multiplied by a square matrix.
std::vector<double> times(const std::vector<double>& rows, const std::vector<double>& matrix,
                          std::size_t width) {
  std::vector<double> made(rows.size());
  for (std::size_t row = 0; row < rows.size(); row += width)
    for (std::size_t k = 0; k < width; ++k)
      for (std::size_t j = 0; j < width; ++j)
        made[row + j] += rows[row + k] * matrix[k * width + j];
  return made;
}

}  // namespace

struct ImageDataGenerator::Random {
  std::mt19937_64 bits;
};

ImageDataGenerator::ImageDataGenerator(ImageDataGeneratorOptions given)
    : options(std::move(given)),
      random_(std::make_shared<Random>(Random{std::mt19937_64(options.seed)})) {
  if (options.zca_whitening) {
    options.featurewise_center = true;
    options.featurewise_std_normalization = false;
  }
  options.featurewise_center |= options.featurewise_std_normalization;
  options.samplewise_center |= options.samplewise_std_normalization;
}

void ImageDataGenerator::fit(const Tensor& images) {
  require(images.rank() == 4,
          "Input to `.fit()` should have rank 4. Got array with shape: ", images.shape());
  std::vector<double> values = doubles(images);
  if (options.rescale != 0)
    for (double& v : values) v *= options.rescale;
  const int axis = channel_axis_of(options) + 1;
  const Channels channels(images.shape(), axis);
  const Shape shape = shape_of_channels(images.shape(), axis);
  std::vector<std::vector<double>> parts(channels.count());
  const auto split = [&] {
    for (auto& part : parts) part.clear();
    for (std::size_t i = 0; i < values.size(); ++i) parts[channels.of(i)].push_back(values[i]);
  };
  std::vector<double> found(channels.count());
  const auto keep = [&](Tensor& kept, auto pick) {
    split();
    std::ranges::transform(parts, found.begin(),
                           [&](const auto& part) { return pick(moments_of(part)); });
    kept = tensor_of(found, images.dtype(), shape);
  };
  if (options.featurewise_center) {
    keep(mean, [](const Moments& m) { return m.mean; });
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= found[channels.of(i)];
  }
  if (options.featurewise_std_normalization) {
    keep(std, [](const Moments& m) { return m.deviation; });
    for (std::size_t i = 0; i < values.size(); ++i) values[i] /= found[channels.of(i)] + kEpsilon;
  }
  if (options.zca_whitening && images.element_count() > 0) {
    const std::int64_t width = images.element_count() / images.dim(0);
    const Tensor made =
        whitening(tensor_of(values, DType::f64, {images.dim(0), width}), options.zca_epsilon);
    principal_components = tensor_of(doubles(made), images.dtype(), made.shape());
  }
}

Tensor ImageDataGenerator::standardize(const Tensor& image) const {
  std::vector<double> values = doubles(image);
  if (options.rescale != 0)
    for (double& v : values) v *= options.rescale;
  if (options.samplewise_center) {
    const double middle = moments_of(values).mean;
    for (double& v : values) v -= middle;
  }
  if (options.samplewise_std_normalization) {
    const double deviation = moments_of(values).deviation + kEpsilon;
    for (double& v : values) v /= deviation;
  }
  const auto by_channel = [&](const Tensor& known, auto apply) {
    if (!known.has_value()) return;
    const Channels channels(image.shape(), channel_axis_of(options) + image.rank() - 3);
    const std::vector<double> of_channel = doubles(known);
    require(of_channel.size() == channels.count(), "the generator was fitted to ",
            of_channel.size(), " channels, the picture has ", channels.count());
    for (std::size_t i = 0; i < values.size(); ++i) apply(values[i], of_channel[channels.of(i)]);
  };
  require(image.rank() >= 3, "a picture has three dimensions, got ", image.shape());
  if (options.featurewise_center) by_channel(mean, [](double& v, double m) { v -= m; });
  if (options.featurewise_std_normalization)
    by_channel(std, [](double& v, double d) { v /= d + kEpsilon; });
  if (options.zca_whitening && principal_components.has_value()) {
    const std::vector<double> components = doubles(principal_components);
    const std::int64_t width = principal_components.dim(0);
    require(width > 0 && image.element_count() % width == 0,
            "the generator was fitted to pictures of ", width, " values, got ", image.shape());
    values = times(values, components, static_cast<std::size_t>(width));
  }
  return tensor_of(values, image.dtype(), image.shape());
}

double ImageDataGenerator::uniform(double low, double high) {
  return low < high ? std::uniform_real_distribution<double>(low, high)(random_->bits) : low;
}

double ImageDataGenerator::shift(double range, std::int64_t size) {
  if (range == 0) return 0;
  return uniform(-range, range) * (range < 1 ? static_cast<double>(size) : 1.0);
}

ImageTransform ImageDataGenerator::get_random_transform(const Shape& image) {
  const ImageLayout& layout = options.layout;
  require(image.rank() == 3 && layout.row_axis >= 0 && layout.row_axis < 3 &&
              layout.col_axis >= 0 && layout.col_axis < 3,
          "a picture has three dimensions, got ", image);
  ImageTransform how;
  how.theta = uniform(-options.rotation_range, options.rotation_range);
  how.tx = shift(options.height_shift_range, image.dim(layout.row_axis));
  how.ty = shift(options.width_shift_range, image.dim(layout.col_axis));
  how.shear = uniform(-options.shear_range, options.shear_range);
  how.zx = uniform(options.zoom_range.first, options.zoom_range.second);
  how.zy = uniform(options.zoom_range.first, options.zoom_range.second);
  how.flip_horizontal = options.horizontal_flip && uniform(0, 1) < 0.5;
  how.flip_vertical = options.vertical_flip && uniform(0, 1) < 0.5;
  if (options.channel_shift_range != 0)
    how.channel_shift_intensity =
        uniform(-options.channel_shift_range, options.channel_shift_range);
  if (options.brightness_range)
    how.brightness = uniform(options.brightness_range->first, options.brightness_range->second);
  return how;
}

Tensor ImageDataGenerator::random_transform(const Tensor& image) {
  return apply_transform(image, get_random_transform(image.shape()), options.layout);
}

ImageDataGenerator::Flow ImageDataGenerator::flow(const Tensor& images, const Tensor& labels,
                                                  const ImageFlowOptions& given) {
  require(images.rank() == 4, "pictures to flow have four dimensions, got ", images.shape());
  require(!labels.has_value() || (labels.rank() > 0 && labels.dim(0) == images.dim(0)),
          "there are ", images.dim(0), " pictures, but labels of shape ", labels.shape());
  require(given.batch_size > 0, "batch_size must be positive: ", given.batch_size);
  Flow flow;
  flow.generator_ = this;
  flow.images_ = images;
  flow.labels_ = labels;
  flow.options_ = given;
  return flow;
}

std::int64_t ImageDataGenerator::Flow::size() const {
  return (images_.dim(0) + options_.batch_size - 1) / options_.batch_size;
}

std::pair<Tensor, Tensor> ImageDataGenerator::Flow::next() {
  require(images_.dim(0) > 0, "there are no pictures");
  if (at_ == 0) {
    order_.resize(static_cast<std::size_t>(images_.dim(0)));
    std::iota(order_.begin(), order_.end(), 0);
    if (options_.shuffle) std::ranges::shuffle(order_, generator_->random_->bits);
  }
  const std::int64_t end = std::min(at_ + options_.batch_size, images_.dim(0));
  const auto batch_of = [&](const Tensor& all) {
    Dims dims(all.shape().dims());
    dims[0] = end - at_;
    return Tensor(all.dtype(), Shape(dims.span()));
  };
  Tensor x = batch_of(images_), y = labels_.has_value() ? batch_of(labels_) : Tensor();
  for (std::int64_t i = at_; i < end; ++i) {
    const std::int64_t at = order_[static_cast<std::size_t>(i)];
    const Shape shape(images_.shape().dims().subspan(1));
    const Tensor image = images_.slice(at, at + 1).reshaped(shape);
    const std::int64_t to = i - at_;
    copy_tensor(generator_->standardize(generator_->random_transform(image)),
                x.slice(to, to + 1).reshaped(shape));
    if (y.has_value()) copy_tensor(labels_.slice(at, at + 1), y.slice(to, to + 1));
  }
  at_ = end == images_.dim(0) ? 0 : end;
  return {x, y};
}

}  // namespace rill::keras::preprocessing::image
