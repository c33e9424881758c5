#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill::keras::preprocessing::image {

// Where a picture has its rows, columns and channels, and what lies around it: "nearest",
// "constant" (`cval`), "reflect" or "wrap". `order` 0 takes the nearest pixel, 1 interpolates.
struct ImageLayout {
  int row_axis = 0, col_axis = 1, channel_axis = 2;
  std::string fill_mode = "nearest";
  double cval = 0.0;
  int order = 1;
};

// How one picture is changed: turned and sheared by degrees, shifted by pixels (rows, columns), its
// rows and columns zoomed (below one they grow), then channels shifted, sides swapped, brightness
// multiplied.
struct ImageTransform {
  double theta = 0.0, tx = 0.0, ty = 0.0, shear = 0.0, zx = 1.0, zy = 1.0;
  bool flip_horizontal = false, flip_vertical = false;
  std::optional<double> channel_shift_intensity = {}, brightness = {};
};

// Pictures are float or double tensors of rank 3; others are refused (InvalidArgument).
Tensor apply_affine_transform(const Tensor& image, const ImageTransform& how,
                              const ImageLayout& layout = {});
Tensor apply_channel_shift(const Tensor& image, double intensity);
Tensor apply_brightness_shift(const Tensor& image, double brightness, bool scale = true);
Tensor flip_axis(const Tensor& image, int axis);
Tensor apply_transform(const Tensor& image, const ImageTransform& how,
                       const ImageLayout& layout = {});

// A range of shifts below one is a part of the picture's size, others are pixels.
struct ImageDataGeneratorOptions {
  bool featurewise_center = false, samplewise_center = false;
  bool featurewise_std_normalization = false, samplewise_std_normalization = false;
  bool zca_whitening = false;
  double zca_epsilon = 1e-6;
  double rotation_range = 0.0, width_shift_range = 0.0, height_shift_range = 0.0;
  std::optional<std::pair<double, double>> brightness_range = {};
  double shear_range = 0.0;
  std::pair<double, double> zoom_range = {1.0, 1.0};
  double channel_shift_range = 0.0;
  bool horizontal_flip = false, vertical_flip = false;
  double rescale = 0.0;  // none
  ImageLayout layout = {};
  std::uint64_t seed = 0;
};

struct ImageFlowOptions {
  std::int64_t batch_size = 32;
  bool shuffle = true;
};

// Draws changed and normalised pictures for training.
//
//   ImageDataGenerator augmented({.rotation_range = 20, .horizontal_flip = true});
//   auto batches = augmented.flow(images, labels, {.batch_size = 32});
//   const auto [x, y] = batches.next();
class ImageDataGenerator {
 public:
  explicit ImageDataGenerator(ImageDataGeneratorOptions options = {});

  // What featurewise statistics and whitening need, of pictures [n, ...].
  void fit(const Tensor& images);
  ImageTransform get_random_transform(const Shape& image);
  Tensor random_transform(const Tensor& image);
  Tensor standardize(const Tensor& image) const;

  class Flow {
   public:
    // The next batch; after the last picture it begins again, in another order if it shuffles.
    std::pair<Tensor, Tensor> next();
    std::int64_t size() const;  // batches until it begins again

   private:
    friend class ImageDataGenerator;
    ImageDataGenerator* generator_ = nullptr;
    Tensor images_, labels_;
    ImageFlowOptions options_;
    std::vector<std::int64_t> order_;
    std::int64_t at_ = 0;
  };
  // The generator must outlive what it returns; `labels` may be empty.
  Flow flow(const Tensor& images, const Tensor& labels = {}, const ImageFlowOptions& options = {});

  ImageDataGeneratorOptions options;
  Tensor mean, std, principal_components;  // empty before fit

 private:
  double uniform(double low, double high);
  double shift(double range, std::int64_t size);
  struct Random;
  std::shared_ptr<Random> random_;  // copies draw from the same numbers
};

}  // namespace rill::keras::preprocessing::image
