#include "rill/api/keras/custom_objects.h"

namespace rill::keras {
namespace utils {

CustomObjects& get_custom_objects() {
  static auto& all = *new CustomObjects;
  return all;
}

CustomObjectScope::CustomObjectScope(const CustomObjects& objects) : before_(get_custom_objects()) {
  for (const auto& [name, object] : objects) get_custom_objects().insert_or_assign(name, object);
}
CustomObjectScope::~CustomObjectScope() { get_custom_objects() = std::move(before_); }

}  // namespace utils

const CustomObject* find_custom_object(const std::string& name) {
  const auto& all = utils::get_custom_objects();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace rill::keras
