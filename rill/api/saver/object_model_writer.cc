#include "rill/api/saver/object_model_writer.h"

#include <algorithm>
#include <set>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/functional.h"
#include "rill/api/gen/lookup.h"
#include "rill/api/saver/saved_model_builder.h"
#include "rill/base/error.h"
#include "rill/graph/executed_node.h"
#include "rill/graph/function_define.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::saved_model {
namespace {

using tensorflow::StructuredValue;

// (), {}
StructuredValue no_arguments() {
  StructuredValue both;
  both.mutable_tuple_value()->add_values()->mutable_tuple_value();
  both.mutable_tuple_value()->add_values()->mutable_dict_value();
  return both;
}

StructuredValue spec_of(const Output& tensor, const std::string& name = {}) {
  StructuredValue value;
  auto& spec = *value.mutable_tensor_spec_value();
  spec.set_name(name);
  to_proto(tensor.shape(), spec.mutable_shape());
  spec.set_dtype(static_cast<tensorflow::DataType>(base_type(tensor.dtype())));
  return value;
}

// What inspect.getfullargspec says of a function without arguments.
tensorflow::FunctionSpec spec_without_arguments() {
  tensorflow::FunctionSpec spec;
  auto& named = *spec.mutable_fullargspec()->mutable_named_tuple_value();
  named.set_name("FullArgSpec");
  const auto add = [&](const char* key) {
    auto& pair = *named.add_values();
    pair.set_key(key);
    return pair.mutable_value();
  };
  add("args")->mutable_list_value();
  for (const char* key : {"varargs", "varkw", "defaults"}) add(key)->mutable_none_value();
  add("kwonlyargs")->mutable_list_value();
  add("kwonlydefaults")->mutable_none_value();
  add("annotations")->mutable_dict_value();
  spec.mutable_input_signature()->mutable_tuple_value();
  return spec;
}

// As a part of a node's name.
std::string plain(std::string name) {
  for (char& c : name)
    if (!is_valid_node_name(std::string_view(&c, 1)) && c != '_' && c != '-') c = '_';
  return name;
}

std::vector<std::size_t> order_by_name(const std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return names[i]; });
  return order;
}

Output zeros_for(const Variable& variable) {
  const PartialShape shape = variable.shape();
  std::vector<std::int32_t> dims;
  for (int d = 0; shape.has_rank() && d < shape.rank(); ++d)
    dims.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(shape[d], 0)));
  const Output zeros = raw::Fill(dims, Input(Tensor::zeros(base_type(variable.dtype()), {})));
  return shape.is_full() ? zeros : raw::PlaceholderWithDefault(zeros, shape);
}

class Writer {
 public:
  Writer(const ModelToSave& model, const std::string& export_dir)
      : model_(model), builder_(export_dir), graph_(make_graph()), inside_(graph_) {}

  void write() {
    for (const ObjectToSave& object : model_.objects) {
      const int number = add_object();
      if (object.variable) numbers_[key(object.variable.handle())] = number;
      if (object.table) numbers_[key(object.table->resource_handle())] = number;
    }
    for (std::size_t i = 0; i < model_.objects.size(); ++i) make(static_cast<int>(i));
    for (std::size_t i = 0; i < model_.objects.size(); ++i) describe(static_cast<int>(i));
    add_signatures();
    MetaGraphOptions options{.signature_def_map = signatures_, .assets = assets_};
    if (!fillers_.empty()) options.main_op = &group(Dependencies(fillers_), "init");
    options.saver = std::make_shared<train::Saver>(
        train::under_names(saved_), train::SaverOptions{.sharded = true, .allow_empty = true});
    builder_.add_objects({kServingTag}, options, std::move(message_));
    builder_.save();
  }

 private:
  using Key = std::pair<const void*, int>;
  static Key key(const Output& tensor) {
    return {static_cast<const Node*>(tensor.node), tensor.index};
  }

  tensorflow::SavedObject& object(int number) { return *message_.mutable_nodes(number); }

  int add_object() {
    message_.add_nodes();
    tensors_.emplace_back();
    return message_.nodes_size() - 1;
  }

  // --- what functions use -----------------------------------------------------------------------

