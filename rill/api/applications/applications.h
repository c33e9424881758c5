#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// tf.keras.applications: classifiers of images as lists of layers, in the order in which they are
// made. Faces and programs make layers of the rows.
namespace rill::keras::applications {

using Setting = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                             std::vector<std::vector<std::int64_t>>>;

// A layer: the class of tf.keras.layers, its name, empty where it is made up, the arguments of the
// constructor, and the rows that it is called with; -1 is the model's input.
struct LayerRow {
  std::string class_name = {}, name = {};
  std::vector<std::pair<std::string, Setting>> settings = {};
  std::vector<int> inputs = {};
};

// Sizes are those of the images, -1 where they are unknown. alpha, depth_multiplier and dropout are
// MobileNet's.
struct Options {
  bool include_top = true;
  std::string pooling{};  // without a top: "avg", "max", or none
  std::int64_t classes = 1000;
  bool channels_first = false;
  std::int64_t rows = -1, columns = -1;
  double alpha = 1.0;
  std::int64_t depth_multiplier = 1;
  double dropout = 1e-3;
};
struct Application {
  std::string name = {};  // of the model
  std::vector<LayerRow> layers = {};
};

// By the name of its function: "VGG16", "ResNet50V2", ... Throws InvalidArgument where there is
// none.
Application application(const std::string& function, const Options& options = {});
std::vector<std::string> application_names();

}  // namespace rill::keras::applications
