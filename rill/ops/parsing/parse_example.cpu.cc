#include "rill/kernel/kernel_registry.h"
#include "rill/ops/parsing/example_parser.h"
#include "rill/ops/parsing/feature_batch.h"

namespace rill {

extern const OpDecl kParseExample, kParseExampleV2, kParseSingleExample;

namespace {

class BatchErrors final : public FeatureErrors {
 public:
  explicit BatchErrors(std::span<const std::string> names) : names_(names) {}

  std::string unreadable(std::size_t example, const std::string& key) const override {
    return where(example, key) + "Can't parse serialized Example.";
  }
  std::string wrong_type(std::size_t example, const std::string& key, bool sparse, DType wanted,
                         DType got) const override {
    const std::string start = where(example, key) + "Data types don't match. ";
    return sparse ? str_cat(start, "Expected type: ", wanted, ", Actual type: ", got)
                  : str_cat(start, "Data type: ", got, " but expected type: ", wanted);
  }
  std::string missing(std::size_t example, const std::string& key,
                      const DenseSpec& spec) const override {
    return str_cat("Name: ", name(example), ", Feature: ", key, " (data type: ", spec.type,
                   ") is required but could not be found.");
  }
  std::string wrong_count(std::size_t example, const std::string& key, const DenseSpec& spec,
                          std::int64_t count) const override {
    return where(example, key) + said(spec, count);
  }
  static std::string said(const DenseSpec& spec, std::int64_t count) {
    if (spec.variable)
      return str_cat("Number of ", spec.type, " values is not a multiple of stride length. Saw ",
                     count, " values but output shape is: ", spec.shape);
    return str_cat("Number of ", spec.type, " values != expected.  Values size: ", count,
                   " but output shape: ", spec.shape);
  }

 private:
  std::string name(std::size_t example) const {
    return names_.empty() ? "<unknown>" : names_[example];
  }
  std::string where(std::size_t example, const std::string& key) const {
    return str_cat("Name: ", name(example), ", Key: ", key, ", Index: ", example, ".  ");
  }

  std::span<const std::string> names_;
};

class SingleErrors final : public FeatureErrors {
 public:
  std::string unreadable(std::size_t /*example*/, const std::string& key) const override {
    return str_cat("Key: ", key, ".  Can't parse serialized Example.");
  }
  std::string wrong_type(std::size_t /*example*/, const std::string& key, bool sparse, DType wanted,
                         DType got) const override {
    const std::string start = str_cat("Key: ", key, ".  Data types don't match. ");
    return sparse ? str_cat(start, "Expected type: ", wanted, ", Actual type: ", got)
                  : str_cat(start, "Data type: ", got, " but expected type: ", wanted);
  }
  std::string missing(std::size_t /*example*/, const std::string& key,
                      const DenseSpec& spec) const override {
    return str_cat("Feature: ", key, " (data type: ", spec.type,
                   ") is required but could not be found.");
  }
  std::string wrong_count(std::size_t example, const std::string& key, const DenseSpec& spec,
                          std::int64_t count) const override {
    return str_cat(unreadable(example, key), "  ", BatchErrors::said(spec, count));
  }
};

void parse_batch(KernelCall& call, FeatureBatch& batch, const FeatureSpecs& specs) {
  const std::span<const std::string> serialized = call.input<std::string>(0);
  for_examples(call, serialized, [&](std::size_t begin, std::size_t end) {
    EntryFinder finder(specs.keys);
    for (std::size_t i = begin; i < end; ++i) {
      require(read_example(serialized[i], finder), "Could not parse example input, value: '",
              serialized[i], "'");
      batch.read(i, finder);
    }
  });
  batch.make_loose();
  if (!batch.has_loose()) return;
  for_examples(call, serialized, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) batch.write_loose(i);
  });
}

void parse_example(KernelCall& call) {
  const KernelNode& node = call.node();
  const Tensor &serialized = call.input_tensor(0), &names = call.input_tensor(1);
  require(names.element_count() == 0 || names.shape() == serialized.shape(),
          "Expected names have the same shape as serialized: name.shape=", names.shape(),
          ", serialized.shape=", serialized.shape());
  const auto& dense_types = node.attr<std::vector<DType>>("Tdense");
  const auto& sparse_types = node.attr<std::vector<DType>>("sparse_types");
  const int key_count = static_cast<int>(sparse_types.size() + dense_types.size());
  std::vector<std::string> keys;
  for (int i = 0; i < key_count; ++i) {
    const Tensor& key = call.input_tensor(2 + i);
    require(key.element_count() == 1, "Expected a key to be a scalar, got shape: ", key.shape());
    keys.push_back(*key.data<std::string>());
  }
  const FeatureSpecs specs(std::move(keys), sparse_types, dense_types,
                           node.attr<std::vector<PartialShape>>("dense_shapes"));
  parse_examples(call, specs, names.flat<std::string>(), 2 + key_count);
}

