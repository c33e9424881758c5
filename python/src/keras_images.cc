#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "errors.h"
#include "keras.h"
#include "numpy.h"
#include "rill/api/keras/image_data.h"

namespace rill::python {
namespace {

namespace image = keras::preprocessing::image;

Tensor floats_of(nb::handle array) { return tensor_from_value(array, DType::invalid); }

nb::object array_or_none(const Tensor& tensor) {
  return tensor.has_value() ? numpy_from_tensor(tensor.clone()) : nb::none();
}

// Flags in the order of the constructor in Python, then the scale and the axis of the channels.
image::ImageDataGenerator generator_of(const nb::tuple& flags, double zca_epsilon, double rescale,
                                       int channel_axis) {
  const auto flag = [&](int i) { return nb::cast<bool>(flags[i]); };
  image::ImageDataGeneratorOptions options{.featurewise_center = flag(0),
                                           .samplewise_center = flag(1),
                                           .featurewise_std_normalization = flag(2),
                                           .samplewise_std_normalization = flag(3),
                                           .zca_whitening = flag(4),
                                           .zca_epsilon = zca_epsilon,
                                           .rescale = rescale};
  options.layout.channel_axis = channel_axis;
  return image::ImageDataGenerator(std::move(options));
}

void bind_transforms(nb::module_& m) {
  m.def("keras_image_affine", [](nb::handle x, double theta, double tx, double ty, double shear,
                                 double zx, double zy, int row_axis, int col_axis, int channel_axis,
                                 const std::string& fill_mode, double cval, int order) {
    return building([&] {
      const Tensor given = floats_of(x);
      Tensor made = image::apply_affine_transform(
          given, {.theta = theta, .tx = tx, .ty = ty, .shear = shear, .zx = zx, .zy = zy},
          {.row_axis = row_axis,
           .col_axis = col_axis,
           .channel_axis = channel_axis,
           .fill_mode = fill_mode,
           .cval = cval,
           .order = order});
      return numpy_from_tensor(made.shares_storage(given) ? made.clone() : std::move(made));
    });
  });
  m.def("keras_image_channel_shift", [](nb::handle x, double intensity) {
    return building([&] {
      return numpy_from_tensor(image::apply_channel_shift(floats_of(x), intensity).clone());
    });
  });
  m.def("keras_image_brightness", [](nb::handle x, double brightness, bool scale) {
    return building([&] {
      return numpy_from_tensor(
          image::apply_brightness_shift(floats_of(x), brightness, scale).clone());
    });
  });
}

}  // namespace

void bind_keras_images(nb::module_& m) {
  bind_transforms(m);
  m.def("keras_image_statistics", [](nb::handle images, const nb::tuple& flags, double zca_epsilon,
                                     double rescale, int channel_axis) {
    return building([&] {
      image::ImageDataGenerator made = generator_of(flags, zca_epsilon, rescale, channel_axis);
      made.fit(floats_of(images));
      return nb::make_tuple(array_or_none(made.mean), array_or_none(made.std),
                            array_or_none(made.principal_components));
    });
  });
  m.def(
      "keras_image_standardize",
      [](nb::handle x, const nb::tuple& flags, double rescale, int channel_axis, nb::handle mean,
         nb::handle deviation, nb::handle components) {
        return building([&] {
          image::ImageDataGenerator made = generator_of(flags, 0.0, rescale, channel_axis);
          if (!mean.is_none()) made.mean = floats_of(mean);
          if (!deviation.is_none()) made.std = floats_of(deviation);
          if (!components.is_none()) made.principal_components = floats_of(components);
          return numpy_from_tensor(made.standardize(floats_of(x)));
        });
      },
      nb::arg("x"), nb::arg("flags"), nb::arg("rescale"), nb::arg("channel_axis"),
      nb::arg("mean").none(), nb::arg("deviation").none(), nb::arg("components").none());
}

}  // namespace rill::python
