#pragma once

#include <optional>
#include <string>

namespace rill::keras {

// What tf.keras wrote of a model into its SavedModel: JSON of its class, its settings and how it is
// trained, at the root of the objects. Nothing where there is none. Throws as reading files does.
std::optional<std::string> saved_model_metadata(const std::string& export_dir);

}  // namespace rill::keras
