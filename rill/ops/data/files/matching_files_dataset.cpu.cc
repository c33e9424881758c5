#include "rill/base/files.h"
#include "rill/ops/data/files/files_dataset.h"

namespace rill {

extern const OpDecl kMatchingFilesDataset, kExperimentalMatchingFilesDataset;

namespace {

class MatchingFilesDataset final : public Dataset {
 public:
  explicit MatchingFilesDataset(std::vector<std::string> patterns)
      : Dataset(string_spec()), patterns_(std::move(patterns)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  // What fits is looked up when the first path is wanted.
  class Iterator final : public IteratorOf<MatchingFilesDataset> {
   public:
    using IteratorOf::IteratorOf;
    bool produce(Element& element) override {
      if (!std::exchange(looked_up_, true)) {
        paths_ = matching_paths(dataset().patterns_);
        std::ranges::sort(paths_);
        if (paths_.empty()) raise(Code::kNotFound, "Don't find any matched files");
      }
      if (next_ >= paths_.size()) return false;
      give_string(paths_[next_++], element);
      return true;
    }
    void save_stage(StateWriter& state) const override {
      state.put("looked_up", std::int64_t{looked_up_});
      state.put("next", static_cast<std::int64_t>(next_));
      state.put("paths", Tensor::of<std::string>({static_cast<std::int64_t>(paths_.size())},
                                                 std::span(paths_)));
    }
    void restore_stage(const StateReader& state) override {
      looked_up_ = state.integer("looked_up") != 0;
      next_ = static_cast<std::size_t>(state.integer("next"));
      const std::span<std::string> paths = state.tensor("paths").flat<std::string>();
      paths_.assign(paths.begin(), paths.end());
    }

   private:
    bool looked_up_ = false;
    std::vector<std::string> paths_;
    std::size_t next_ = 0;
  };
  const std::vector<std::string> patterns_;
};

std::shared_ptr<Dataset> matching_files_dataset(KernelCall& call) {
  return std::make_shared<MatchingFilesDataset>(strings_input(call, 0, "patterns"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<matching_files_dataset>(kMatchingFilesDataset),
    dataset_kernel<matching_files_dataset>(kExperimentalMatchingFilesDataset),
};

}  // namespace

extern const KernelTable kMatchingFilesDatasetCpu{kEntries};

}  // namespace rill