void parse_example_v2(KernelCall& call) {
  const KernelNode& node = call.node();
  const Tensor &serialized = call.input_tensor(0), &names = call.input_tensor(1);
  if (!node.attr<std::vector<DType>>("ragged_value_types").empty())
    raise(Code::kUnimplemented, "ParseExampleV2 with ragged features");
  require(names.element_count() == 0 || names.shape() == serialized.shape(),
          "Expected names have the same shape as serialized: name.shape=", names.shape(),
          ", serialized.shape=", serialized.shape());
  const auto& dense_types = node.attr<std::vector<DType>>("Tdense");
  const auto& sparse_types = node.attr<std::vector<DType>>("sparse_types");
  const auto sparse_keys = call.input<std::string>(2), dense_keys = call.input<std::string>(3);
  require(sparse_keys.size() == sparse_types.size(), "Number of elements in sparse_keys (",
          sparse_keys.size(), ") must be ", sparse_types.size());
  require(dense_keys.size() == dense_types.size(), "Number of elements in dense_keys (",
          dense_keys.size(), ") must be ", dense_types.size());
  std::vector<std::string> keys(sparse_keys.begin(), sparse_keys.end());
  keys.insert(keys.end(), dense_keys.begin(), dense_keys.end());
  const FeatureSpecs specs(std::move(keys), sparse_types, dense_types,
                           node.attr<std::vector<PartialShape>>("dense_shapes"));
  const BatchErrors errors(names.flat<std::string>());
  FeatureBatch batch(call, specs, errors,
                     {.example_count = serialized.element_count(),
                      .first_default = 5,
                      .first_output = 0,
                      .single = serialized.rank() == 0});
  parse_batch(call, batch, specs);
}

struct SingleState final : KernelState {
  FeatureSpecs specs;
};

std::unique_ptr<KernelState> make_single_state(const KernelNode& node) {
  auto state = std::make_unique<SingleState>();
  state->specs = example_specs(node);
  return state;
}

void parse_single_example(KernelCall& call) {
  const FeatureSpecs& specs = call.state<SingleState>().specs;
  const Tensor& serialized = call.input_tensor(0);
  require(serialized.rank() == 0,
          "Expected serialized to be a scalar, got shape: ", serialized.shape());
  const SingleErrors errors;
  FeatureBatch batch(call, specs, errors,
                     {.example_count = 1, .first_default = 1, .first_output = 0, .single = true});
  parse_batch(call, batch, specs);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kParseExample, .run = parse_example, .allocates = true},
    {.op = &kParseExampleV2, .run = parse_example_v2, .allocates = true},
    {.op = &kParseSingleExample,
     .run = parse_single_example,
     .make_state = make_single_state,
     .allocates = true},
};

}  // namespace

FeatureSpecs example_specs(const KernelNode& node) {
  std::vector<std::string> keys = node.attr<std::vector<std::string>>("sparse_keys");
  const auto& dense_keys = node.attr<std::vector<std::string>>("dense_keys");
  const auto& sparse_types = node.attr<std::vector<DType>>("sparse_types");
  const auto& dense_types = node.attr<std::vector<DType>>("Tdense");
  const auto& dense_shapes = node.attr<std::vector<PartialShape>>("dense_shapes");
  require(keys.size() == sparse_types.size(), "len(sparse_keys) != len(sparse_types)");
  require(dense_keys.size() == dense_types.size(), "len(dense_keys) != len(dense_types)");
  require(dense_keys.size() == dense_shapes.size(), "len(dense_keys) != len(dense_shapes)");
  keys.insert(keys.end(), dense_keys.begin(), dense_keys.end());
  return FeatureSpecs(std::move(keys), sparse_types, dense_types, dense_shapes);
}

void parse_examples(KernelCall& call, const FeatureSpecs& specs, std::span<const std::string> names,
                    int first_default) {
  const BatchErrors errors(names);
  FeatureBatch batch(call, specs, errors,
                     {.example_count = call.input_tensor(0).element_count(),
                      .first_default = first_default,
                      .first_output = 0,
                      .single = false});
  parse_batch(call, batch, specs);
}

extern const KernelTable kParseExampleCpu{kEntries};

}  // namespace rill