  // The object that stands for a captured tensor; a value becomes one.
  int number_of(const Output& captured, const std::string& function) {
    if (const auto known = numbers_.find(key(captured)); known != numbers_.end())
      return known->second;
    const DType type = base_type(captured.dtype());
    require(captured.node->is_executed() && type != DType::resource && type != DType::variant,
            "Tried to export a function which references an 'untracked' resource. TensorFlow "
            "objects (e.g. tf.Variable) captured by functions must be 'tracked' by assigning them "
            "to an attribute of a tracked object or assigned to an attribute of the main object "
            "directly. Function name = ",
            function);
    const int number = add_object();
    tensors_[static_cast<std::size_t>(number)] = current_scope().constant(captured.value());
    object(number).mutable_constant()->set_operation(tensor(number).node->name());
    return numbers_[key(captured)] = number;
  }

  const Output& tensor(int number) const { return tensors_[static_cast<std::size_t>(number)]; }

  std::vector<int> numbers_of(const rill::ConcreteFunction& function) {
    std::vector<int> numbers;
    for (const Output& captured : function.captured())
      numbers.push_back(number_of(captured, function.name()));
    return numbers;
  }

  // --- objects ----------------------------------------------------------------------------------

  void make(int number) {
    const ObjectToSave& given = model_.objects[static_cast<std::size_t>(number)];
    if (given.variable) make_variable(number, given.variable);
    if (given.table) make_table(number, *given.table);
  }

  void make_variable(int number, const Variable& variable) {
    const auto value = [&variable] { return zeros_for(variable); };
    const Variable copy(std::function<Output()>(value), {.trainable = variable.trainable(),
                                                         .dtype = base_type(variable.dtype()),
                                                         .use_resource = true,
                                                         .shape = variable.shape(),
                                                         .name = plain_name(variable)});
    tensors_[static_cast<std::size_t>(number)] = copy.handle();
    for (const auto& [name, saved] : model_.variables)
      if (key(saved.handle()) == key(variable.handle())) saved_.emplace_back(name, copy);
  }

  static std::string plain_name(const Variable& variable) {
    const std::string name = variable.name();
    return name.substr(0, name.rfind(':'));
  }

  void make_table(int number, const lookup::StaticHashTable& table) {
    const Node& made = *table.resource_handle().node;
    const std::string shared = str_cat(attr<std::string>(made.attrs(), "shared_name"), "_", number);
    const auto make = [&] {
      return raw::HashTableV2(table.key_dtype(), table.value_dtype(),
                              {.shared_name = shared, .name = "hash_table"});
    };
    tensors_[static_cast<std::size_t>(number)] = make();
    const Node& filler = table.initializer();
    std::vector<int> used{number};
    for (const Output& source : table.sources()) used.push_back(source_of(filler, source));
    const auto fill = [&](const std::vector<Output>& arguments) -> Node& {
      std::vector<InputArg> inputs;
      for (const Output& argument : arguments) inputs.emplace_back(argument);
      return current_scope().add(filler.op(), std::move(inputs), filler.attrs());
    };
    std::vector<Output> here;
    for (const int use : used) here.push_back(tensor(use));
    fillers_.push_back(&fill(here));
    object(number).mutable_resource();
    add_child(number, "_create_resource",
              define("create_resource", {}, [&](const auto&) { return make(); }));
    add_child(number, "_initialize", define("initialize", used, [&](const auto& arguments) {
                return after(fill(arguments));
              }));
    add_child(number, "_destroy_resource",
              define("destroy_resource", {}, [](const auto&) { return constant(1); }));
  }

  static Output after(Node& node) {
    const ControlDependencies wait({node});
    return raw::Identity(constant(1));
  }

  // Keys and values are constants, files go into the model.
  int source_of(const Node& filler, const Output& source) {
    if (filler.op().name != "InitializeTableFromTextFileV2")
      return number_of(source, filler.op().name);
    const int number = add_object();
    object(number).mutable_asset()->set_asset_file_def_index(static_cast<int>(assets_.size()));
    const Output path = current_scope().constant(source.value(), "asset_path");
    assets_.push_back(path);
    tensors_[static_cast<std::size_t>(number)] = path;
    return number;
  }

  void add_child(int number, const std::string& name, int child) {
    auto& reference = *object(number).add_children();
    reference.set_node_id(child);
    reference.set_local_name(name);
  }

