#include <deque>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/stacked_rows.h"
#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

extern const OpDecl kWindowDataset, kSlidingWindowDataset, kExperimentalSlidingWindowDataset;

namespace {

struct WindowSizes {
  std::int64_t size, shift, stride;
  // How many elements of the input a whole window reaches over.
  std::int64_t reach() const { return (size - 1) * stride + 1; }
};

// What stands in one window, of one component.
class WindowContents final : public Dataset {
 public:
  WindowContents(ElementSpec spec, std::vector<Element> elements)
      : Dataset(std::move(spec)), elements_(std::move(elements)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return static_cast<std::int64_t>(elements_.size()); }

 private:
  class Iterator final : public IteratorOf<WindowContents> {
   public:
    using IteratorOf::IteratorOf;
    bool produce(Element& element) override {
      if (next_ >= dataset().size()) return false;
      element = dataset().elements_[static_cast<std::size_t>(next_++)];
      return true;
    }
    void save_stage(StateWriter& state) const override { state.put("next", next_); }
    void restore_stage(const StateReader& state) override {
      next_ = std::max<std::int64_t>(0, state.integer("next"));
    }

   private:
    std::int64_t next_ = 0;
  };
  const std::vector<Element> elements_;
};

class WindowDataset final : public UnaryDataset {
 public:
  // What becomes of the elements of a window.
  using Make = void (*)(const ElementSpec& spec, std::vector<Element>& window, Element& element);
  WindowDataset(ElementSpec spec, DatasetRef input, WindowSizes sizes, bool drop_remainder,
                Make make)
      : UnaryDataset(std::move(spec), std::move(input)),
        sizes_(sizes),
        drop_remainder_(drop_remainder),
        make_(make) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    const std::int64_t count = input()->size();
    if (count < 0) return count;
    const std::int64_t last = drop_remainder_ ? count - sizes_.reach() : count - 1;
    return last < 0 ? 0 : last / sizes_.shift + 1;
  }

 private:
  class Iterator final : public UnaryIterator<WindowDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      fill();
      const auto reach = static_cast<std::size_t>(dataset().sizes_.reach());
      if (buffer_.empty() || (dataset().drop_remainder_ && buffer_.size() < reach)) return false;
      std::vector<Element> window;
      std::exception_ptr error;
      for (std::size_t i = 0; i < buffer_.size() && error == nullptr;
           i += static_cast<std::size_t>(dataset().sizes_.stride)) {
        window.push_back(buffer_[i].element);
        error = buffer_[i].error;
      }
      shift();
      if (error != nullptr) std::rethrow_exception(error);
      dataset().make_(dataset().input()->spec(), window, element);
      return true;
    }
    void save_stage(StateWriter& state) const override;
    void restore_stage(const StateReader& state) override;

   private:
    // An element of the input, or the error that came in its place: every window that it would
    // stand in fails.
    struct Item {
      Element element;
      std::exception_ptr error;
    };
    bool pull_item(Item& item) {
      try {
        return pull(item.element);
      } catch (const Error& error) {
        if (error.code() == Code::kCancelled) throw;
        item.error = std::current_exception();
        return true;
      }
    }
    void fill() {
      const auto reach = static_cast<std::size_t>(dataset().sizes_.reach());
      while (buffer_.size() < reach) {
        Item item;
        if (!pull_item(item)) break;
        buffer_.push_back(std::move(item));
      }
    }
    void shift() {
      const std::int64_t shift = dataset().sizes_.shift;
      const auto had = static_cast<std::int64_t>(buffer_.size());
      buffer_.erase(buffer_.begin(), buffer_.begin() + std::min(shift, had));
      for (std::int64_t i = had; i < shift; ++i) {
        Item passed;
        if (!pull_item(passed)) break;
      }
    }

    std::deque<Item> buffer_;
  };
  const WindowSizes sizes_;
  const bool drop_remainder_;
  const Make make_;
};

void WindowDataset::Iterator::save_stage(StateWriter& state) const {
  UnaryIterator::save_stage(state);
  state.put("buffered", static_cast<std::int64_t>(buffer_.size()));
  for (std::size_t i = 0; i < buffer_.size(); ++i) {
    state.put(str_cat("element", i), buffer_[i].element);
    if (buffer_[i].error == nullptr) continue;
    try {
      std::rethrow_exception(buffer_[i].error);
    } catch (const Error& error) {
      state.put(str_cat("code", i), static_cast<std::int64_t>(error.code()));
      state.put(str_cat("message", i), error.message());
    }
  }
}

void WindowDataset::Iterator::restore_stage(const StateReader& state) {
  UnaryIterator::restore_stage(state);
  const std::int64_t buffered = state.integer("buffered");
  for (std::int64_t i = 0; i < buffered; ++i) {
    Item item{state.element(str_cat("element", i)), nullptr};
    if (state.has(str_cat("code", i)))
      item.error = std::make_exception_ptr(Error(
          static_cast<Code>(state.integer(str_cat("code", i))), state.text(str_cat("message", i))));
    buffer_.push_back(std::move(item));
  }
}

void make_datasets(const ElementSpec& spec, std::vector<Element>& window, Element& element) {
  element.clear();
  for (std::size_t c = 0; c < spec.types.size(); ++c) {
    std::vector<Element> contents;
    for (const Element& row : window) {
      require(c < row.size(), "an element has ", row.size(), " components, not ",
              spec.types.size());
      contents.push_back({row[c]});
    }
    auto dataset = std::make_shared<WindowContents>(ElementSpec{{spec.types[c]}, {spec.shapes[c]}},
                                                    std::move(contents));
    dataset->set_origin({.op = "Window"});
    element.push_back(dataset_tensor(std::move(dataset)));
  }
}

void make_batch(const ElementSpec&, std::vector<Element>& window, Element& element) {
  stack_rows(window, element);
}

WindowSizes sizes_input(const KernelCall& call, const char* const (&names)[3]) {
  std::int64_t sizes[3];
  for (int i = 0; i < 3; ++i) {
    sizes[i] = scalar_input<std::int64_t>(call, 1 + i, names[i]);
    require(sizes[i] > 0, names[i], " must be greater than zero.");
  }
  std::int64_t reach = 0;
  require(!__builtin_mul_overflow(sizes[0], sizes[2], &reach), "a window of ", sizes[0],
          " elements with a stride of ", sizes[2], " reaches too far");
  return {sizes[0], sizes[1], sizes[2]};
}

std::shared_ptr<Dataset> window_dataset(KernelCall& call) {
  const WindowSizes sizes = sizes_input(call, {"Window size", "Window shift", "Window stride"});
  return std::make_shared<WindowDataset>(stated_spec(call.node()), dataset_input(call, 0), sizes,
                                         scalar_input<bool>(call, 4, "drop_remainder"),
                                         make_datasets);
}

std::shared_ptr<Dataset> sliding_window_dataset(KernelCall& call) {
  const WindowSizes sizes = sizes_input(call, {"Window size", "Window shift", "window_stride"});
  return std::make_shared<WindowDataset>(stated_spec(call.node()), dataset_input(call, 0), sizes,
                                         true, make_batch);
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<window_dataset>(kWindowDataset),
    dataset_kernel<sliding_window_dataset>(kSlidingWindowDataset),
    dataset_kernel<sliding_window_dataset>(kExperimentalSlidingWindowDataset),
};

}  // namespace

extern const KernelTable kWindowDatasetCpu{kEntries};

}  // namespace rill
