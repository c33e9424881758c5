#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rill/base/error.h"
#include "rill/tensor/resource_handle.h"

namespace rill {

// The named things that outlive a step, by container, type and name. Safe from several threads.
class ResourceManager {
 public:
  virtual ~ResourceManager() = default;
  virtual const std::string& default_container() const = 0;  // "localhost"

  // nullptr when there is none. An empty container means the default one.
  virtual std::shared_ptr<Resource> find(std::string_view container, std::string_view type,
                                         std::string_view name) const = 0;
  // Finds it or adds what `make` returns; one caller wins when several race.
  virtual std::shared_ptr<Resource> find_or_add(
      std::string_view container, std::string_view type, std::string_view name,
      const std::function<std::shared_ptr<Resource>()>& make) = 0;
  virtual bool remove(std::string_view container, std::string_view type,
                      std::string_view name) = 0;  // false when there was none
  virtual void clear(std::string_view container) = 0;
  virtual std::vector<std::shared_ptr<Resource>> all() const = 0;  // for memory reports

  // Typed forms; the C++ type's kTypeName is the type under which it is kept.
  template <class R>
  std::shared_ptr<R> find_as(std::string_view container, std::string_view name) const {
    return std::dynamic_pointer_cast<R>(find(container, R::kTypeName, name));
  }
  template <class R>
  std::shared_ptr<R> find_or_make(std::string_view container, std::string_view name,
                                  const std::function<std::shared_ptr<R>()>& make) {
    return std::dynamic_pointer_cast<R>(find_or_add(container, R::kTypeName, name, make));
  }
};

}  // namespace rill