  void describe(int number) {
    const ObjectToSave& given = model_.objects[static_cast<std::size_t>(number)];
    for (const auto& [name, child] : given.children) {
      require(child >= 0 && static_cast<std::size_t>(child) < model_.objects.size(),
              "an object has the part ", child, ", but there are ", model_.objects.size());
      add_child(number, name, child);
    }
    if (given.variable)
      describe(given.variable, *object(number).mutable_variable());
    else if (given.is_function)
      describe_function(number, given);
    else if (!given.table)
      describe_user_object(number, given.identifier, given.metadata);
  }

  static void describe(const Variable& variable, tensorflow::SavedVariable& saved) {
    saved.set_dtype(static_cast<tensorflow::DataType>(base_type(variable.dtype())));
    to_proto(variable.shape(), saved.mutable_shape());
    saved.set_trainable(variable.trainable());
    saved.set_name(plain_name(variable));
  }

  void describe_user_object(int number, const std::string& identifier,
                            const std::string& metadata) {
    auto& saved = *object(number).mutable_user_object();
    saved.set_identifier(identifier);
    saved.set_metadata(metadata);
    saved.mutable_version()->set_producer(1);
    saved.mutable_version()->set_min_consumer(1);
  }

  void describe_function(int number, const ObjectToSave& given) {
    for (const FormToSave& form : given.forms) {
      add_concrete(form.function->name(), numbers_of(*form.function), form.input_signature,
                   form.output_signature);
      object(number).mutable_function()->add_concrete_functions(form.function->name());
      copy(*form.function);
    }
    *object(number).mutable_function()->mutable_function_spec() = given.spec;
  }

  // --- functions --------------------------------------------------------------------------------

  void copy(const rill::ConcreteFunction& function) {
    if (graph_->functions()->find(function.name()) == nullptr)
      define_with_callees(*graph_, *function.definition(), *eager_graph()->functions());
  }

  void add_concrete(const std::string& name, const std::vector<int>& bound,
                    const StructuredValue& arguments, const StructuredValue& results) {
    auto& concrete = (*message_.mutable_concrete_functions())[name];
    concrete.mutable_bound_inputs()->Assign(bound.begin(), bound.end());
    *concrete.mutable_canonicalized_input_signature() = arguments;
    *concrete.mutable_output_signature() = results;
  }

  // A function of nothing but the tensors of objects, as an object.
  template <class Build>
  int define(const char* base, const std::vector<int>& bound, const Build& build) {
    FunctionBuilder builder(*graph_);
    std::vector<Output> arguments;
    for (const int number : bound)
      arguments.push_back(
          builder.add_argument_like(tensor(number), "unknown", tensor(number).shape()));
    Output result;
    {
      const AsDefault body(builder.body());
      result = build(arguments);
    }
    const std::string name = str_cat("__inference_", base, "_", ++defined_);
    define_function(*graph_, builder.finish({result}, named(name)));
    add_concrete(name, bound, no_arguments(), spec_of(result));
    const int number = add_object();
    object(number).mutable_function()->add_concrete_functions(name);
    *object(number).mutable_function()->mutable_function_spec() = spec_without_arguments();
    return number;
  }

  static DefineOptions named(const std::string& name) {
    return {.name = name, .order_effects = true, .describe_arguments = true};
  }

  // --- signatures -------------------------------------------------------------------------------

  void add_signatures() {
    const int holder = add_object();
    describe_user_object(holder, "signature_map", "");
    add_child(0, "signatures", holder);
    for (const auto& [name, signature] : model_.signatures) {
      const std::string function = wrapper_of(name, signature);
      const int number = add_object();
      auto& bare = *object(number).mutable_bare_concrete_function();
      bare.set_concrete_function_name(function);
      for (const std::size_t i : order_by_name(signature.inputs))
        bare.add_argument_keywords(signature.inputs[i]);
      bare.set_allowed_positional_arguments(static_cast<std::int64_t>(signature.inputs.size()));
      add_child(holder, name, number);
      add_call(name, signature, function);
    }
  }

