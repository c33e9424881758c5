// tf.contrib.slim.nets: C++ makes the networks of layers that Python's scopes apply to.
#include <map>

#include "contrib_arguments.h"
#include "in_place.h"
#include "numpy.h"
#include "plain_values.h"
#include "rill/api/slim/nets.h"

namespace rill::python {
namespace {

namespace slim = rill::contrib::slim;
namespace nets = rill::contrib::slim::nets;

const char* function_name(slim::LayerKind kind) {
  using enum slim::LayerKind;
  switch (kind) {
    case kConv2d:
      return "conv2d";
    case kSeparableConv2d:
      return "separable_conv2d";
    case kFullyConnected:
      return "fully_connected";
    case kMaxPool2d:
      return "max_pool2d";
    case kAvgPool2d:
      return "avg_pool2d";
    case kDropout:
      return "dropout";
    case kBatchNorm:
      return "batch_norm";
    case kBottleneckV1:
      return "bottleneck_v1";
    case kBottleneckV2:
      return "bottleneck_v2";
    case kStackBlocksDense:
      return "stack_blocks_dense";
  }
  return "";
}

nb::object sizes_object(const nn::Sizes& sizes) {
  if (sizes.values().size() == 1) return nb::cast(sizes.values()[0]);
  return nb::cast(sizes.values());
}

nb::object activation_object(const layers::Activation& activation) {
  if (!activation) return nb::none();
  if (activation.foreign) return kept(activation.foreign);
  return nb::cpp_function([activation](nb::handle x) { return give(activation(tensor_of(x))); });
}

nb::object input_object(const Input& input, DType type) {
  if (!input.is_value()) return give(as_tensor(input));
  return numpy_from_tensor(input.value(type).clone()).attr("item")();
}

nb::dict keyword_arguments(const slim::Arguments& a) {
  nb::dict d;
  if (a.stride) d["stride"] = sizes_object(*a.stride);
  if (a.rate) d["rate"] = sizes_object(*a.rate);
  if (a.padding) d["padding"] = *a.padding;
  if (a.activation_fn) d["activation_fn"] = activation_object(*a.activation_fn);
  if (a.normalizer_fn) d["normalizer_fn"] = activation_object(*a.normalizer_fn);
  if (a.weights_initializer) d["weights_initializer"] = initializer_object(*a.weights_initializer);
  if (a.biases_initializer) d["biases_initializer"] = initializer_object(*a.biases_initializer);
  if (a.outputs_collections) d["outputs_collections"] = nb::cast(*a.outputs_collections);
  if (a.is_training) d["is_training"] = input_object(*a.is_training, DType::boolean);
  if (a.keep_prob) d["keep_prob"] = input_object(*a.keep_prob, DType::f64);
  if (!a.scope.empty()) d["scope"] = a.scope;
  return d;
}

// Layers are functions of Python, called by name; scopes are those of its arg_scope.
class PythonLayers : public slim::LayerMaker {
 public:
  explicit PythonLayers(nb::handle functions) : functions_(nb::borrow(functions)) {}

  Output make(const slim::LayerCall& call) override {
    using enum slim::LayerKind;
    const nb::object function = function_of_kind(call.kind), inputs = give(call.inputs);
    nb::dict given = keyword_arguments(call.arguments);
    nb::object made;
    if (call.kind == kDropout || call.kind == kBatchNorm) {
      made = function(inputs, **given);
    } else if (call.kind == kMaxPool2d || call.kind == kAvgPool2d) {
      made = function(inputs, sizes_object(call.kernel_size), **given);
    } else {
      if (call.kind == kSeparableConv2d) given["depth_multiplier"] = call.depth_multiplier;
      made = function(inputs, call.num_outputs, sizes_object(call.kernel_size), **given);
    }
    return tensor_of(made);
  }
  void enter(const slim::ScopedArguments& row) override {
    nb::list kinds;
    for (const slim::LayerKind kind : row.kinds) kinds.append(function_of_kind(kind));
    const nb::object scope =
        functions_.attr("arg_scope")(kinds, **keyword_arguments(row.arguments));
    scope.attr("__enter__")();
    open_.push_back(scope);
  }
  void leave() override {
    const nb::object scope = open_.back();
    open_.pop_back();
    scope.attr("__exit__")(nb::none(), nb::none(), nb::none());
  }
  slim::Arguments arguments_of(slim::LayerKind kind) override {
    const nb::dict given =
        nb::cast<nb::dict>(functions_.attr("scope_arguments")(function_of_kind(kind)));
    slim::Arguments a;
    if (given.contains("outputs_collections"))
      a.outputs_collections = names_of(given["outputs_collections"]);
    return a;
  }

