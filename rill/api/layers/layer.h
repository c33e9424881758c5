#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "rill/api/core/made_here.h"
#include "rill/api/layers/input_spec.h"
#include "rill/api/layers/scope_choice.h"
#include "rill/api/layers/weight.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::layers {

// How a layer keeps its variables and names what it makes.
enum class Style {
  kScoped,  // tf.layers: get_variable in a variable scope of its own, which reuse applies to
  kOwned,   // tf.keras: resource variables of its own, in the name scope of the first call
};

// All have defaults; programs mostly give a name. An activity regularizer's loss is divided by the
// size of the batch.
struct LayerOptions {
  std::string name = {};  // empty: after the class, made unique in the graph
  bool trainable = true;
  DType dtype = DType::invalid;                             // invalid: the first input's
  std::function<Output(Output)> activity_regularizer = {};  // a loss of each output
  Style style = Style::kScoped;
  std::optional<bool> counts_from_zero = {};  // how names are numbered; none: kOwned does
  std::optional<bool> collects_losses = {};   // in REGULARIZATION_LOSSES; none: kScoped does
  bool collects_updates = true;               // kScoped: UPDATE_OPS gets the updates of each call
  Reuse reuse = Reuse::kUnset;                // kScoped: whether the variables are there already
  ScopeChoice scope = {};  // kScoped: opened at once; none: at the first call, after the name
};

// The arguments of a call beside its inputs.
struct CallArguments {
  OptionalInput training = {};     // whether the layer is being trained: a value or a bool tensor
  std::vector<Output> masks = {};  // one for each input, or none at all
  std::vector<Output> more = {};   // further tensors: initial states, constants
  ScopeChoice scope = {};          // kScoped: where the first call opens its variable scope
};

// Fields mean what they do in get_variable(). `trainable` absent: true, unless the synchronization
// is ON_READ, with which true throws InvalidArgument. Without an initializer a type that is neither
// float, integer nor bool throws it, too.
struct WeightOptions {
  DType dtype = DType::invalid;  // invalid: the layer's
  Initializer initializer = {};  // none: Glorot's, zeros for integers
  Regularizer regularizer = {};
  std::optional<bool> trainable = {};
  ConstraintFunction constraint = {};
  Partitioner partitioner = {};
  std::optional<bool> use_resource = {};
  VariableSynchronization synchronization = VariableSynchronization::AUTO;
  VariableAggregation aggregation = VariableAggregation::NONE;
  std::optional<std::vector<std::string>> collections = {};  // none: GLOBAL_VARIABLES
  std::optional<DeviceChoice> caching_device = {};
};

// One call that a layer has had: how models find their way from outputs to inputs.
struct LayerCall {
  std::vector<Output> inputs = {}, outputs = {};
  CallArguments arguments = {};
};

// A part of a network with variables of its own, made at its first call and shared by later ones.
// Subclasses say in build() which variables there are, and in call() what is computed:
//
//   struct Scale : tf::layers::Layer {
//     Scale() : Layer("Scale") {}
//     void build(const PartialShape& in) override { scale_ = add_weight("scale", {in[1]}); }
//     Output call(Output x, const CallArguments&) override { return x * scale_; }
//     Weight scale_;
//   };
//
// Layers of several inputs or outputs override build_all() and call_all() instead. Not for several
// threads at once. Its graph must live as long as what the layer is asked for.
class Layer : public std::enable_shared_from_this<Layer> {
 public:
  // Belongs to the default graph of this moment. `class_name` is what default names are made of.
  explicit Layer(std::string class_name, LayerOptions options = {});
  virtual ~Layer();
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  // Applies the layer: the first call runs build() before call(). Inputs are checked against
  // input_spec. Throws InvalidArgument when they do not fit, or when the first form has another
  // number of outputs than one, and what build() and call() throw. If build() throws, the layer
  // stays unbuilt, and the next call tries again.
  Output operator()(Output x, const CallArguments& arguments = {},
                    std::source_location at = std::source_location::current());
  std::vector<Output> operator()(const std::vector<Output>& inputs,
                                 const CallArguments& arguments = {},
                                 std::source_location at = std::source_location::current());

