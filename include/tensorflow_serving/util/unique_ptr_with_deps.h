#ifndef TENSORFLOW_SERVING_UTIL_UNIQUE_PTR_WITH_DEPS_H_
#define TENSORFLOW_SERVING_UTIL_UNIQUE_PTR_WITH_DEPS_H_

#include <memory>
#include <utility>
#include <vector>

#include "tensorflow_serving/util/any_ptr.h"

namespace tensorflow {
namespace serving {

// An object with others that it needs, which go after it, the last that was added first.
template <typename T>
class UniquePtrWithDeps {
 public:
  UniquePtrWithDeps() = default;
  explicit UniquePtrWithDeps(std::unique_ptr<T> object) { SetOwned(std::move(object)); }
  UniquePtrWithDeps(UniquePtrWithDeps&& other) = default;
  UniquePtrWithDeps& operator=(UniquePtrWithDeps&& other) {
    Drop();
    object_ = other.object_;
    dependencies_ = std::move(other.dependencies_);
    other.object_ = nullptr;
    return *this;
  }
  ~UniquePtrWithDeps() { Drop(); }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }

  // Gives back what was added, for convenience.
  template <typename Dependency>
  Dependency* AddDependency(std::unique_ptr<Dependency> dependency) {
    Dependency* const added = dependency.get();
    dependencies_.push_back(UniqueAnyPtr(std::move(dependency)));
    return added;
  }
  T* SetOwned(std::unique_ptr<T> object) {
    object_ = AddDependency(std::move(object));
    return object_;
  }
  void SetNotOwned(T* object) { object_ = object; }

 private:
  void Drop() {
    while (!dependencies_.empty()) dependencies_.pop_back();
  }
  T* object_ = nullptr;
  std::vector<UniqueAnyPtr> dependencies_;
};

}  // namespace serving
}  // namespace tensorflow

#endif
