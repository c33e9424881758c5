#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/parsing/feature_batch.h"
#include "rill/ops/parsing/list_batch.h"

namespace rill {

extern const OpDecl kParseSequenceExample, kParseSingleSequenceExample;

namespace {

// Names of examples for messages, the kind of the op with them.
struct Names {
  std::span<const std::string> names;
  bool single;
  std::string of(std::size_t example) const {
    return str_cat("Name: ", names.empty() ? "<unknown>" : names[example], ", ");
  }
  std::string types(DType wanted, DType got) const {
    const std::string text = str_cat("Data types don't match. Expected type: ", wanted);
    if (!single) return str_cat(text, ", Actual type: ", got);
    return str_cat(text, "  Feature is: ", got == DType::string ? "bytes" : dtype_name(got),
                   "_list");
  }
};

class ContextErrors final : public FeatureErrors {
 public:
  explicit ContextErrors(const Names& names) : names_(names) {}

  std::string unreadable(std::size_t example, const std::string& key) const override {
    return str_cat(names_.of(example), "Context feature: ", key,
                   ".  Can't parse serialized Example.");
  }
  std::string wrong_type(std::size_t example, const std::string& key, bool /*sparse*/, DType wanted,
                         DType got) const override {
    return str_cat(names_.of(example), "Context feature: ", key, ".  ", names_.types(wanted, got));
  }
  std::string missing(std::size_t example, const std::string& key,
                      const DenseSpec& spec) const override {
    const std::string text = str_cat(names_.of(example), "Context feature '", key,
                                     "' is required but could not be found.");
    return names_.single ? text : str_cat(inconsistent(key, spec, 0), ".  ", text);
  }
  std::string wrong_count(std::size_t example, const std::string& key, const DenseSpec& spec,
                          std::int64_t count) const override {
    const std::string text = str_cat(names_.of(example), "Key: ", key, ", Index: ", example,
                                     ".  Number of ", spec.type, " values != expected.  ",
                                     "values size: ", count, " but output shape: ", spec.shape);
    return names_.single ? text : str_cat(inconsistent(key, spec, count), ".  ", text);
  }
  std::string unset(std::size_t example, const std::string& key, DType wanted) const override {
    const std::string text = str_cat(names_.of(example), "Context feature: ", key,
                                     ".  Data types don't match. Expected type: ", wanted);
    if (names_.single) return text + "  Feature is: ";
    const std::string name = names_.names.empty() ? "<unknown>" : names_.names[example];
    return str_cat("Unexpected number of elements in example ", name, ".  ", text);
  }

 private:
  static std::string inconsistent(const std::string& key, const DenseSpec& spec,
                                  std::int64_t count) {
    return str_cat("Inconsistent max number of elements for feature ", key, ": expected ",
                   spec.size, ", but found ", count);
  }
  const Names& names_;
};

class FeatureListErrors final : public ListErrors {
 public:
  explicit FeatureListErrors(const Names& names) : names_(names) {}

  std::string unreadable(std::size_t example) const override {
    return str_cat("Could not parse example input: ", names_.of(example),
                   "a feature list cannot be read");
  }
  std::string missing(std::size_t example, const std::string& key) const override {
    return str_cat(names_.of(example), "Feature list '", key,
                   "' is required but could not be found.  Did you mean to include it in "
                   "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?");
  }
  std::string wrong_type(std::size_t example, const std::string& key, std::int64_t index,
                         bool sparse, DType wanted, DType got) const override {
    return str_cat(names_.of(example),
                   sparse && names_.single ? "Feature List: " : "Feature list: ", key,
                   ", Index: ", index, ".  ", names_.types(wanted, got));
  }
  std::string wrong_count(std::size_t example, const std::string& key, std::int64_t index,
                          const DenseSpec& spec, std::int64_t count) const override {
    const std::string where = str_cat(names_.of(example), "Key: ", key, ", Index: ", index, ".  ");
    const std::string sizes =
        str_cat("values != expected.  values size: ", count, " but output shape: ", spec.shape);
    if (names_.single) return str_cat(where, "Number of ", spec.type, " ", sizes);
    return str_cat("Feature list '", key, "' has an unexpected number of values.  ", where,
                   "Number of ", sizes);
  }

 private:
  const Names& names_;
};

void parse_sequences(KernelCall& call, const Names& names, const FeatureSpecs& context,
                     const FeatureSpecs& lists, FeatureBatch& features, const ListTarget& target) {
  const std::span<const std::string> serialized = call.input<std::string>(0);
  const FeatureListErrors errors(names);
  ListBatch sequences(call, lists, errors, target);
  for_examples(call, serialized, [&](std::size_t begin, std::size_t end) {
    EntryFinder feature_finder(context.keys), list_finder(lists.keys);
    for (std::size_t i = begin; i < end; ++i) {
      if (!read_example(serialized[i], feature_finder, &list_finder)) {
        require(!names.single, "Could not parse example input, value: '", serialized[i], "'");
        raise(Code::kInvalidArgument, "Invalid protocol message input, example id: ",
              names.names.empty() ? "<unknown>" : names.names[i]);
      }
      features.read(i, feature_finder);
      sequences.read(i, list_finder);
    }
  });
  features.make_loose();
  sequences.make_outputs();
  for_examples(call, serialized, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      features.write_loose(i);
      sequences.write(i);
    }
  });
}

void check_defaults(const KernelCall& call, const FeatureSpecs& context, int first,
                    const char* said) {
  for (std::size_t i = 0; i < context.dense.size(); ++i) {
    const Tensor& value = call.input_tensor(first + static_cast<int>(i));
    require(value.element_count() == 0 || value.shape() == context.dense[i].row, said, "_value[", i,
            "].shape() == ", value.shape(), " != context_dense_shapes[", i,
            "] == ", context.dense[i].shape);
  }
}

