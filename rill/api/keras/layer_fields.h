#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rill/api/keras/layer_config.h"

namespace rill::keras {

// The settings that the layers of a class are written with, beside name, trainable and dtype; empty
// for classes that are not known.
std::vector<std::string> field_names(const std::string& class_name);

// One setting as tf.keras writes it, and read back. Throw InvalidArgument for a name that is no
// setting, or a value that it cannot have.
Json field_of(const Recipe& recipe, const std::string& name);
void set_field(Recipe& recipe, const std::string& name, const Json& value);

}  // namespace rill::keras
