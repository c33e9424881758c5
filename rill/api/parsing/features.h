#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rill/api/core/shape_input.h"
#include "rill/api/sparse/sparse_tensor.h"

namespace rill {

// What an example holds under a name.

// As many values in each example; the default is for examples without it.
struct FixedLenFeature {
  GivenShape shape = PartialShape();
  DType dtype = DType::invalid;
  OptionalInput default_value = {};
};
// Any number of values: a sparse tensor.
struct VarLenFeature {
  DType dtype = DType::invalid;
};
// Values under one name at the places under others: a sparse tensor.
struct SparseFeature {
  std::vector<std::string> index_keys = {};
  std::string value_key = {};
  DType dtype = DType::invalid;
  std::vector<std::int64_t> sizes = {};  // one for each index
  bool already_sorted = false;
};
// Any number of rows of one shape, padded to the longest.
struct FixedLenSequenceFeature {
  PartialShape shape = {};
  DType dtype = DType::invalid;
  bool allow_missing = false;
  OptionalInput default_value = {};
};

using Feature =
    std::variant<FixedLenFeature, VarLenFeature, SparseFeature, FixedLenSequenceFeature>;
using Features = std::map<std::string, Feature>;
using ParsedFeatures = std::map<std::string, std::variant<Output, SparseTensor>>;

namespace io {

// example_names: a vector of names that errors are to mention.
struct ParseExampleOptions {
  OptionalInput example_names = {};
  std::string name = {};
};
// The features of a vector of serialised examples, each with the batch as its first dimension.
// Fixed lengths become tensors, others SparseTensors.
//
//   const FixedLenFeature number{PartialShape::scalar(), DType::i64};
//   const VarLenFeature words{DType::string};
//   auto parsed = parse_example(records, {{"age", number}, {"tags", words}});
//   Output age = std::get<Output>(parsed.at("age"));
//
// Throws InvalidArgument where a description lacks something: a type, a shape that is known, an
// index or value key, allow_missing of a sequence. The step fails with InvalidArgument for bytes
// that are no Example, values of another type, and a feature without a default that is not there.
// Of the types only float32, int64 and string exist in examples.
ParsedFeatures parse_example(const Input& serialized, const Features& features,
                             const ParseExampleOptions& options = {},
                             std::source_location at = std::source_location::current());
// The features of one example, a scalar; without the dimension of the batch. Throws InvalidArgument
// for other ranks.
ParsedFeatures parse_single_example(const Input& serialized, const Features& features,
                                    const ParseExampleOptions& options = {},
                                    std::source_location at = std::source_location::current());

struct ParseSequenceExampleOptions {
  Features context_features = {}, sequence_features = {};
  OptionalInput example_name = {};
  std::string name = {};
};
// The context and the sequences of one SequenceExample.
std::pair<ParsedFeatures, ParsedFeatures> parse_single_sequence_example(
    const Input& serialized, const ParseSequenceExampleOptions& options,
    std::source_location at = std::source_location::current());

struct ParsedSequences {
  ParsedFeatures context = {}, sequences = {};
  std::map<std::string, Output> lengths = {};  // of the sequences that are padded to the longest
};
// The same of a vector of SequenceExamples.
ParsedSequences parse_sequence_example(const Input& serialized,
                                       const ParseSequenceExampleOptions& options,
                                       std::source_location at = std::source_location::current());

}  // namespace io
}  // namespace rill
