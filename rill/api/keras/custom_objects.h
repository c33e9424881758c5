#pragma once

#include <functional>
#include <map>
#include <string>
#include <type_traits>

#include "rill/api/keras/layers.h"
#include "rill/api/keras/losses.h"
#include "rill/io/json_values.h"

namespace rill::keras {

// What a program has under a name that files of models know: a layer made of its settings, a
// function of a tensor (an activation), or one of the truth and a prediction (a loss, a metric).
struct CustomObject {
  using MakeLayer = std::function<LayerRef(const Json& config)>;

  template <class F>
  requires std::is_invocable_v<F, const Json&> || std::is_invocable_v<F, Output> ||
      std::is_invocable_v<F, Output, Output>
      CustomObject(F object) {
    if constexpr (std::is_invocable_v<F, const Json&>)
      make_layer = std::move(object);
    else if constexpr (std::is_invocable_v<F, Output>)
      function = std::move(object);
    else
      loss = std::move(object);
  }

  MakeLayer make_layer = {};
  std::function<Output(Output)> function = {};
  LossFunction loss = {};
};
using CustomObjects = std::map<std::string, CustomObject>;

// A layer of a program that files of models can hold: get_config() is what MakeLayer gets, beside
// "name", "trainable" and "dtype", which are added.
struct HasConfig {
  virtual ~HasConfig() = default;
  virtual JsonMembers get_config() const = 0;
};

namespace utils {

// The names that are known everywhere in the program. Not for several threads at once.
CustomObjects& get_custom_objects();

// Names for what a program has written, while it lives.
//
//   const tf::keras::utils::CustomObjectScope names({{"swish", swish}});
//   auto model = tf::keras::models::load_model("model.h5");
class CustomObjectScope {
 public:
  [[nodiscard]] explicit CustomObjectScope(const CustomObjects& objects);
  ~CustomObjectScope();
  CustomObjectScope(const CustomObjectScope&) = delete;
  CustomObjectScope& operator=(const CustomObjectScope&) = delete;

 private:
  CustomObjects before_;
};
using custom_object_scope = CustomObjectScope;

}  // namespace utils

// nullptr where there is none of that name.
const CustomObject* find_custom_object(const std::string& name);

}  // namespace rill::keras