  // A function whose inputs and outputs are in the order of their names.
  std::string wrapper_of(const std::string& name, const SignatureToSave& signature) {
    const rill::ConcreteFunction& inner = *signature.function;
    check_names(name, signature);
    copy(inner);
    const std::vector<int> bound = numbers_of(inner);
    FunctionBuilder builder(*graph_);
    std::vector<Output> arguments(signature.inputs.size());
    StructuredValue inputs, outputs;
    auto& keywords = *no_arguments_in(inputs)->mutable_fields();
    for (const std::size_t i : order_by_name(signature.inputs)) {
      const Output& inside = inner.inputs()[i];
      arguments[i] = builder.add_argument(base_type(inside.dtype()), plain(signature.inputs[i]),
                                          inside.shape());
      keywords[signature.inputs[i]] = spec_of(inside, signature.inputs[i]);
    }
    for (const int number : bound)
      arguments.push_back(
          builder.add_argument_like(tensor(number), "unknown", tensor(number).shape()));
    std::vector<Output> results;
    {
      const AsDefault body(builder.body());
      const std::vector<Output> made = call(inner.name(), arguments, inner);
      auto& fields = *outputs.mutable_dict_value()->mutable_fields();
      for (const std::size_t i : order_by_name(signature.outputs)) {
        builder.body()->refine_shape(made[i], inner.outputs()[i].shape());
        results.push_back(raw::Identity(made[i]));
        fields[signature.outputs[i]] = spec_of(results.back(), signature.outputs[i]);
      }
    }
    const std::string wrapper =
        str_cat("__inference_signature_wrapper_", plain(name), "_", ++defined_);
    define_function(*graph_, builder.finish(results, named(wrapper)));
    add_concrete(wrapper, bound, inputs, outputs);
    return wrapper;
  }

  static tensorflow::DictValue* no_arguments_in(StructuredValue& value) {
    value = no_arguments();
    return value.mutable_tuple_value()->mutable_values(1)->mutable_dict_value();
  }

  static void check_names(const std::string& name, const SignatureToSave& signature) {
    require(signature.inputs.size() == signature.function->inputs().size() &&
                signature.outputs.size() == signature.function->outputs().size(),
            "the signature ", name, " does not name each argument and result of its function");
    for (const auto* names : {&signature.inputs, &signature.outputs})
      require(std::set(names->begin(), names->end()).size() == names->size(), "the signature ",
              name, " has one name twice");
  }

  static std::vector<Output> call(const std::string& function, const std::vector<Output>& arguments,
                                  const rill::ConcreteFunction& of) {
    std::vector<DType> types;
    for (const Output& result : of.outputs()) types.push_back(base_type(result.dtype()));
    return raw::StatefulPartitionedCall(Inputs(arguments.begin(), arguments.end()), types,
                                        FuncName{function, {}});
  }

  // The signature as nodes, for who knows nothing of objects.
  void add_call(const std::string& name, const SignatureToSave& signature,
                const std::string& function) {
    TensorInfos inputs, outputs;
    std::vector<Output> arguments;
    for (const std::size_t i : order_by_name(signature.inputs)) {
      const Output& inside = signature.function->inputs()[i];
      arguments.push_back(raw::Placeholder(
          base_type(inside.dtype()),
          {.shape = inside.shape(), .name = plain(str_cat(name, "_", signature.inputs[i]))}));
      inputs[signature.inputs[i]] = build_tensor_info(arguments.back());
    }
    for (const int number : numbers_of(*signature.function)) arguments.push_back(tensor(number));
    std::vector<DType> types;
    const auto order = order_by_name(signature.outputs);
    for (const std::size_t i : order)
      types.push_back(base_type(signature.function->outputs()[i].dtype()));
    const std::vector<Output> made = raw::StatefulPartitionedCall(
        Inputs(arguments.begin(), arguments.end()), types, FuncName{function, {}});
    for (std::size_t n = 0; n < order.size(); ++n) {
      graph_->refine_shape(made[n], signature.function->outputs()[order[n]].shape());
      outputs[signature.outputs[order[n]]] = build_tensor_info(made[n]);
    }
    signatures_[name] = build_signature_def(inputs, outputs, kPredictMethod);
  }

  const ModelToSave& model_;
  Builder builder_;
  const std::shared_ptr<Graph> graph_;
  const AsDefault inside_;
  tensorflow::SavedObjectGraph message_;
  std::vector<Output> tensors_;  // of the objects, in the graph
  std::map<Key, int> numbers_;   // of what functions capture
  std::vector<std::pair<std::string, train::ToSave>> saved_;
  std::vector<Output> assets_;
  std::vector<Node*> fillers_;
  std::map<std::string, BoxedSignatureDef> signatures_;
  int defined_ = 0;
};

}  // namespace

void write_object_model(const ModelToSave& model, const std::string& export_dir) {
  require(!model.objects.empty(), "a model has one object at least");
  Writer(model, export_dir).write();
}

}  // namespace rill::saved_model
