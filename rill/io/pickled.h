#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rill {

// A value in a file that Python's pickle wrote. Objects are not made: one is told by the name of
// what would make it, with arguments and state, so that reading runs no code.
struct Pickled {
  struct Object;
  using List = std::vector<Pickled>;  // lists, tuples and sets
  using Dict = std::vector<std::pair<Pickled, Pickled>>;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::shared_ptr<List>,
               std::shared_ptr<Dict>, std::shared_ptr<Object>>
      value = {};

  // These throw InvalidArgument for values of other kinds.
  std::int64_t number() const;
  const std::string& bytes() const;  // of texts, too
  const List& list() const;
  const Dict& dict() const;
  const Pickled& at(std::string_view key) const;  // of a dict with names as keys
  const Object& object() const;
};
struct Pickled::Object {
  std::string made_by = {};  // "numpy.core.multiarray _reconstruct"
  Pickled arguments = {}, state = {};
};

// Throws DataLoss for damaged bytes, Unimplemented for what data do not need.
Pickled read_pickle(std::string_view bytes);

}  // namespace rill
