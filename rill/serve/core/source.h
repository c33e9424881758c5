#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/serve/core/servable.h"

// Source -> SourceAdapter -> ... -> Manager: who finds versions, who makes loaders of what was
// found, who loads and unloads.
namespace rill::serve {

// A version and what is known of it: where it lies, or how it is loaded. With an error instead when
// that could not be found out.
template <class Data>
struct Aspired {
  ServableId id;
  Data data;
  std::optional<Error> error;
};

// Gets all versions of `name` that are to be served from now on. Those left out are to go.
template <class Data>
using Target = std::function<void(const std::string& name, std::vector<Aspired<Data>> versions)>;

template <class Data>
class Source {
 public:
  virtual ~Source() = default;
  // Before the first call of the target, and once.
  virtual void connect(Target<Data> target) = 0;
};

// Makes versions of one kind into versions of another.
template <class From, class To>
class SourceAdapter : public Source<To> {
 public:
  void connect(Target<To> target) override { target_ = std::move(target); }

  virtual void take(const std::string& name, std::vector<Aspired<From>> versions) {
    std::vector<Aspired<To>> adapted;
    for (Aspired<From>& version : versions) adapted.push_back(adapt_or_fail(std::move(version)));
    target_(name, std::move(adapted));
  }
  Target<From> input() {  // must not outlive the adapter
    return [this](const std::string& name, std::vector<Aspired<From>> versions) {
      take(name, std::move(versions));
    };
  }

 protected:
  // Throws when nothing can be made of it; the version then ends with that error.
  virtual To adapt(const ServableId& id, From data) = 0;

 private:
  Aspired<To> adapt_or_fail(Aspired<From> version) {
    if (version.error) return {version.id, To(), version.error};
    try {
      return {version.id, adapt(version.id, std::move(version.data)), {}};
    } catch (...) {
      return {version.id, To(), current_error()};
    }
  }

  Target<To> target_;
};

using PathSource = Source<std::string>;
using PathAdapter = SourceAdapter<std::string, LoaderRef>;

}  // namespace rill::serve
