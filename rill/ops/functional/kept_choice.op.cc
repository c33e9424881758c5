#include "rill/ops/functional/kept_choice.h"

#include "rill/grad/split_gradient.h"
#include "rill/graph/builders.h"
#include "rill/graph/function_call.h"
#include "rill/ops/functional/rerun.h"

namespace rill {
namespace {

using Outputs = std::vector<Output>;
using SplitRef = std::shared_ptr<const SplitGradient>;

class KeptChoice {
 public:
  KeptChoice(GradCtx& g, std::span<const FuncName> branches) : g_(g) {
    for (const FuncName& branch : branches)
      splits_.push_back(split_gradient(g.node().graph(), branch));
    for (int i = 1; i < g.input_count(); ++i) inputs_.push_back(g.input(i));
    result_count_ = g.node().attr<std::vector<DType>>("Tout").size();
    for (const SplitRef& split : splits_) {
      first_kept_.push_back(kept_types_.size());
      const auto own = static_cast<std::ptrdiff_t>(split->result_count);
      kept_types_.insert(kept_types_.end(), split->forward_types.begin() + own,
                         split->forward_types.end());
      kept_shapes_.insert(kept_shapes_.end(), split->kept_shapes.begin(), split->kept_shapes.end());
    }
  }

  void build(AttrMap (*named)(const std::vector<FuncName>& branches)) {
    find_sought();
    if (sought_.empty()) return;
    Node& forward = add_forward(named);
    Outputs given;
    for (const int seed : splits_[0]->seeds) given.push_back(dy_or_zeros(g_, seed));
    for (std::size_t k = 0; k < kept_types_.size(); ++k)
      given.push_back(forward.output(static_cast<int>(result_count_ + k)));
    given.insert(given.end(), inputs_.begin(), inputs_.end());
    add_backward(named, given);
  }

 private:
  static std::vector<DType> types_of(const Outputs& outputs) {
    std::vector<DType> types;
    for (const Output& output : outputs) types.push_back(base_type(output.dtype()));
    return types;
  }

  // The inputs that have a gradient in some branch.
  void find_sought() {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      for (const SplitRef& split : splits_)
        if (!split->sent[i].empty()) {
          sought_.push_back(i);
          break;
        }
  }

  // Branch b gives its results, its own values, and something of the right type for those of
  // others.
  Outputs forward_branch(Scope& scope, const Outputs& all, std::size_t b) const {
    const SplitGradient& split = *splits_[b];
    Outputs values = call_recorded(scope, {.name = split.forward}, split.forward_has_effects, all,
                                   split.forward_types);
    const auto own = values.begin() + static_cast<std::ptrdiff_t>(split.result_count);
    Outputs results(values.begin(), own);
    for (std::size_t k = 0; k < kept_types_.size(); ++k) {
      const std::size_t first = first_kept_[b],
                        count = split.forward_types.size() - split.result_count;
      if (k >= first && k < first + count)
        results.push_back(*(own + static_cast<std::ptrdiff_t>(k - first)));
      else
        results.push_back(
            scope.add("FakeParam", {}, {{"dtype", kept_types_[k]}, {"shape", kept_shapes_[k]}})
                .output());
    }
    return results;
  }

  Node& add_forward(AttrMap (*named)(const std::vector<FuncName>& branches)) {
    Graph& graph = g_.node().graph();
    std::vector<FuncName> functions;
    for (std::size_t b = 0; b < splits_.size(); ++b)
      functions.push_back(define_helper(
          graph, splits_[b]->forward + "_branch", types_of(inputs_),
          [&](Scope& scope, const Outputs& all) { return forward_branch(scope, all, b); },
          splits_[b]->argument_shapes, as_handles(inputs_)));
    AttrMap attrs = named(functions);
    auto types = g_.node().attr<std::vector<DType>>("Tout");
    types.insert(types.end(), kept_types_.begin(), kept_types_.end());
    std::vector<PartialShape> shapes;
    for (int i = 0; i < g_.node().output_count(); ++i) shapes.push_back(g_.node().output_shape(i));
    shapes.insert(shapes.end(), kept_shapes_.begin(), kept_shapes_.end());
    attrs.emplace("Tout", types);
    attrs.emplace("output_shapes", shapes);
    return replace_node(g_.node(), {}, std::move(attrs));
  }

  // Arguments: the gradients that arrive, what all branches kept, the inputs.
  Outputs backward_branch(Scope& scope, const Outputs& all, std::size_t b) const {
    const SplitGradient& split = *splits_[b];
    const auto seeds = std::span(all).first(split.seeds.size());
    const auto kept = std::span(all).subspan(seeds.size(), kept_types_.size());
    const auto inputs = std::span(all).last(inputs_.size());
    Outputs results(split.result_count);
    const std::size_t count = split.forward_types.size() - split.result_count;
    for (std::size_t k = 0; k < count; ++k) results.push_back(kept[first_kept_[b] + k]);
    const Outputs sent = call_backward(scope, split, seeds, inputs, results);
    Outputs gradients;
    for (const std::size_t i : sought_) {
      const Gradient gradient = sent_gradient(split, sent, i);
      gradients.push_back(gradient.empty()       ? zeros_like(scope, inputs[i])
                          : gradient.is_slices() ? densify(scope, gradient.slices())
                                                 : gradient.dense());
    }
    return gradients;
  }

  void add_backward(AttrMap (*named)(const std::vector<FuncName>& branches), const Outputs& given) {
    std::vector<FuncName> functions;
    std::vector<PartialShape> known;
    for (const Output& value : given) known.push_back(value.shape());
    for (std::size_t b = 0; b < splits_.size(); ++b)
      functions.push_back(define_helper(
          g_.scope().graph(), splits_[b]->backward + "_branch", types_of(given),
          [&](Scope& scope, const Outputs& all) { return backward_branch(scope, all, b); }, known,
          as_handles(given)));
    AttrMap attrs = named(functions);
    std::vector<DType> types;
    std::vector<PartialShape> shapes;
    for (const std::size_t i : sought_) {
      types.push_back(gradient_type(inputs_[i]));
      const HandleInfo* handle = inputs_[i].node->output_handle(inputs_[i].index);
      const bool behind = base_type(inputs_[i].dtype()) == DType::resource;
      shapes.push_back(!behind ? inputs_[i].shape() : handle ? handle->shape : PartialShape());
    }
    attrs.emplace("Tout", types);
    attrs.emplace("output_shapes", shapes);
    Node& node =
        g_.scope().add(g_.node().op().name, {g_.input(0), as_inputs(given)}, std::move(attrs));
    for (std::size_t k = 0; k < sought_.size(); ++k)
      g_.set(static_cast<int>(sought_[k]) + 1, node.output(static_cast<int>(k)));
  }

  GradCtx& g_;
  std::vector<SplitRef> splits_;
  Outputs inputs_;
  std::size_t result_count_ = 0;
  std::vector<std::size_t> first_kept_, sought_;
  std::vector<DType> kept_types_;
  std::vector<PartialShape> kept_shapes_;
};

}  // namespace

void kept_choice_gradient(GradCtx& g, std::span<const FuncName> branches,
                          AttrMap (*named)(const std::vector<FuncName>& branches)) {
  KeptChoice(g, branches).build(named);
}

}  // namespace rill
