#include "rill/base/clock.h"
#include "rill/base/files.h"
#include "rill/base/philox.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/unary_dataset.h"
#include "rill/ops/data/files/snapshot_files.h"

namespace rill {

extern const OpDecl kSnapshotDataset;

namespace {

struct SnapshotOptions {
  std::string read_folder, write_folder;
  Compression compression;
  std::int64_t bytes_per_file, expiry_seconds;
};

class SnapshotDataset final : public UnaryDataset {
 public:
  SnapshotDataset(ElementSpec spec, DatasetRef input, SnapshotOptions options)
      : UnaryDataset(std::move(spec), std::move(input)), options_(std::move(options)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return input()->size(); }

 private:
  // Reads a snapshot that is finished, writes one where nobody does, else lets the input pass.
  class Iterator final : public IteratorOf<SnapshotDataset> {
   public:
    Iterator(const SnapshotDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline) {
      SnapshotNote note;
      const bool found = read_note(dataset.options_.read_folder, &note);
      if (found && note.finished) {
        begin_reading(note.run);
        return;
      }
      input_ = dataset.input()->iterate(pipeline);
      const std::int64_t age = wall_micros() - note.created_micros;
      if (!found || age / 1'000'000 >= dataset.options_.expiry_seconds) begin_writing();
    }
    bool produce(Element& element) override {
      if (reader_ != nullptr) return read(element);
      if (input_ == nullptr) return false;
      if (input_->next(element)) {
        if (writer_ != nullptr) writer_->write(element);
        return true;
      }
      if (writer_ != nullptr) end_writing();
      input_.reset();
      return false;
    }
    bool would_wait() const override { return input_ == nullptr || input_->would_wait(); }
    void save_stage(StateWriter& state) const override {
      state.put("run", note_.run);
      state.put("reading", std::int64_t{reader_ != nullptr});
      state.put("read", read_);
      state.put("input", input_);
    }
    // What was being written is not gone on with.
    void restore_stage(const StateReader& state) override {
      writer_.reset();
      if (state.integer("reading") != 0) {
        begin_reading(state.text("run"));
        Element passed;
        for (const std::int64_t wanted = state.integer("read"); read_ < wanted;)
          if (!read(passed)) break;
        return;
      }
      reader_.reset();
      if (input_ == nullptr) input_ = dataset().input()->iterate(pipeline());
      state.restore("input", input_);
    }

   private:
    bool read(Element& element) {
      if (!reader_->read(element)) return false;
      ++read_;
      return true;
    }
    void begin_reading(const std::string& run) {
      note_.run = run;
      read_ = 0;
      input_.reset();
      reader_ = std::make_unique<SnapshotReader>(join_path(dataset().options_.read_folder, run),
                                                 dataset().options_.compression,
                                                 dataset().spec().types.size());
    }
    void begin_writing() {
      const SnapshotOptions& options = dataset().options_;
      note_ = {str_cat(entropy_bits()), wall_micros(), false};
      const std::string folder = join_path(options.write_folder, note_.run);
      make_directories(folder);
      write_note(options.write_folder, note_);
      writer_ =
          std::make_unique<SnapshotWriter>(folder, options.compression, options.bytes_per_file);
    }
    // Another run may have taken over because this one took too long.
    void end_writing() {
      writer_->finish();
      writer_.reset();
      SnapshotNote now;
      if (!read_note(dataset().options_.write_folder, &now) || now.run != note_.run) return;
      note_.finished = true;
      write_note(dataset().options_.write_folder, note_);
    }

    SnapshotNote note_;
    std::unique_ptr<SnapshotReader> reader_;
    std::unique_ptr<SnapshotWriter> writer_;
    std::unique_ptr<DataIterator> input_;
    std::int64_t read_ = 0;
  };
  const SnapshotOptions options_;
};

std::shared_ptr<Dataset> snapshot_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  DatasetRef input = dataset_input(call, 0);
  const auto& path = scalar_input<std::string>(call, 1, "path");
  const auto& compression = node.attr<std::string>("compression");
  require(compression.empty() || compression == "GZIP",
          "compression must be either '', 'GZIP' or 'SNAPPY'; snapshots compressed with ",
          compression, " are not available");
  const std::string name = str_cat(fingerprint(*input));
  const auto folder = [&](const char* prefix) {
    return join_path(str_cat(node.attr<std::string>(prefix), path), name);
  };
  SnapshotOptions options{folder("reader_path_prefix"), folder("writer_path_prefix"),
                          compression_named(compression),
                          node.attr<std::int64_t>("shard_size_bytes"),
                          node.attr<std::int64_t>("pending_snapshot_expiry_seconds")};
  require(options.bytes_per_file >= 1, "shard_size_bytes must be at least 1, but is ",
          options.bytes_per_file);
  require(options.expiry_seconds >= 1,
          "pending_snapshot_expiry_seconds must be at least 1 second, but is ",
          options.expiry_seconds);
  return std::make_shared<SnapshotDataset>(stated_spec(node), std::move(input), std::move(options));
}

constexpr KernelEntry kEntries[] = {dataset_kernel<snapshot_dataset>(kSnapshotDataset)};

}  // namespace

extern const KernelTable kSnapshotDatasetCpu{kEntries};

}  // namespace rill
