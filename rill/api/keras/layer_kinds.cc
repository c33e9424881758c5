#include "rill/api/keras/layer_kinds.h"

#include "rill/api/keras/constraints.h"
#include "rill/api/keras/layer_config.h"
#include "rill/base/error.h"

namespace rill::keras::layers {
namespace {

rill::layers::LayerOptions options_of(const LayerArguments& a) {
  rill::layers::LayerOptions options;
  options.name = a.name;
  options.trainable = a.trainable;
  options.dtype = a.dtype;
  options.style = rill::layers::Style::kOwned;
  return options;
}

}  // namespace

LayerRef ActivityRegularization(double l1, double l2, LayerArguments arguments) {
  arguments.activity_regularizer = regularizers::l1_l2(l1, l2).of;
  return make("ActivityRegularization", {}, arguments);
}

LayerRef MaxPooling3D(std::vector<std::int64_t> size, const LayerArguments& arguments) {
  LayerSettings s;
  s.pool_size = std::move(size);
  return make("MaxPooling3D", s, arguments);
}
LayerRef AveragePooling3D(std::vector<std::int64_t> size, const LayerArguments& arguments) {
  LayerSettings s;
  s.pool_size = std::move(size);
  return make("AveragePooling3D", s, arguments);
}

namespace {

LayerRef windowed(const char* class_name, std::int64_t filters, std::vector<std::int64_t> size,
                  const LayerArguments& arguments) {
  LayerSettings s;
  s.filters = filters;
  s.kernel_size = std::move(size);
  return make(class_name, s, arguments);
}

}  // namespace

LayerRef Conv2DTranspose(std::int64_t filters, std::vector<std::int64_t> size,
                         const LayerArguments& arguments) {
  return windowed("Conv2DTranspose", filters, std::move(size), arguments);
}
LayerRef Conv3DTranspose(std::int64_t filters, std::vector<std::int64_t> size,
                         const LayerArguments& arguments) {
  return windowed("Conv3DTranspose", filters, std::move(size), arguments);
}
LayerRef SeparableConv1D(std::int64_t filters, std::vector<std::int64_t> size,
                         const LayerArguments& arguments) {
  return windowed("SeparableConv1D", filters, std::move(size), arguments);
}
LayerRef SeparableConv2D(std::int64_t filters, std::vector<std::int64_t> size,
                         const LayerArguments& arguments) {
  return windowed("SeparableConv2D", filters, std::move(size), arguments);
}
LayerRef ConvLSTM2D(std::int64_t filters, std::vector<std::int64_t> size,
                    const LayerArguments& arguments) {
  return windowed("ConvLSTM2D", filters, std::move(size), arguments);
}

CellRef make_cell(const std::string& class_name, std::int64_t units, const LayerArguments& a) {
  LayerRef layer;  // which is set up as its cell is
  if (class_name == "SimpleRNNCell") layer = SimpleRNN(units, a);
  if (class_name == "GRUCell") layer = GRU(units, a);
  if (class_name == "LSTMCell") layer = LSTM(units, a);
  require(layer.layer != nullptr, "Unknown cell: ", class_name);
  return std::static_pointer_cast<Recurrent>(layer.layer)->cell();
}

LayerRef RNN(const CellRef& cell, const LayerArguments& a) {
  require(cell != nullptr, "RNN needs a cell");
  const RecurrentOptions options{a.return_sequences, a.return_state, a.go_backwards, a.unroll};
  LayerRef ref = std::make_shared<Recurrent>("RNN", options_of(a), cell, options);
  ref.input_shape = a.input_shape;
  return ref;
}

LayerRef CuDNNGRU(std::int64_t units, LayerArguments arguments) {
  arguments.reset_after = true;
  return GRU(units, arguments);
}

LayerRef Bidirectional(const std::function<LayerRef(const LayerArguments&)>& make_layer,
                       LayerArguments arguments, const BidirectionalOptions& options) {
  const auto one_way = [&](bool backwards) {
    arguments.go_backwards = backwards;
    auto layer = std::dynamic_pointer_cast<Recurrent>(make_layer(arguments).layer);
    require(layer != nullptr, "Bidirectional takes recurrent layers");
    return layer;
  };
  LayerArguments own;
  own.name = options.name;
  auto forward = one_way(false);
  const auto made = std::make_shared<AsMade<class Bidirectional>>(
      options_of(own), forward, one_way(true), options.merge_mode);
  made->recipe = {"Bidirectional", {}, own, forward, options.merge_mode};
  LayerRef ref = made;
  ref.input_shape = arguments.input_shape;
  return ref;
}

}  // namespace rill::keras::layers
