// Optimizers of tf.train as parts of checkpoints.
#include <algorithm>

#include "rill/api/saver/trackable.h"
#include "rill/api/train/optimizer.h"
#include "rill/base/text.h"

namespace rill::train {
namespace {

class TrackedOptimizer : public Trackable {
 public:
  explicit TrackedOptimizer(std::shared_ptr<Optimizer> optimizer)
      : optimizer_(std::move(optimizer)) {}
  const void* identity() const override { return optimizer_.get(); }
  std::string describe() const override {
    return str_cat("<optimizer ", optimizer_->get_name(), ">");
  }
  std::vector<Child> children() override {
    std::vector<Child> children;
    for (const Variable& variable : optimizer_->non_slot_variables())
      if (&variable.graph() == default_graph().get())
        children.push_back({given_name(variable), as_trackable(variable)});
    std::ranges::sort(children, {}, &Child::name);
    return children;
  }
  std::vector<std::string> slot_names() override { return optimizer_->get_slot_names(); }
  Variable slot(const Variable& of, const std::string& name) override {
    if (of.is_eager() && executing_eagerly() && !optimizer_->get_slot(of, name))
      optimizer_->create_slots({of});
    return optimizer_->get_slot(of, name);
  }

 private:
  // As the optimizer called it; in the graph its name may have got a number.
  std::string given_name(const Variable& variable) const {
    std::string name = variable.handle().node->name();
    name = name.substr(name.rfind('/') + 1);
    const std::string plain = name.substr(0, name.rfind('_'));
    const bool numbered = optimizer_->get_non_slot_variable(plain, variable.graph()) == variable;
    return numbered ? plain : name;
  }
  std::shared_ptr<Optimizer> optimizer_;
};

}  // namespace

TrackableRef as_trackable(std::shared_ptr<Optimizer> optimizer) {
  require(optimizer != nullptr, "an optimizer to be saved is none");
  return std::make_shared<TrackedOptimizer>(std::move(optimizer));
}

}  // namespace rill::train
