#include "rill/ops/data/core/iterator_state.h"

#include "rill/ops/data/core/data_iterator.h"

namespace rill {

void StateWriter::put(std::string_view key, const Tensor& value) {
  state_[str_cat(path_, key)] = value;
}

void StateWriter::put(std::string_view key, std::int64_t value) { put(key, Tensor::scalar(value)); }

void StateWriter::put(std::string_view key, const std::string& value) {
  put(key, Tensor::scalar(value));
}

void StateWriter::put(std::string_view key, const Element& element) {
  StateWriter parts = below(key);
  parts.put("count", static_cast<std::int64_t>(element.size()));
  for (std::size_t i = 0; i < element.size(); ++i) parts.put(str_cat(i), element[i]);
}

void StateWriter::put(std::string_view key, const std::unique_ptr<DataIterator>& input) {
  put(str_cat(key, ".ended"), std::int64_t{input == nullptr});
  if (input == nullptr) return;
  StateWriter inner = below(key);
  input->save(inner);
}

StateWriter StateWriter::below(std::string_view key) const {
  return StateWriter(state_, str_cat(path_, key, "/"));
}

bool StateReader::has(std::string_view key) const { return state_.contains(str_cat(path_, key)); }

const Tensor& StateReader::tensor(std::string_view key) const {
  const auto found = state_.find(str_cat(path_, key));
  require(found != state_.end(), "the saved position of the iterator has no ", path_, key,
          "; was it saved from another pipeline?");
  return found->second;
}

std::int64_t StateReader::bits(std::string_view key) const {
  return scalar(key, DType::i64).scalar_value<std::int64_t>();
}

std::int64_t StateReader::integer(std::string_view key) const {
  constexpr std::int64_t kMax = std::int64_t{1} << 62;
  const std::int64_t value = bits(key);
  require(value >= -kMax && value <= kMax, "the saved position of the iterator has ", value,
          " for ", path_, key, ", which is no number of elements");
  return value;
}

std::int64_t StateReader::integer(std::string_view key, std::int64_t most) const {
  const std::int64_t value = bits(key);
  require(value >= 0 && value <= most, "the saved position of the iterator has ", value, " for ",
          path_, key, ", which is at most ", most, " in this pipeline");
  return value;
}

const std::string& StateReader::text(std::string_view key) const {
  return scalar(key, DType::string).scalar_value<std::string>();
}

const Tensor& StateReader::scalar(std::string_view key, DType type) const {
  const Tensor& value = tensor(key);
  require(value.dtype() == type && value.element_count() == 1,
          "the saved position of the iterator has ", value.dtype(), " of shape ", value.shape(),
          " for ", path_, key, ", where a scalar of type ", type, " is wanted");
  return value;
}

Element StateReader::element(std::string_view key) const {
  const StateReader parts = below(key);
  Element element;
  const std::int64_t count = parts.integer("count");
  for (std::int64_t i = 0; i < count; ++i) element.push_back(parts.tensor(str_cat(i)));
  return element;
}

void StateReader::restore(std::string_view key, std::unique_ptr<DataIterator>& input) const {
  if (integer(str_cat(key, ".ended")) != 0) {
    input.reset();
    return;
  }
  if (input == nullptr)
    raise(Code::kInternal, "there is no iterator to restore ", path_, key, " into");
  input->restore(below(key));
}

void StateReader::restore(std::string_view key, DataIterator& input) const {
  require(integer(str_cat(key, ".ended")) == 0, "the saved position of the iterator says that ",
          path_, key, " is gone, which its stage would have kept");
  input.restore(below(key));
}

StateReader StateReader::below(std::string_view key) const {
  return StateReader(state_, str_cat(path_, key, "/"));
}

}  // namespace rill
