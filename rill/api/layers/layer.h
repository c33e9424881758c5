#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "rill/api/layers/input_spec.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::layers {

// How a layer keeps its variables and names what it makes.
enum class Style {
  kScoped,  // tf.layers: get_variable in a variable scope of its own, which reuse applies to
  kOwned,   // tf.keras: resource variables of its own, in the name scope of the first call
};

struct LayerOptions {
  std::string name;  // empty: after the class, made unique in the graph
  bool trainable = true;
  DType dtype = DType::invalid;                        // invalid: the first input's
  std::function<Output(Output)> activity_regularizer;  // a loss of each output
  Style style = Style::kScoped;
  Reuse reuse = Reuse::kUnset;  // kScoped: whether the variables are there already
  VariableScopeRef scope;       // kScoped: none: opened at the first call, after the name
};

// The arguments of a call beside its inputs.
struct CallArguments {
  std::optional<Input> training;  // whether the layer is being trained: a value or a bool tensor
  std::vector<Output> masks;      // one for each input, or none at all
  std::vector<Output> more;       // further tensors: initial states, constants
  VariableScopeRef scope;         // kScoped: where the first call opens its variable scope
};

struct WeightOptions {
  DType dtype = DType::invalid;  // invalid: the layer's
  Initializer initializer;       // none: Glorot's, zeros for integers
  Regularizer regularizer;
  std::optional<bool> trainable;
  ConstraintFunction constraint;
  Partitioner partitioner;
  std::optional<bool> use_resource;
  VariableSynchronization synchronization = VariableSynchronization::AUTO;
  VariableAggregation aggregation = VariableAggregation::NONE;
};

// One call that a layer has had: how models find their way from outputs to inputs.
struct LayerCall {
  std::vector<Output> inputs, outputs;
  CallArguments arguments;
};

// A part of a network with variables of its own, made at its first call and shared by later ones.
// Subclasses say in build() which variables there are, and in call() what is computed:
//
//   struct Scale : tf::layers::Layer {
//     Scale() : Layer("Scale") {}
//     void build(const PartialShape& input) override { scale_ = add_weight("scale",
//     {input.dim(1)}); } Output call(Output x, const CallArguments&) override { return x * scale_;
//     } Variable scale_;
//   };
//
// Layers of several inputs or outputs override build_all() and call_all() instead. Not for several
// threads at once.
class Layer : public std::enable_shared_from_this<Layer> {
 public:
  explicit Layer(std::string class_name, LayerOptions options = {});
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  Output operator()(Output x, const CallArguments& arguments = {},
                    std::source_location at = std::source_location::current());
  std::vector<Output> operator()(const std::vector<Output>& inputs,
                                 const CallArguments& arguments = {},
                                 std::source_location at = std::source_location::current());

  // --- what subclasses say ----------------------------------------------------------------------
  virtual void build(const PartialShape& input);
  virtual Output call(Output x, const CallArguments& arguments);  // throws Unimplemented
  virtual PartialShape compute_output_shape(const PartialShape& input) const;
  virtual void build_all(const std::vector<PartialShape>& inputs);  // build of the only one
  virtual std::vector<Output> call_all(const std::vector<Output>& inputs,
                                       const CallArguments& arguments);
  // The masks of the outputs; none where the layer knows nothing of masks and got none.
  virtual std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                            const std::vector<Output>& masks);

  // --- what they use ----------------------------------------------------------------------------
  Variable add_weight(const std::string& name, const PartialShape& shape,
                      const WeightOptions& options = {},
                      std::source_location at = std::source_location::current());
  void add_loss(Output loss, bool depends_on_inputs = false);  // with inputs: only for their sake
  void add_loss(std::function<Output()> loss);                 // made when losses() is asked for
  void add_update(Node& update);
  void add_layer(std::shared_ptr<Layer> part);  // whose variables, losses and updates are ours, too
  InputSpecs input_spec;                        // checked at every call
  bool built = false;
  bool supports_masking = false;

  // --- what programs ask for --------------------------------------------------------------------
  const std::string& name() const { return name_; }
  const std::string& class_name() const { return class_name_; }
  std::string scope_name() const;  // throws FailedPrecondition before the first call
  Style style() const { return options_.style; }
  const std::shared_ptr<Graph>& graph() const { return graph_; }
  DType dtype() const { return dtype_; }
  bool trainable() const { return options_.trainable; }
  void set_trainable(bool trainable);  // of its parts, too
  std::vector<Variable> trainable_weights() const;
  std::vector<Variable> non_trainable_weights() const;
  std::vector<Variable> weights() const;  // first the trainable ones
  std::vector<Output> losses() const;
  std::vector<Node*> updates() const;
  // Those that depend on any of `inputs`; without inputs those that depend on none.
  std::vector<Output> losses_for(const std::vector<Output>& inputs) const;
  std::vector<Node*> updates_for(const std::vector<Output>& inputs) const;
  std::int64_t count_params() const;
  const std::vector<LayerCall>& calls() const { return calls_; }
  const std::vector<std::shared_ptr<Layer>>& parts() const { return parts_; }

 private:
  friend class Calling;

  std::string class_name_, name_, base_name_;
  LayerOptions options_;
  std::shared_ptr<Graph> graph_;
  DType dtype_ = DType::invalid;
  VariableScopeRef scope_;
  std::vector<Variable> trainable_weights_, non_trainable_weights_;
  std::vector<std::shared_ptr<Layer>> parts_;
  std::vector<Output> losses_;
  std::vector<std::function<Output()>> losses_to_make_;
  std::vector<Node*> updates_;
  std::vector<LayerCall> calls_;
};

// What a call of a layer is made of, for faces of other languages: scopes are open while it lives.
//
//   Calling in(layer, inputs, arguments, at);
//   if (in.first()) build;                        // then in.now_built()
//   outputs = call;
//   in.end(outputs);
class Calling {
 public:
  Calling(Layer& layer, std::vector<Output> inputs, CallArguments arguments,
          std::source_location at);
  ~Calling();
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;

  bool first() const { return !layer_.built; }
  void now_built() { layer_.built = true; }
  // Losses of the outputs' activity, collections of updates, the layer's record of its calls.
  void end(const std::vector<Output>& outputs);

 private:
  Layer& layer_;
  LayerCall record_;
  std::unique_ptr<AsDefault> in_graph_;
  std::unique_ptr<VariableScopeBlock> variables_;
  std::unique_ptr<ScopeChange> names_;
};

// The layer whose call made a tensor, and which of its calls and outputs it was; null: none.
struct MadeBy {
  Layer* layer = nullptr;
  std::size_t call = 0, output = 0;
};
MadeBy made_by(Output tensor);

}  // namespace rill::layers