  static slim::Names names_of(nb::handle given) {
    if (given.is_none()) return {};
    if (nb::isinstance<nb::str>(given)) return {str_of(given)};
    slim::Names names;
    for (nb::handle item : given) names.push_back(str_of(item));
    return names;
  }

 private:
  nb::object function_of_kind(slim::LayerKind kind) const {
    return functions_.attr(function_name(kind));
  }
  nb::object functions_;
  std::vector<nb::object> open_;
};

// --- options -------------------------------------------------------------------------------------

nets::ClassifierOptions classifier_options(const LayerArguments& a) {
  return {.num_classes = a.integer("num_classes"),
          .is_training = a.training(),
          .dropout_keep_prob = a.input("dropout_keep_prob"),
          .spatial_squeeze = a.flag("spatial_squeeze"),
          .scope = a.scope()};
}

nets::InceptionBaseOptions base_options(const LayerArguments& a) {
  nets::InceptionBaseOptions o{.final_endpoint = a.text("final_endpoint"), .scope = a.scope()};
  if (a.has("min_depth")) o.min_depth = a.integer("min_depth");
  if (a.has("depth_multiplier")) o.depth_multiplier = number_of(a.at("depth_multiplier"));
  return o;
}

nets::InceptionOptions inception_options(const LayerArguments& a) {
  nets::InceptionOptions o{.num_classes = a.integer("num_classes"),
                           .is_training = a.training(),
                           .dropout_keep_prob = a.input("dropout_keep_prob"),
                           .spatial_squeeze = a.flag("spatial_squeeze"),
                           .reuse = reuse_of(a.at("reuse")),
                           .scope = a.scope()};
  if (a.has("min_depth")) o.min_depth = a.integer("min_depth");
  if (a.has("depth_multiplier")) o.depth_multiplier = number_of(a.at("depth_multiplier"));
  if (a.has("create_aux_logits")) o.create_aux_logits = a.flag("create_aux_logits");
  const nb::object predict = a.at("prediction_fn");
  o.prediction_fn = [predict](Output logits, const std::string& scope) {
    return tensor_of(predict(give(logits), nb::arg("scope") = scope));
  };
  return o;
}

nets::ResnetOptions resnet_options(const LayerArguments& a) {
  nets::ResnetOptions o{.is_training = a.training(),
                        .global_pool = a.flag("global_pool"),
                        .reuse = reuse_of(a.at("reuse")),
                        .scope = a.scope()};
  if (a.has("num_classes")) o.num_classes = a.integer("num_classes");
  if (a.has("output_stride")) o.output_stride = a.integer("output_stride");
  if (a.has("include_root_block")) o.include_root_block = a.flag("include_root_block");
  return o;
}

// A unit is a dict of arguments for the block's function.
nets::Unit unit_of(const nb::object& function, nb::handle given) {
  const nb::dict arguments = nb::borrow<nb::dict>(given);
  const std::int64_t stride = arguments.contains("stride") ? integer_of(arguments["stride"]) : 1;
  const auto make = [function, arguments, stride](Output inputs, std::int64_t own_stride,
                                                  std::int64_t rate) {
    nb::dict all;
    for (auto [name, value] : arguments) all[name] = value;
    if (own_stride != stride || arguments.contains("stride")) all["stride"] = own_stride;
    all["rate"] = rate;
    return tensor_of(function(give(inputs), **all));
  };
  return {stride, make};
}

std::vector<nets::ResnetBlock> blocks_of(nb::handle given) {
  std::vector<nets::ResnetBlock> blocks;
  for (nb::handle item : given) {
    nets::ResnetBlock block{str_of(item.attr("scope")), {}};
    for (nb::handle unit : item.attr("args"))
      block.units.push_back(unit_of(item.attr("unit_fn"), unit));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

// --- functions -----------------------------------------------------------------------------------

using MakeNetwork = nets::Network (*)(Output, const LayerArguments&);

template <auto kMake>
nets::Network classifier(Output x, const LayerArguments& a) {
  return kMake(x, classifier_options(a));
}
template <auto kMake>
nets::Network inception_base(Output x, const LayerArguments& a) {
  return kMake(x, base_options(a));
}
template <auto kMake>
nets::Network inception(Output x, const LayerArguments& a) {
  return kMake(x, inception_options(a));
}
template <auto kMake>
nets::Network residual(Output x, const LayerArguments& a) {
  return kMake(x, resnet_options(a));
}
template <nets::ResnetVersion kVersion>
nets::Network resnet_of_blocks(Output x, const LayerArguments& a) {
  return nets::resnet(kVersion, x, blocks_of(a.at("blocks")), resnet_options(a));
}
template <nets::ResnetVersion kVersion>
nets::Network bottleneck_of(Output x, const LayerArguments& a) {
  nets::BottleneckOptions o{.rate = a.integer("rate"), .scope = a.scope()};
  o.outputs_collections = a.names("outputs_collections");
  return {nets::bottleneck(kVersion, x, a.integer("depth"), a.integer("depth_bottleneck"),
                           a.integer("stride"), o),
          {}};
}
nets::Network stack_blocks(Output x, const LayerArguments& a) {
  std::optional<std::int64_t> output_stride;
  if (a.has("output_stride")) output_stride = a.integer("output_stride");
  return {nets::stack_blocks_dense(x, blocks_of(a.at("blocks")), output_stride,
                                   a.names("outputs_collections")),
          {}};
}
nets::Network subsampled(Output x, const LayerArguments& a) {
  return {nets::subsample(x, a.integer("factor"), a.text_or_empty("scope")), {}};
}
nets::Network same_convolution(Output x, const LayerArguments& a) {
  return {nets::conv2d_same(x, a.integer("num_outputs"), a.integer("kernel_size"),
                            a.integer("stride"), a.integer("rate"), a.text_or_empty("scope")),
          {}};
}

const std::map<std::string, MakeNetwork>& networks() {
  using nets::ResnetVersion;
  static const std::map<std::string, MakeNetwork> all{
      {"vgg_a", classifier<nets::vgg_a>},
      {"vgg_16", classifier<nets::vgg_16>},
      {"vgg_19", classifier<nets::vgg_19>},
      {"alexnet_v2", classifier<nets::alexnet_v2>},
      {"overfeat", classifier<nets::overfeat>},
      {"inception_v1_base", inception_base<nets::inception_v1_base>},
      {"inception_v2_base", inception_base<nets::inception_v2_base>},
      {"inception_v3_base", inception_base<nets::inception_v3_base>},
      {"inception_v1", inception<nets::inception_v1>},
      {"inception_v2", inception<nets::inception_v2>},
      {"inception_v3", inception<nets::inception_v3>},
      {"resnet_v1_50", residual<nets::resnet_v1_50>},
      {"resnet_v1_101", residual<nets::resnet_v1_101>},
      {"resnet_v1_152", residual<nets::resnet_v1_152>},
      {"resnet_v1_200", residual<nets::resnet_v1_200>},
      {"resnet_v2_50", residual<nets::resnet_v2_50>},
      {"resnet_v2_101", residual<nets::resnet_v2_101>},
      {"resnet_v2_152", residual<nets::resnet_v2_152>},
      {"resnet_v2_200", residual<nets::resnet_v2_200>},
      {"resnet_v1", resnet_of_blocks<ResnetVersion::kV1>},
      {"resnet_v2", resnet_of_blocks<ResnetVersion::kV2>},
      {"bottleneck_v1", bottleneck_of<ResnetVersion::kV1>},
      {"bottleneck_v2", bottleneck_of<ResnetVersion::kV2>},
      {"stack_blocks_dense", stack_blocks},
      {"subsample", subsampled},
      {"conv2d_same", same_convolution}};
  return all;
}

nb::object slim_network(const std::string& name, nb::handle inputs, nb::handle settings,
                        nb::handle functions) {
  PyObject* const seen[] = {inputs.ptr()};
  const InCallersPlace place(seen);
  return building([&]() -> nb::object {
    PythonLayers layers(functions);
    const slim::MadeBy here(layers);
    const nets::Network made =
        networks().at(name)(tensor_of(inputs, "inputs"), LayerArguments(settings));
    nb::dict end_points;
    for (const auto& [key, output] : made.end_points) end_points[nb::cast(key)] = give(output);
    return nb::make_tuple(give(made.net), end_points);
  });
}

}  // namespace

void bind_slim_nets(nb::module_& m) { m.def("slim_network", slim_network); }

}  // namespace rill::python
