#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <utility>

#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/logging.h"
#include "rill/api/gen/nn.h"
#include "rill/api/gen/parsing.h"
#include "rill/api/gen/quantize.h"
#include "rill/api/gen/string.h"
#include "rill/api/names/one_op.h"
#include "rill/api/strings/ragged_strings.h"

// Functions of tf that are one op each and have no row in plain_ops, because Python's face converts
// their arguments: values, options and errors are those of the op (rill::raw).
namespace rill {
inline Output decode_json_example(const Input& json_examples,
                                  const ::rill::raw::DecodeJSONExampleOptions& options = {},
                                  std::source_location at = std::source_location::current()) {
  return ::rill::raw::DecodeJSONExample(json_examples, options, at);
}
inline std::vector<Output> decode_csv(const Input& records, const Inputs& record_defaults,
                                      const ::rill::raw::DecodeCSVOptions& options = {},
                                      std::source_location at = std::source_location::current()) {
  return ::rill::raw::DecodeCSV(records, record_defaults, options, at);
}
inline Output serialize_tensor(const Input& tensor,
                               const ::rill::raw::SerializeTensorOptions& options = {},
                               std::source_location at = std::source_location::current()) {
  return ::rill::raw::SerializeTensor(tensor, options, at);
}
inline Output ensure_shape(const Input& input, const PartialShape& shape,
                           const ::rill::raw::EnsureShapeOptions& options = {},
                           std::source_location at = std::source_location::current()) {
  return ::rill::raw::EnsureShape(input, shape, options, at);
}
inline Output string_join(const Inputs& inputs, const ::rill::raw::StringJoinOptions& options = {},
                          std::source_location at = std::source_location::current()) {
  return ::rill::raw::StringJoin(inputs, options, at);
}
inline Output substr(const Input& input, const Input& pos, const Input& len,
                     const ::rill::raw::SubstrOptions& options = {},
                     std::source_location at = std::source_location::current()) {
  return ::rill::raw::Substr(input, pos, len, options, at);
}
inline Output string_to_number(const Input& string_tensor,
                               const ::rill::raw::StringToNumberOptions& options = {},
                               std::source_location at = std::source_location::current()) {
  return ::rill::raw::StringToNumber(string_tensor, options, at);
}
inline Output string_to_hash_bucket(const Input& string_tensor, std::int64_t num_buckets,
                                    const ::rill::raw::StringToHashBucketOptions& options = {},
                                    std::source_location at = std::source_location::current()) {
  return ::rill::raw::StringToHashBucket(string_tensor, num_buckets, options, at);
}
inline Output matrix_diag(const Input& diagonal, const ::rill::raw::MatrixDiagOptions& options = {},
                          std::source_location at = std::source_location::current()) {
  return ::rill::raw::MatrixDiag(diagonal, options, at);
}
inline Output matrix_diag_part(const Input& input,
                               const ::rill::raw::MatrixDiagPartOptions& options = {},
                               std::source_location at = std::source_location::current()) {
  return ::rill::raw::MatrixDiagPart(input, options, at);
}
inline Output matrix_set_diag(const Input& input, const Input& diagonal,
                              const ::rill::raw::MatrixSetDiagOptions& options = {},
                              std::source_location at = std::source_location::current()) {
  return ::rill::raw::MatrixSetDiag(input, diagonal, options, at);
}
inline Output matrix_triangular_solve(const Input& matrix, const Input& rhs,
                                      const ::rill::raw::MatrixTriangularSolveOptions& options = {},
                                      std::source_location at = std::source_location::current()) {
  return ::rill::raw::MatrixTriangularSolve(matrix, rhs, options, at);
}
inline ::rill::raw::QuantizeV2Outputs quantize(
    const Input& input, const Input& min_range, const Input& max_range, DType T,
    const ::rill::raw::QuantizeV2Options& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::raw::QuantizeV2(input, min_range, max_range, T, options, at);
}
inline ::rill::raw::QuantizeV2Outputs quantize_v2(
    const Input& input, const Input& min_range, const Input& max_range, DType T,
    const ::rill::raw::QuantizeV2Options& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::raw::QuantizeV2(input, min_range, max_range, T, options, at);
}
inline Output extract_image_patches(const Input& images, const std::vector<std::int64_t>& ksizes,
                                    const std::vector<std::int64_t>& strides,
                                    const std::vector<std::int64_t>& rates,
                                    const std::string& padding,
                                    const ::rill::raw::ExtractImagePatchesOptions& options = {},
                                    std::source_location at = std::source_location::current()) {
  return ::rill::raw::ExtractImagePatches(images, ksizes, strides, rates, padding, options, at);
}
using ::rill::raw::Assert;
}  // namespace rill
namespace rill {

struct ReverseSequenceOptions {
  std::int64_t seq_axis = 1, batch_axis = 0;
  std::string name{};
};
// The first seq_lengths[i] slices of example i along seq_axis in reverse order, the rest as it is.
inline Output reverse_sequence(const Input& input, const Input& seq_lengths,
                               const ReverseSequenceOptions& options = {},
                               std::source_location at = std::source_location::current()) {
  return raw::ReverseSequence(input, seq_lengths, options.seq_axis,
                              {.batch_dim = options.batch_axis, .name = options.name}, at);
}
struct DecodeRawOptions {
  bool little_endian = true;
  std::string name{};
};
// The numbers whose bytes the strings are, all of one length.
inline Output decode_raw(const Input& input_bytes, DType out_type,
                         const DecodeRawOptions& options = {},
                         std::source_location at = std::source_location::current()) {
  return raw::DecodeRaw(input_bytes, out_type,
                        {.little_endian = options.little_endian, .name = options.name}, at);
}
struct PlaceholderWithDefaultOptions {
  std::string name{};
};
// `input` unless the step feeds another value, whose shape must fit `shape`.
inline Output placeholder_with_default(const Input& input, const PartialShape& shape,
                                       const PlaceholderWithDefaultOptions& options = {},
                                       std::source_location at = std::source_location::current()) {
  return raw::PlaceholderWithDefault(input, shape, {.name = options.name}, at);
}
}  // namespace rill
namespace rill::io {
using ::rill::decode_csv;
using ::rill::decode_json_example;
using ::rill::decode_raw;
using ::rill::serialize_tensor;
}  // namespace rill::io
namespace rill::strings {
inline Output join(const Inputs& inputs, const ::rill::raw::StringJoinOptions& options = {},
                   std::source_location at = std::source_location::current()) {
  return ::rill::raw::StringJoin(inputs, options, at);
}
inline Output length(const Input& input, const ::rill::raw::StringLengthOptions& options = {},
                     std::source_location at = std::source_location::current()) {
  return ::rill::raw::StringLength(input, options, at);
}
inline Output substr(const Input& input, const Input& pos, const Input& len,
                     const ::rill::raw::SubstrOptions& options = {},
                     std::source_location at = std::source_location::current()) {
  return ::rill::raw::Substr(input, pos, len, options, at);
}
inline Output to_number(const Input& string_tensor,
                        const ::rill::raw::StringToNumberOptions& options = {},
                        std::source_location at = std::source_location::current()) {
  return ::rill::raw::StringToNumber(string_tensor, options, at);
}
inline Output to_hash_bucket(const Input& string_tensor, std::int64_t num_buckets,
                             const ::rill::raw::StringToHashBucketOptions& options = {},
                             std::source_location at = std::source_location::current()) {
  return ::rill::raw::StringToHashBucket(string_tensor, num_buckets, options, at);
}
inline Output unsorted_segment_join(const Input& inputs, const Input& segment_ids,
                                    const Input& num_segments,
                                    const ::rill::raw::UnsortedSegmentJoinOptions& options = {},
                                    std::source_location at = std::source_location::current()) {
  return ::rill::raw::UnsortedSegmentJoin(inputs, segment_ids, num_segments, options, at);
}
}  // namespace rill::strings
namespace rill::nn {
inline ::rill::raw::FractionalAvgPoolOutputs fractional_avg_pool(
    const Input& value, const std::vector<float>& pooling_ratio,
    const ::rill::raw::FractionalAvgPoolOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::raw::FractionalAvgPool(value, pooling_ratio, options, at);
}
inline ::rill::raw::FractionalMaxPoolOutputs fractional_max_pool(
    const Input& value, const std::vector<float>& pooling_ratio,
    const ::rill::raw::FractionalMaxPoolOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::raw::FractionalMaxPool(value, pooling_ratio, options, at);
}
inline ::rill::raw::MaxPoolWithArgmaxOutputs max_pool_with_argmax(
    const Input& input, const std::vector<std::int64_t>& ksize,
    const std::vector<std::int64_t>& strides, const std::string& padding,
    const ::rill::raw::MaxPoolWithArgmaxOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::raw::MaxPoolWithArgmax(input, ksize, strides, padding, options, at);
}
}  // namespace rill::nn
namespace rill::quantization {
inline ::rill::raw::QuantizeV2Outputs quantize(
    const Input& input, const Input& min_range, const Input& max_range, DType T,
    const ::rill::raw::QuantizeV2Options& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::raw::QuantizeV2(input, min_range, max_range, T, options, at);
}
inline Output quantize_and_dequantize(
    const Input& input, const Input& input_min, const Input& input_max,
    const ::rill::raw::QuantizeAndDequantizeV2Options& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::raw::QuantizeAndDequantizeV2(input, input_min, input_max, options, at);
}
}  // namespace rill::quantization
