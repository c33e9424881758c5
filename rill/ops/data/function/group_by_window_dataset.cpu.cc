#include <map>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/element_list_dataset.h"
#include "rill/ops/data/function/group_key.h"

namespace rill {

extern const OpDecl kExperimentalGroupByWindowDataset, kGroupByWindowDataset;

namespace {

struct WindowSource {
  FunctionSource key, reduce, size;
};

class GroupByWindowDataset final : public Dataset {
 public:
  GroupByWindowDataset(ElementSpec spec, DatasetRef input, WindowSource functions)
      : Dataset(std::move(spec)), input_(std::move(input)), functions_(std::move(functions)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  // A window that is being read or filled, by key.
  using Windows = std::map<std::int64_t, std::vector<Element>>;

  class Iterator final : public IteratorOf<GroupByWindowDataset> {
   public:
    Iterator(const GroupByWindowDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          input_(dataset.input_->iterate(pipeline)),
          key_(*pipeline, dataset.functions_.key),
          reduce_(*pipeline, dataset.functions_.reduce),
          size_(*pipeline, dataset.functions_.size) {}

    bool produce(Element& element) override {
      while (true) {
        if (walk_ != nullptr) {
          if (walk_->next(element)) return true;
          walk_.reset();
          current_.clear();
        }
        gather();
        if (walk_ == nullptr && windows_.empty()) return false;
        if (walk_ == nullptr) open(windows_.begin()->first);  // what is left, by key
      }
    }
    bool would_wait() const override { return true; }

    void save_stage(StateWriter& state) const override {
      state.put("input", input_);
      save_windows(state);
      state.put("reading", std::int64_t{walk_ != nullptr});
      if (walk_ == nullptr) return;
      state.put("key", current_key_);
      put_window(state, "current", current_);
      state.put("walk", walk_);
    }
    void restore_stage(const StateReader& state) override {
      state.restore("input", input_);
      restore_windows(state);
      walk_.reset();
      if (state.integer("reading") == 0) return;
      open(state.bits("key"), window_in(state, "current"));
      state.restore("walk", walk_);
    }

   private:
    // Until a window is full, and then that is read, or until there is no more.
    void gather() {
      Element element;
      while (walk_ == nullptr && input_ != nullptr) {
        if (!input_->next(element)) {
          input_.reset();
          return;
        }
        const std::int64_t key = group_key(key_, element);
        const std::int64_t size = size_of(key);
        std::vector<Element>& window = windows_[key];
        window.push_back(std::move(element));
        if (static_cast<std::int64_t>(window.size()) >= size) open(key);
      }
    }

    std::int64_t size_of(std::int64_t key) {
      const auto known = sizes_.find(key);
      if (known != sizes_.end()) return known->second;
      const std::int64_t size = int_result(size_, {Tensor::scalar(key)}, "`window_size_func`");
      require(size > 0, "Window size must be greater than zero, but got ", size, ".");
      sizes_[key] = size;
      return size;
    }

    void open(std::int64_t key) {
      std::vector<Element> window = std::move(windows_[key]);
      windows_.erase(key);
      open(key, std::move(window));
    }
    void open(std::int64_t key, std::vector<Element> window) {
      current_key_ = key;
      current_ = window;
      const auto dataset =
          std::make_shared<ElementListDataset>(this->dataset().input_->spec(), std::move(window));
      Element results = reduce_({Tensor::scalar(key), dataset_tensor(dataset)});
      require(results.size() == 1, "`reduce_func` must return a Dataset object.");
      walk_ = dataset_in(results[0])->iterate(pipeline());
    }

    static void put_window(StateWriter& state, std::string_view key,
                           const std::vector<Element>& window) {
      StateWriter place = state.below(key);
      place.put("size", static_cast<std::int64_t>(window.size()));
      for (std::size_t i = 0; i < window.size(); ++i) place.put(str_cat(i), window[i]);
    }
    static std::vector<Element> window_in(const StateReader& state, std::string_view key) {
      const StateReader place = state.below(key);
      std::vector<Element> window;
      const std::int64_t size = place.integer("size");
      for (std::int64_t i = 0; i < size; ++i) window.push_back(place.element(str_cat(i)));
      return window;
    }
    void save_windows(StateWriter& state) const {
      state.put("windows", static_cast<std::int64_t>(windows_.size()));
      std::int64_t i = 0;
      for (const auto& [key, window] : windows_) {
        state.put(str_cat("key", i), key);
        put_window(state, str_cat("window", i++), window);
      }
      state.put("sizes", static_cast<std::int64_t>(sizes_.size()));
      i = 0;
      for (const auto& [key, size] : sizes_) {
        state.put(str_cat("size_key", i), key);
        state.put(str_cat("size", i++), size);
      }
    }
    void restore_windows(const StateReader& state) {
      windows_.clear();
      sizes_.clear();
      for (std::int64_t i = 0, count = state.integer("windows"); i < count; ++i)
        windows_[state.bits(str_cat("key", i))] = window_in(state, str_cat("window", i));
      for (std::int64_t i = 0, count = state.integer("sizes"); i < count; ++i)
        sizes_[state.bits(str_cat("size_key", i))] = state.bits(str_cat("size", i));
    }

    std::unique_ptr<DataIterator> input_;
    const DataFunction key_, reduce_, size_;
    std::map<std::int64_t, std::int64_t> sizes_;
    Windows windows_;
    std::int64_t current_key_ = 0;
    std::vector<Element> current_;  // what walk_ reads
    std::unique_ptr<DataIterator> walk_;
  };
  const DatasetRef input_;
  const WindowSource functions_;
};

std::shared_ptr<Dataset> group_by_window_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  const int key = list_length(node, "Tkey_func_other_arguments");
  const int reduce = list_length(node, "Treduce_func_other_arguments");
  const int size = list_length(node, "Twindow_size_func_other_arguments");
  return std::make_shared<GroupByWindowDataset>(
      stated_spec(node), dataset_input(call, 0),
      WindowSource{function_input(call, "key_func", 1, key),
                   function_input(call, "reduce_func", 1 + key, reduce),
                   function_input(call, "window_size_func", 1 + key + reduce, size)});
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<group_by_window_dataset>(kGroupByWindowDataset),
    dataset_kernel<group_by_window_dataset>(kExperimentalGroupByWindowDataset),
};

}  // namespace

extern const KernelTable kGroupByWindowDatasetCpu{kEntries};

}  // namespace rill
