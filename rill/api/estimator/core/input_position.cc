// Where the input stands, beside checkpoints.
#include <algorithm>
#include <cstdlib>

#include "rill/api/core/basic_ops.h"
#include "rill/api/estimator/core/interrupted_training.h"
#include "rill/api/gen/data.h"
#include "rill/api/gen/io.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/summary/file_writer.h"
#include "rill/api/training/global_step_read.h"
#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill::estimator {
namespace {

constexpr std::string_view kIterators[] = {"IteratorV2", "Iterator", "OneShotIterator"};

// For inputs whose buffers are too large to be written at every checkpoint.
bool is_switched_off() {
  const char* wanted = std::getenv("RILL_INPUT_POSITIONS");
  return wanted != nullptr && std::string_view(wanted) == "0";
}

// The nodes that save and restore, and whether the iterators stand where they belong.
struct InputPosition {
  explicit InputPosition(InterruptedTrainingRef t) : training(std::move(t)) {}

  void build() {
    save = restore = nullptr;
    is_placed = false;
    if (is_switched_off()) return;
    std::vector<Output> iterators;
    for (Node* node : default_graph()->nodes())
      if (std::ranges::find(kIterators, node->op().name) != std::end(kIterators))
        iterators.push_back(node->output(0));
    if (iterators.empty()) return;
    const NameScope scope("input_position");
    step = train::global_step_for("InputPosition");
    path = placeholder(DType::string, PartialShape::scalar(), {.name = "path"});
    add_nodes(iterators);
  }

  void add_nodes(const std::vector<Output>& iterators) {
    const auto count = static_cast<std::int64_t>(iterators.size());
    Tensor names(DType::string, {count});
    const Tensor slices(DType::string, {count});
    std::vector<Input> positions;
    for (std::size_t i = 0; i < iterators.size(); ++i) {
      names.flat<std::string>()[i] = iterators[i].node->name();
      positions.push_back(raw::SerializeIterator(iterators[i]));
    }
    save = &raw::SaveV2(path, names, slices, positions);
    const std::vector<Output> saved =
        raw::RestoreV2(path, names, slices, std::vector<DType>(iterators.size(), DType::variant));
    std::vector<Node*> placed;
    for (std::size_t i = 0; i < iterators.size(); ++i)
      placed.push_back(&raw::DeserializeIterator(iterators[i], saved[i]));
    const ControlDependencies after(placed);
    restore = &no_op({.name = "restore"});
  }

  void run(Session& session, Node& node, std::int64_t at_step) const {
    session.run(node, {{path, Tensor::scalar(training->position_path(at_step))}});
  }

  void place(Session& session) {
    is_placed = true;
    if (restore == nullptr) return;
    const std::int64_t now = train::read_step(session, step);
    if (!training->has_position(now)) return;
    try {
      run(session, *restore, now);
      logging::info("The input goes on where it was at step ", now, ".");
    } catch (const Error& error) {
      logging::warning("The input begins anew: where it was at step ", now,
                       " is of no use to it: ", error.message());
    }
  }

  void save_at(Session& session, std::int64_t at_step) {
    if (!is_placed || save == nullptr) return;
    summaries::FileWriterCache::get(training->model_dir())->flush();
    make_directories(parent_path(training->position_path(at_step)));
    try {
      run(session, *save, at_step);
    } catch (const Error& error) {
      logging::warning("Should this process be killed, its input begins anew: ", error.message());
      save = nullptr;
    }
  }

  InterruptedTrainingRef training;
  Node *save = nullptr, *restore = nullptr;
  Output path, step;
  bool is_placed = false;  // until then there is nothing to save
};

class PositionHook : public train::SessionRunHook {
 public:
  explicit PositionHook(std::shared_ptr<InputPosition> position) : position_(std::move(position)) {}
  void begin() override { position_->build(); }
  void after_create_session(Session& session, train::Coordinator&) override {
    position_->place(session);
  }

 private:
  std::shared_ptr<InputPosition> position_;
};

class PositionListener : public train::CheckpointSaverListener {
 public:
  explicit PositionListener(std::shared_ptr<InputPosition> position)
      : position_(std::move(position)) {}
  void before_save(Session& session, std::int64_t step) override {
    position_->save_at(session, step);
  }
  bool after_save(Session&, std::int64_t step) override {
    position_->training->keep_only(step);
    return false;
  }
  std::string text() const override { return "InputPositionListener"; }

 private:
  std::shared_ptr<InputPosition> position_;
};

}  // namespace

InputPositionParts save_input_position(InterruptedTrainingRef training) {
  const auto position = std::make_shared<InputPosition>(std::move(training));
  return {std::make_shared<PositionHook>(position), std::make_shared<PositionListener>(position)};
}

}  // namespace rill::estimator
