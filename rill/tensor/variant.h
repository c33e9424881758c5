#pragma once

#include <memory>
#include <string>
#include <typeinfo>

namespace rill {

// What a DT_VARIANT element holds: a shared, immutable value of any type, with a name for messages
// and serialisation. Copies share the value.
//
//   Variant v("tensorflow::TensorList", std::make_shared<const ListValue>(DType::f32, shape));
//   if (const auto* list = v.get<ListValue>()) use(*list);
class Variant {
 public:
  Variant() = default;
  template <class T>
  Variant(std::string type_name, std::shared_ptr<const T> value)
      : type_name_(std::move(type_name)), value_(std::move(value)), type_(&typeid(T)) {}

  bool empty() const { return value_ == nullptr; }
  const std::string& type_name() const { return type_name_; }

  // The value if it is a T, else nullptr.
  template <class T>
  const T* get() const {
    return type_ != nullptr && *type_ == typeid(T) ? static_cast<const T*>(value_.get()) : nullptr;
  }

 private:
  std::string type_name_;
  std::shared_ptr<const void> value_;
  const std::type_info* type_ = nullptr;
};

}  // namespace rill