FeatureSpecs context_specs(const KernelNode& node, std::vector<std::string> keys) {
  return {std::move(keys), node.attr<std::vector<DType>>("context_sparse_types"),
          node.attr<std::vector<DType>>("Tcontext_dense"),
          node.attr<std::vector<PartialShape>>("context_dense_shapes")};
}
FeatureSpecs list_specs(const KernelNode& node, std::vector<std::string> keys) {
  return {std::move(keys), node.attr<std::vector<DType>>("feature_list_sparse_types"),
          node.attr<std::vector<DType>>("feature_list_dense_types"),
          node.attr<std::vector<PartialShape>>("feature_list_dense_shapes")};
}

std::vector<bool> may_miss(const FeatureSpecs& lists, std::span<const std::string> assumed_empty) {
  std::vector<bool> may;
  for (std::size_t i = lists.sparse_types.size(); i < lists.keys.size(); ++i)
    may.push_back(std::find(assumed_empty.begin(), assumed_empty.end(), lists.keys[i]) !=
                  assumed_empty.end());
  return may;
}

int context_outputs(const FeatureSpecs& context) {
  return static_cast<int>(3 * context.sparse_types.size() + context.dense.size());
}

struct BatchState final : KernelState {
  FeatureSpecs context, lists;
  std::vector<bool> may_miss;
};

std::vector<std::string> both_keys(const KernelNode& node, const char* sparse, const char* dense) {
  std::vector<std::string> keys = node.attr<std::vector<std::string>>(sparse);
  const auto& more = node.attr<std::vector<std::string>>(dense);
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

std::unique_ptr<KernelState> make_batch_state(const KernelNode& node) {
  auto state = std::make_unique<BatchState>();
  state->context =
      context_specs(node, both_keys(node, "context_sparse_keys", "context_dense_keys"));
  state->lists =
      list_specs(node, both_keys(node, "feature_list_sparse_keys", "feature_list_dense_keys"));
  state->may_miss =
      may_miss(state->lists,
               node.attr<std::vector<std::string>>("feature_list_dense_missing_assumed_empty"));
  return state;
}

void parse_sequence(KernelCall& call) {
  const auto& state = call.state<BatchState>();
  const Tensor &serialized = call.input_tensor(0), &debug_name = call.input_tensor(1);
  require(
      debug_name.element_count() == 0 || debug_name.element_count() == serialized.element_count(),
      "example_names must be empty or have the correct number of elements");
  check_defaults(call, state.context, 2, "default");
  const Names names{debug_name.flat<std::string>(), false};
  const ContextErrors errors(names);
  const std::int64_t count = serialized.element_count();
  FeatureBatch features(
      call, state.context, errors,
      {.example_count = count, .first_default = 2, .first_output = 0, .single = false});
  parse_sequences(call, names, state.context, state.lists, features,
                  {.example_count = count,
                   .first_output = context_outputs(state.context),
                   .single = false,
                   .may_miss = state.may_miss});
}

// `sparse` and `dense` keys from the inputs at `first_sparse` and `first_dense`.
struct KeyInputs {
  const char* name;
  int first;
  std::size_t count;
};

void add_keys(const KernelCall& call, const KeyInputs& inputs, std::vector<std::string>* keys) {
  for (std::size_t i = 0; i < inputs.count; ++i) {
    const Tensor& key = call.input_tensor(inputs.first + static_cast<int>(i));
    require(key.rank() == 0, "Expected ", inputs.name, "[", i,
            "] to be a scalar, got shape: ", key.shape());
    keys->push_back(key.scalar_value<std::string>());
  }
}

void parse_single_sequence(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto count = [&](const char* attr) {
    return static_cast<std::size_t>(node.attr<std::int64_t>(attr));
  };
  int at = 2;
  const auto keys_of = [&](const char* name, const char* attr) {
    const KeyInputs inputs{name, at, count(attr)};
    at += static_cast<int>(inputs.count);
    return inputs;
  };
  std::vector<std::string> context_keys, list_keys;
  add_keys(call, keys_of("context_sparse_keys", "Ncontext_sparse"), &context_keys);
  add_keys(call, keys_of("context_dense_keys", "Ncontext_dense"), &context_keys);
  add_keys(call, keys_of("feature_list_sparse_keys", "Nfeature_list_sparse"), &list_keys);
  add_keys(call, keys_of("feature_list_dense_keys", "Nfeature_list_dense"), &list_keys);
  const FeatureSpecs context = context_specs(node, std::move(context_keys)),
                     lists = list_specs(node, std::move(list_keys));
  const Tensor& debug_name = call.input_tensor(call.input_count() - 1);
  require(debug_name.rank() == 0,
          "Expected debug_name to be a scalar, got shape: ", debug_name.shape());
  check_defaults(call, context, at, "def");
  const Names names{debug_name.flat<std::string>(), true};
  const ContextErrors errors(names);
  FeatureBatch features(
      call, context, errors,
      {.example_count = 1, .first_default = at, .first_output = 0, .single = true});
  parse_sequences(call, names, context, lists, features,
                  {.example_count = 1,
                   .first_output = context_outputs(context),
                   .single = true,
                   .may_miss = may_miss(lists, call.input<std::string>(1))});
}

constexpr KernelEntry kEntries[] = {
    {.op = &kParseSequenceExample,
     .run = parse_sequence,
     .make_state = make_batch_state,
     .allocates = true},
    {.op = &kParseSingleSequenceExample, .run = parse_single_sequence, .allocates = true},
};

}  // namespace

extern const KernelTable kParseSequenceCpu{kEntries};

}  // namespace rill
