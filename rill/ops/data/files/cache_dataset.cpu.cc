#include "rill/base/log.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/handle_kernel.h"
#include "rill/ops/data/core/memory_cache.h"
#include "rill/ops/data/core/unary_dataset.h"
#include "rill/ops/data/files/cache_file.h"

namespace rill {

extern const OpDecl kCacheDataset, kCacheDatasetV2, kAnonymousMemoryCache, kDeleteMemoryCache;

namespace {

void warn_of_partial_walk() {
  log(LogLevel::kWarning,
      "The calling iterator did not fully read the dataset being cached. In order to avoid "
      "unexpected truncation of the dataset, the partially cached contents of the dataset will be "
      "discarded. This can happen if you have an input pipeline similar to "
      "`dataset.cache().take(k).repeat()`. You should use `dataset.take(k).cache().repeat()` "
      "instead.");
}

class MemoryCacheDataset final : public UnaryDataset {
 public:
  MemoryCacheDataset(ElementSpec spec, DatasetRef input, std::shared_ptr<MemoryCache> cache)
      : UnaryDataset(std::move(spec), std::move(input)), cache_(std::move(cache)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return input()->size(); }

 private:
  // Reads what is cached; before that is complete, walks through the input and remembers.
  class Iterator final : public IteratorOf<MemoryCacheDataset> {
   public:
    Iterator(const MemoryCacheDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline), contents_(dataset.cache_->contents()) {
      if (contents_ == nullptr) input_ = dataset.input()->iterate(pipeline);
    }
    ~Iterator() override {
      if (input_ != nullptr && !seen_.empty()) warn_of_partial_walk();
    }
    bool produce(Element& element) override {
      if (contents_ != nullptr) {
        if (next_ >= contents_->size()) return false;
        element = (*contents_)[next_++];
        return true;
      }
      if (input_->next(element)) {
        seen_.push_back(element);
        return true;
      }
      next_ = seen_.size();
      contents_ = dataset().cache_->complete(std::move(seen_));
      input_.reset();
      return false;
    }
    bool would_wait() const override { return input_ != nullptr && input_->would_wait(); }
    void save_stage(StateWriter& state) const override {
      const std::vector<Element>& known = contents_ == nullptr ? seen_ : *contents_;
      state.put("input", input_);
      state.put("next", static_cast<std::int64_t>(next_));
      state.put("known", static_cast<std::int64_t>(known.size()));
      for (std::size_t i = 0; i < known.size(); ++i) state.put(str_cat("element", i), known[i]);
    }
    void restore_stage(const StateReader& state) override {
      if (input_ == nullptr) input_ = dataset().input()->iterate(pipeline());
      state.restore("input", input_);
      next_ = static_cast<std::size_t>(state.integer("next"));
      std::vector<Element> known;
      const std::int64_t count = state.integer("known");
      for (std::int64_t i = 0; i < count; ++i)
        known.push_back(state.element(str_cat("element", i)));
      if (input_ == nullptr) {
        contents_ = dataset().cache_->complete(std::move(known));
      } else {
        contents_ = nullptr;
        seen_ = std::move(known);
      }
    }

   private:
    MemoryCache::Contents contents_;
    std::size_t next_ = 0;                 // of the contents
    std::unique_ptr<DataIterator> input_;  // until the cache is complete
    std::vector<Element> seen_;
  };
  const std::shared_ptr<MemoryCache> cache_;
};

class FileCacheDataset final : public UnaryDataset {
 public:
  FileCacheDataset(ElementSpec spec, DatasetRef input, std::string path)
      : UnaryDataset(std::move(spec), std::move(input)), path_(std::move(path)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return input()->size(); }

 private:
  class Iterator final : public IteratorOf<FileCacheDataset> {
   public:
    Iterator(const FileCacheDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline) {
      CacheFileReader::exists(dataset.path_) ? begin_reading() : begin_writing();
    }
    ~Iterator() override {
      if (writer_ != nullptr && writer_->elements() > 0) warn_of_partial_walk();
    }
    bool produce(Element& element) override {
      if (reader_ != nullptr) {
        if (!reader_->read(next_, element)) return false;
        ++next_;
        return true;
      }
      if (writer_ == nullptr) return false;
      if (input_->next(element)) {
        writer_->add(element);
        ++next_;
        return true;
      }
      writer_->finish();
      writer_.reset();
      input_.reset();
      return false;
    }
    bool would_wait() const override { return true; }
    void save_stage(StateWriter& state) const override {
      state.put("next", next_);
      state.put("input", input_);
      state.put("reading", std::int64_t{reader_ != nullptr});
      if (writer_ == nullptr) return;
      writer_->end_part();
      state.put("parts", writer_->parts());
    }
    // Where the file was finished since, what is left is read from it.
    void restore_stage(const StateReader& state) override {
      next_ = state.integer("next");
      if (CacheFileReader::exists(dataset().path_)) return;
      require(state.integer("reading") == 0, "the cache ", dataset().path_, " is gone");
      state.restore("input", input_);
      if (input_ == nullptr) {
        writer_.reset();
      } else {
        writer_->restore(state.integer("parts"), next_);
      }
    }

   private:
    std::int64_t components() const {
      return static_cast<std::int64_t>(dataset().spec().types.size());
    }
    void begin_reading() {
      reader_ = std::make_unique<CacheFileReader>(dataset().path_, components());
    }
    void begin_writing() {
      input_ = dataset().input()->iterate(pipeline());
      writer_ = std::make_unique<CacheFileWriter>(dataset().path_, components());
    }

    std::int64_t next_ = 0;
    std::unique_ptr<CacheFileReader> reader_;  // or
    std::unique_ptr<CacheFileWriter> writer_;  // with
    std::unique_ptr<DataIterator> input_;
  };
  const std::string path_;
};

std::shared_ptr<Dataset> cache_in(KernelCall& call,
                                  std::shared_ptr<MemoryCache> (*memory)(KernelCall&)) {
  const auto& path = scalar_input<std::string>(call, 1, "filename");
  if (path.empty())
    return std::make_shared<MemoryCacheDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                                memory(call));
  return std::make_shared<FileCacheDataset>(stated_spec(call.node()), dataset_input(call, 0), path);
}

std::shared_ptr<Dataset> cache_dataset(KernelCall& call) {
  return cache_in(call, [](KernelCall&) { return std::make_shared<MemoryCache>(); });
}

std::shared_ptr<Dataset> cache_dataset_v2(KernelCall& call) {
  return cache_in(call, [](KernelCall& call) { return shared_input_as<MemoryCache>(call, 2); });
}

void give_memory_cache(KernelCall& call) { give_anonymous(call, std::make_shared<MemoryCache>()); }

constexpr KernelEntry kEntries[] = {
    dataset_kernel<cache_dataset>(kCacheDataset), dataset_kernel<cache_dataset_v2>(kCacheDatasetV2),
    quick_kernel(kAnonymousMemoryCache, give_memory_cache),
    quick_kernel(kDeleteMemoryCache, [](KernelCall&) {}),  // what nobody holds is gone
};

}  // namespace

extern const KernelTable kCacheDatasetCpu{kEntries};

}  // namespace rill
