#pragma once

#include "rill/api/eager/recompute.h"
#include "rill/api/layers/contrib_layers.h"
#include "rill/api/sparse/sparse_tensor.h"

// Of tf.contrib.layers: dense layers under older names, filters that all channels share, steps
// between pictures, sequences and sparse ids, and divisive normalisation.
namespace rill::contrib::layers {

// fully_connected with elu.
Output elu(Output inputs, std::int64_t num_outputs, FullyConnectedOptions options = {},
           std::source_location at = std::source_location::current());

struct LegacyFullyConnectedOptions {
  Activation activation_fn{};
  Initializer weight_init = xavier_initializer();
  Initializer bias_init = zeros_initializer();  // none: no biases
  std::string name{};                           // "fully_connected", made unique
  Names weight_collections{"weights"}, bias_collections{"biases"};
  Names output_collections{"activations"};
  bool trainable = true;
  Regularizer weight_regularizer{}, bias_regularizer{};
};
// x * weights + bias along the last dimension. Throws InvalidArgument for inputs of less than two
// dimensions, and where the size of the last one is not known.
Output legacy_fully_connected(Output x, std::int64_t num_output_units,
                              const LegacyFullyConnectedOptions& options = {},
                              std::source_location at = std::source_location::current());
Output legacy_linear(Output x, std::int64_t num_output_units,
                     const LegacyFullyConnectedOptions& options = {},
                     std::source_location at = std::source_location::current());
Output legacy_relu(Output x, std::int64_t num_output_units,
                   LegacyFullyConnectedOptions options = {},
                   std::source_location at = std::source_location::current());

struct InPlaneOptions {
  nn::Sizes stride = 1;
  std::string padding = "SAME";
  Activation activation_fn = nn::relu;
  Activation normalizer_fn{};  // instead of biases
  Initializer weights_initializer = xavier_initializer();
  Regularizer weights_regularizer{};
  Initializer biases_initializer = zeros_initializer();
  Regularizer biases_regularizer{};
  Reuse reuse = Reuse::kUnset;
  VariableCollections variables_collections{};
  Names outputs_collections{};
  bool trainable = true;
  ScopeChoice scope{};  // none: "ConvInPlane", made unique
};
// A single size stands for all `spatial` dimensions.
nn::Sizes for_each_dimension(const nn::Sizes& sizes, int spatial);

// One filter, which goes over every channel by itself.
Output conv2d_in_plane(Output inputs, const nn::Sizes& kernel_size,
                       const InPlaneOptions& options = {},
                       std::source_location at = std::source_location::current());
inline Output convolution2d_in_plane(Output inputs, const nn::Sizes& kernel_size,
                                     const InPlaneOptions& options = {},
                                     std::source_location at = std::source_location::current()) {
  return conv2d_in_plane(std::move(inputs), kernel_size, options, at);
}

struct SmallLayerOptions {
  Names outputs_collections{};
  ScopeChoice scope{};
};
// What differs from `eos_token` (a number, or a text for texts).
SparseTensor dense_to_sparse(const Input& tensor, const Input& eos_token = 0,
                             const SmallLayerOptions& options = {},
                             std::source_location at = std::source_location::current());

struct BowEncoderOptions {
  bool sparse_lookup = true;  // ids of -1 do not count then
  Initializer initializer{};
  Regularizer regularizer{};
  bool trainable = true;
  ScopeChoice scope{};  // none: "bow_encoder", made unique
  Reuse reuse = Reuse::kUnset;
};
// The mean of the embeddings of each row of ids, from a variable "embeddings".
Output bow_encoder(Output ids, std::int64_t vocab_size, std::int64_t embed_dim,
                   const BowEncoderOptions& options = {},
                   std::source_location at = std::source_location::current());
Output bow_encoder(const SparseTensor& ids, std::int64_t vocab_size, std::int64_t embed_dim,
                   const BowEncoderOptions& options = {},
                   std::source_location at = std::source_location::current());

// The columns of pictures as a sequence, [width, batch * height, channels], and back.
struct ImagesToSequenceOptions {
  std::string data_format = "NHWC";
  Names outputs_collections{};
  std::string scope{};  // "ImagesToSequence"
};
Output images_to_sequence(Output inputs, const ImagesToSequenceOptions& options = {},
                          std::source_location at = std::source_location::current());
struct SequenceToImagesOptions {
  std::string output_data_format = "channels_last";
  Names outputs_collections{};
  std::string scope{};  // "SequenceToImages"
};
Output sequence_to_images(Output inputs, std::int64_t height,
                          const SequenceToImagesOptions& options = {},
                          std::source_location at = std::source_location::current());

struct SpatialSoftmaxOptions {
  OptionalInput temperature{};  // none: a variable of that name, 1 at first
  std::string name{};           // "spatial_softmax"
  Names variables_collections{};
  bool trainable = true;
  std::string data_format = "NHWC";
};
// Where each channel of pictures is large, [batch, 2 * channels]: row and column from -1 to 1.
Output spatial_softmax(Output features, const SpatialSoftmaxOptions& options = {},
                       std::source_location at = std::source_location::current());

// `inputs`, whose gradient is multiplied by `gradient_multiplier`.
Output scale_gradient(Output inputs, const Input& gradient_multiplier,
                      std::source_location at = std::source_location::current());

using rill::recompute_grad;

struct GdnOptions {
  bool inverse = false;
  double beta_min = 1e-6, gamma_init = 0.1;
  double reparam_offset = 1.0 / (1 << 18);  // 2^-18
  std::string data_format = "channels_last";
  bool trainable = true;
  std::string name{};  // "gdn", made unique
  Reuse reuse = Reuse::kUnset;
};
// Generalized divisive normalisation: x_i / sqrt(beta_i + sum_j gamma_ij x_j^2) over channels; the
// inverse multiplies. Pictures of three, four or five dimensions, and matrices.
Output gdn(Output inputs, const GdnOptions& options = {},
           std::source_location at = std::source_location::current());

}  // namespace rill::contrib::layers