  // --- what subclasses say ----------------------------------------------------------------------
  // Makes the variables, and may set input_spec by the shape.
  virtual void build(const PartialShape& input);
  virtual Output call(Output x, const CallArguments& arguments);  // x, where nobody says better
  // Without adding nodes; throws Unimplemented where a layer does not define it.
  virtual PartialShape compute_output_shape(const PartialShape& input) const;
  virtual void build_all(const std::vector<PartialShape>& inputs);  // build of the only one
  virtual std::vector<Output> call_all(const std::vector<Output>& inputs,
                                       const CallArguments& arguments);
  // The masks of the outputs: those of the inputs where supports_masking is set, else none.
  virtual std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                            const std::vector<Output>& masks);
  // Throws InvalidArgument when what the layer was given does not fit together.
  virtual void check_settings() const {}
  // Build and call with all that belongs to it; layers of other languages do it there.
  virtual std::vector<Output> run(const std::vector<Output>& inputs, const CallArguments& arguments,
                                  std::source_location at);
  // What keeps the layer alive while tensors that it made are used; null: nobody needs to.
  virtual std::shared_ptr<void> owner() { return weak_from_this().lock(); }

  // --- what they use ----------------------------------------------------------------------------
  // A variable of the layer. With kScoped, one that is there is shared as get_variable() does it;
  // its regularizer then adds no second loss. Throws InvalidArgument as get_variable() does, for
  // another shape or a name that exists without reuse.
  Weight add_weight(const std::string& name, const PartialShape& shape,
                    const WeightOptions& options = {},
                    std::source_location at = std::source_location::current());
  void track(const Variable& variable, bool trainable);        // one that was made otherwise
  void add_loss(Output loss, bool depends_on_inputs = false);  // with inputs: only for their sake
  // Made when losses() is asked for, anew each time; no loss where it returns an empty Output.
  void add_loss(std::function<Output()> loss, bool depends_on_inputs = false);
  // An operation that a step of training is to run, as of moving averages. It counts as depending
  // on the inputs where it does in the graph.
  void add_update(Node& update);
  // Twice is once. The part's variables become resources, as TensorFlow has it for layers inside
  // layers.
  void add_layer(std::shared_ptr<Layer> part);  // whose variables, losses and updates are ours, too
  void remove_layer(const Layer& part);
  InputSpecs input_spec;  // checked at every call
  bool built = false;
  bool supports_masking = false;
  bool stateful = false;       // its updates run though it is not trained
  bool use_resources = false;  // kScoped: variables are resources though the scope does not say so

  // --- what programs ask for --------------------------------------------------------------------
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  const std::string& class_name() const { return class_name_; }
  std::string scope_name() const;  // throws InvalidArgument before the first call
  const VariableScopeRef& scope() const { return scope_; }
  Style style() const { return options_.style; }
  std::shared_ptr<Graph> graph() const { return graph_.lock(); }
  DType dtype() const { return dtype_; }  // invalid before the first call, unless it was given
  void set_dtype(DType dtype) { dtype_ = dtype; }
  bool trainable() const { return options_.trainable; }
  void set_trainable(bool trainable);  // of its parts, too
  void set_activity_regularizer(std::function<Output(Output)> regularizer);
  // By the name that add_weight() got.
  Weight added_weight(const std::string& name) const;  // none where there is none
  // Empty where the layer is not trainable; its variables are then all among the non-trainable
  // ones. So a layer is frozen by set_trainable(false) before the optimizer asks.
  std::vector<Variable> trainable_weights() const;
  std::vector<Variable> non_trainable_weights() const;
  std::vector<Variable> weights() const;  // first the trainable ones
  // Of the layer and its parts. Updates of layers that are neither trainable nor stateful are left
  // out.
  std::vector<Output> losses() const;
  std::vector<Node*> updates() const;
  // Those that depend on any of `inputs`; without inputs those that depend on none.
  std::vector<Output> losses_for(const std::vector<Output>& inputs) const;
  std::vector<Node*> updates_for(const std::vector<Output>& inputs) const;
  std::int64_t count_params() const;  // throws InvalidArgument before it is built
  // Calls whose inputs all come from layers: what models are made of.
  const std::vector<LayerCall>& calls() const { return calls_; }
  const std::vector<std::shared_ptr<Layer>>& parts() const { return parts_; }

 protected:
  // Keeps a call, by which its outputs are known from now on. Input layers call it themselves.
  std::vector<Output> record(LayerCall call);

 private:
  friend class Calling;

  struct Loss {
    Output made;
    std::function<Output()> make;  // none: `made` is it
    bool depends_on_inputs = false;
  };
  struct Update {
    Node* node = nullptr;
    bool depends_on_inputs = false;
  };

  void open_scope(const ScopeChoice& chosen, std::source_location at);
  Weight add_scoped_weight(const std::string& name, const PartialShape& shape, WeightOptions o,
                           std::source_location at);
  Weight add_owned_weight(const std::string& name, const PartialShape& shape,
                          const WeightOptions& o, std::source_location at);
  void regularize(const std::string& name, const Weight& weight, const Regularizer& regularizer);
  void collect(const Loss& loss);
  std::vector<const Layer*> with_parts() const;  // each once, outer ones first
  std::vector<std::pair<Output, bool>> tagged_losses() const;
  void add_activity_losses(const std::vector<Output>& outputs);
  void forget_eager_losses();  // those of the call before

  std::string class_name_, name_, base_name_;
  LayerOptions options_;
  std::weak_ptr<Graph> graph_;
  DType dtype_ = DType::invalid;
  VariableScopeRef scope_;
  std::vector<std::pair<std::string, Weight>> added_weights_;
  std::vector<Variable> trainable_weights_, non_trainable_weights_;
  std::vector<std::shared_ptr<Layer>> parts_;
  std::vector<Loss> losses_, losses_to_make_;
  std::vector<Update> updates_;
  std::vector<LayerCall> calls_;
};

