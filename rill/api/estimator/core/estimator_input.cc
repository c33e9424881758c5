#include "rill/api/estimator/core/estimator_input.h"

#include "rill/api/core/collections.h"
#include "rill/api/data/iterator.h"
#include "rill/api/logging/tf_logging.h"

namespace rill::estimator {
namespace {

class IteratorInitializerHook : public train::SessionRunHook {
 public:
  explicit IteratorInitializerHook(Node& initializer) : initializer_(initializer) {}
  void after_create_session(Session& session, train::Coordinator&) override {
    session.run(initializer_);
  }

 private:
  Node& initializer_;
};

bool comes_from_iterator(const data::Component& part) {
  return part.spec().kind == data::ComponentKind::kTensor &&
         part.tensor().node->op().name == std::string_view("IteratorGetNext");
}

}  // namespace

std::vector<HookRef> ModelInput::hooks() const {
  if (iterator_initializer == nullptr) return {};
  return {std::make_shared<IteratorInitializerHook>(*iterator_initializer)};
}

ModelInput make_input(const InputFn& input_fn, Mode mode, const RunConfig& config) {
  InputValues values = [&] {
    const DeviceScope cpu("/cpu:0");
    return input_fn(mode, config);
  }();
  if (auto* batch = std::get_if<InputBatch>(&values)) return {std::move(*batch)};
  const BatchDataset& input = std::get<BatchDataset>(values);
  const data::Iterator iterator = input.dataset.make_initializable_iterator();
  return {input.split(iterator.get_next()), &iterator.initializer()};
}

void warn_of_endless_input(const InputBatch& batch) {
  for (const auto& [name, part] : batch.features)
    if (comes_from_iterator(part)) return;
  if (!get_collection(GraphKeys::QUEUE_RUNNERS).empty()) return;
  logging::warning(
      "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict "
      "yields forever. This is probably a mistake.");
}

}  // namespace rill::estimator
