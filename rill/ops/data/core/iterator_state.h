#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "rill/ops/data/core/dataset.h"

namespace rill {

class DataIterator;

// Where the iterators of a pipeline stand, by key; a stage's keys begin with its path.
using IteratorState = std::map<std::string, Tensor>;

class StateWriter {
 public:
  explicit StateWriter(IteratorState& state, std::string path = {})
      : state_(state), path_(std::move(path)) {}

  void put(std::string_view key, const Tensor& value);
  void put(std::string_view key, std::int64_t value);
  void put(std::string_view key, const std::string& value);
  void put(std::string_view key, const Element& element);
  // An iterator that may be gone because it has ended.
  void put(std::string_view key, const std::unique_ptr<DataIterator>& input);

  StateWriter below(std::string_view key) const;

 private:
  IteratorState& state_;
  const std::string path_;
};

// Throws InvalidArgument, naming the key, for what is not there or of the wrong type.
class StateReader {
 public:
  explicit StateReader(const IteratorState& state, std::string path = {})
      : state_(state), path_(std::move(path)) {}

  bool has(std::string_view key) const;
  const Tensor& tensor(std::string_view key) const;
  // A count or place, so far from the limits that counting on cannot overflow.
  std::int64_t integer(std::string_view key) const;
  std::int64_t integer(std::string_view key, std::int64_t most) const;  // from 0 to `most`
  std::int64_t bits(std::string_view key) const;                        // any number
  const std::string& text(std::string_view key) const;
  Element element(std::string_view key) const;
  // Restores `input`, which was just made, or takes it away where it had ended.
  void restore(std::string_view key, std::unique_ptr<DataIterator>& input) const;
  // The same for an input that a stage keeps to its end.
  void restore(std::string_view key, DataIterator& input) const;

  StateReader below(std::string_view key) const;

 private:
  const Tensor& scalar(std::string_view key, DType type) const;

  const IteratorState& state_;
  const std::string path_;
};

}  // namespace rill
