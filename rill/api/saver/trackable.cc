#include "rill/api/saver/trackable.h"

#include "rill/api/lookup/mutable_tables.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::train {
namespace {

class TrackedVariable : public Trackable {
 public:
  explicit TrackedVariable(Variable variable) : variable_(std::move(variable)) {}
  const void* identity() const override { return variable_.handle().node; }
  std::string describe() const override {
    return str_cat("<tf.Variable '", variable_.name(), "'>");
  }
  std::vector<TrackedValue> values() override { return {tracked_variable(variable_)}; }
  Variable variable() const override { return variable_; }

 private:
  Variable variable_;
};

class TrackedTable : public Trackable {
 public:
  explicit TrackedTable(std::shared_ptr<lookup::MutableTable> table) : table_(std::move(table)) {}
  const void* identity() const override { return table_.get(); }
  std::string describe() const override { return "<a table>"; }
  std::vector<TrackedValue> values() override { return {tracked_table(*table_)}; }

 private:
  std::shared_ptr<lookup::MutableTable> table_;
};

class TrackedGroup : public Trackable {
 public:
  explicit TrackedGroup(std::vector<Child> children) : children_(std::move(children)) {}
  const void* identity() const override { return this; }
  std::string describe() const override { return "<a list or dict>"; }
  std::vector<Child> children() override { return children_; }
  bool is_container() const override { return true; }

 private:
  std::vector<Child> children_;
};

}  // namespace

TrackedValue tracked_variable(const Variable& variable) {
  return {.name = kVariableValue, .tensors = [variable](const std::string& key) {
            return saveables_of({{key, {ToSave(variable)}}}).at(0);
          }};
}

TrackedValue tracked_table(const lookup::MutableTable& table) {
  return {.name = kTableValue, .tensors = [&table](const std::string& key) {
            return saved_table(key, std::make_shared<lookup::TableSaveable>(table.resource_handle(),
                                                                            table.export_(), key));
          }};
}

TrackableRef as_trackable(const Variable& variable) {
  require(bool(variable), "a variable to be saved is none");
  return std::make_shared<TrackedVariable>(variable);
}

TrackableRef as_trackable(std::shared_ptr<lookup::MutableTable> table) {
  return std::make_shared<TrackedTable>(std::move(table));
}

TrackableRef as_trackable(const std::vector<TrackableRef>& list) {
  std::vector<Trackable::Child> children;
  for (const TrackableRef& item : list) children.push_back({str_cat(children.size()), item});
  return std::make_shared<TrackedGroup>(std::move(children));
}

TrackableRef as_trackable(const std::map<std::string, TrackableRef>& by_name) {
  std::vector<Trackable::Child> children;
  for (const auto& [name, object] : by_name) children.push_back({name, object});
  return std::make_shared<TrackedGroup>(std::move(children));
}

std::vector<Trackable::Child> numbered_layers(
    const std::vector<std::pair<TrackableRef, bool>>& layers) {
  std::vector<Trackable::Child> children;
  int number = 0, number_with_weights = 0;
  for (const auto& [layer, with_weights] : layers) {
    if (with_weights) {
      children.push_back({str_cat("layer_with_weights-", number_with_weights), layer});
      ++number_with_weights;
    }
    children.push_back({str_cat("layer-", number), layer});
    ++number;
  }
  return children;
}

TrackableInput::TrackableInput(const std::vector<TrackableInput>& list) {
  std::vector<TrackableRef> objects;
  for (const TrackableInput& item : list) objects.push_back(item.object());
  object_ = as_trackable(objects);
}

}  // namespace rill::train
