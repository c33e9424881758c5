#include <algorithm>
#include <map>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/host_device.h"
#include "rill/ops/data/core/parallel_calls.h"
#include "rill/ops/data/core/stage_stats.h"
#include "rill/ops/data/files/example_counts.h"
#include "rill/ops/parsing/example_parser.h"
#include "rill/tensor/ragged_value.h"

namespace rill {

extern const OpDecl kExperimentalParseExampleDataset, kParseExampleDataset;

namespace {

// Sparse tensors travel as variants: indices, values, shape.
Tensor sparse_variant(Tensor indices, Tensor values, Tensor shape) {
  Tensor packed(DType::variant, Shape{3});
  Variant* const out = packed.data<Variant>();
  int at = 0;
  for (Tensor* part : {&indices, &values, &shape}) out[at++] = to_variant(std::move(*part));
  return packed;
}

// Parses vectors of serialized Examples, outside of any step.
class BatchParser {
 public:
  BatchParser(const KernelNode& node, Element defaults)
      : specs_(example_specs(node)), defaults_(std::move(defaults)) {
    node_.name = node.name;
    node_.op = node.op;
    node_.device = &host_device();
    std::vector<DType>& types = node_.output_types;
    types.assign(specs_.sparse_types.size(), DType::i64);
    types.insert(types.end(), specs_.sparse_types.begin(), specs_.sparse_types.end());
    types.insert(types.end(), specs_.sparse_types.size(), DType::i64);
    for (const DenseSpec& dense : specs_.dense) types.push_back(dense.type);
    for (std::size_t i = 0; i < specs_.dense.size(); ++i) specs_.check_default(i, defaults_[i]);
    std::map<std::string, std::size_t> sorted;
    for (std::size_t i = 0; i < specs_.keys.size(); ++i) sorted[specs_.keys[i]] = i;
    for (const auto& [key, position] : sorted) keys_.push_back(key);
    require(sorted.size() == specs_.keys.size(), "a key is given twice");
    for (const auto& [key, position] : sorted) order_.push_back(position);
  }

  void parse(const Element& serialized, Element& results) const {
    require(serialized.size() == 1 && serialized[0].dtype() == DType::string &&
                serialized[0].rank() == 1,
            "Expected a vector of strings as input, but got ", serialized.size(), " components");
    const std::size_t sparse = specs_.sparse_types.size();
    std::vector<Value> inputs(1 + defaults_.size()), outputs(3 * sparse + specs_.dense.size());
    inputs[0].tensor = serialized[0];
    for (std::size_t i = 0; i < defaults_.size(); ++i) inputs[1 + i].tensor = defaults_[i];
    std::vector<Value*> in, out;
    for (Value& value : inputs) in.push_back(&value);
    for (Value& value : outputs) out.push_back(&value);
    StepContext step;
    KernelCall call(node_, nullptr, in, out, step);
    parse_examples(call, specs_, {}, 1);
    results.clear();
    for (const std::size_t i : order_) {
      if (i < sparse) {
        results.push_back(sparse_variant(std::move(outputs[i].tensor),
                                         std::move(outputs[sparse + i].tensor),
                                         std::move(outputs[2 * sparse + i].tensor)));
      } else {
        results.push_back(std::move(outputs[2 * sparse + i].tensor));
      }
    }
  }

  void report(const Tensor& serialized, const StageStats& stats) const {
    for (const std::string& bytes : serialized.flat<std::string>()) {
      const ExampleCounts counts(bytes, keys_);
      stats.histogram("features_count", static_cast<double>(counts.features), 0);
      stats.histogram("feature_values_count", static_cast<double>(counts.values), 0);
    }
  }

 private:
  KernelNode node_;
  const FeatureSpecs specs_;
  const Element defaults_;
  std::vector<std::size_t> order_;  // of the components: which key
  std::vector<std::string> keys_;
};

class ParseExampleDataset final : public Dataset {
 public:
  ParseExampleDataset(ElementSpec spec, DatasetRef input, std::shared_ptr<const BatchParser> parser,
                      std::int64_t width, bool in_order)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        parser_(std::move(parser)),
        width_(width),
        in_order_(in_order) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return input_->size(); }

 private:
  class Iterator final : public IteratorOf<ParseExampleDataset> {
   public:
    Iterator(const ParseExampleDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          work_(
              pipeline, dataset.input_->iterate(pipeline),
              [parser = dataset.parser_,
               stats = StageStats(dataset, *pipeline, {}, worker_count(dataset.width_, *pipeline))](
                  Element& serialized, Element& results) {
                const StageStats::Work timed(stats);
                parser->parse(serialized, results);
                if (stats) parser->report(serialized[0], stats);
                return true;
              },
              worker_count(dataset.width_, *pipeline), dataset.in_order_, false) {}
    bool produce(Element& element) override { return work_->take(element); }
    bool would_wait() const override { return work_->would_wait(); }
    void save_stage(StateWriter& state) const override { work_->save(state); }
    void restore_stage(const StateReader& state) override { work_->restore(state); }

   private:
    const StageOwner<ParallelCalls> work_;
  };
  const DatasetRef input_;
  const std::shared_ptr<const BatchParser> parser_;
  const std::int64_t width_;
  const bool in_order_;
};

std::shared_ptr<Dataset> parse_example_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto width = scalar_input<std::int64_t>(call, 1, "num_parallel_calls");
  require(width > 0 || width == kAutotune, "num_parallel_calls must be greater than zero.");
  Element defaults;
  for (int i = 2; i < call.input_count(); ++i) defaults.push_back(call.input_tensor(i));
  return std::make_shared<ParseExampleDataset>(
      stated_spec(node), dataset_input(call, 0),
      std::make_shared<const BatchParser>(node, std::move(defaults)), width,
      !node.attr<bool>("sloppy"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<parse_example_dataset>(kParseExampleDataset),
    dataset_kernel<parse_example_dataset>(kExperimentalParseExampleDataset),
};

}  // namespace

extern const KernelTable kParseExampleDatasetCpu{kEntries};

}  // namespace rill