// What a call of a layer is made of, for faces of other languages: name and variable scopes are
// open while it lives. Calls nest, on one thread. The constructor throws InvalidArgument where
// inputs do not fit; without end() nothing is recorded.
//
//   Calling in(layer, inputs, arguments, at);
//   if (in.first()) build;                        // then in.now_built()
//   outputs = in.end(call);
class Calling {
 public:
  Calling(Layer& layer, std::vector<Output> inputs, CallArguments arguments,
          std::source_location at);
  ~Calling();
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;

  bool first() const { return !layer_.built; }
  void now_built() { layer_.built = true; }
  // As given, with what the layers around and before this one say about training and masks.
  const CallArguments& arguments() const { return record_.arguments; }
  const VariableScopeRef& scope() const;  // kScoped: the open one
  // Losses of the outputs' activity and the layer's record of its calls. Returns the outputs, those
  // that are inputs as copies where the call is recorded.
  std::vector<Output> end(const std::vector<Output>& outputs);

  // The call around, whatever its layer; null: none.
  static const Calling* current();
  const Layer& layer() const { return layer_; }
  const std::vector<Output>& inputs() const { return record_.inputs; }

 private:
  void infer_dtype();
  void collect_masks();

  Layer& layer_;
  LayerCall record_;
  Calling* outer_ = nullptr;
  bool ended_ = false;
  std::unique_ptr<VariableScopeBlock> variables_;
  std::unique_ptr<Inside> names_;
};

// What a call without a `training` argument takes where no call around says it: tf.keras's learning
// phase. None unless it is set.
std::function<OptionalInput()>& default_training();

// The layer whose call made a tensor, and which of its calls and outputs it was; null: none.
struct MadeBy {
  Layer* layer = nullptr;
  std::size_t call = 0, output = 0;
};
MadeBy made_by(Output tensor);

// The layers that a graph keeps because tensors of it were made by them, each once; and how it lets
// them go. For garbage collectors of other languages.
void visit_makers(Graph& graph, const std::function<void(Layer&)>& visit);
void forget_makers(Graph& graph);

// The mask that came with a tensor from the layer that made it; empty: none.
Output mask_of(Output tensor);
// Kept by the tensor's graph.
void set_mask(Output tensor, Output mask);

// get_collection_ref makes a collection that is not there yet; so do calls of layers.
void touch_collection(std::string_view name);

// "BatchNormalization" is "batch_normalization".
std::string snake_case(const std::string& class_name);
// Names count up in each graph: "dense_1", "dense_2"; from zero: "dense", "dense_1".
std::string unique_layer_name(const std::string& base, bool from_zero);
void forget_layer_names(Graph& graph);

}  // namespace rill::layers
