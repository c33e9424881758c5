#include "rill/base/stores/object_writer.h"

#include <algorithm>
#include <exception>

#include "rill/base/error.h"

namespace rill::stores {
namespace {

class ObjectWriter final : public WritableFile {
 public:
  ObjectWriter(ObjectStore& store, const Place& place, WriteMode mode)
      : WritableFile(place.path),
        store_(store),
        place_(place),
        exceptions_(std::uncaught_exceptions()) {
    if (mode == WriteMode::append) take_over();
  }
  ~ObjectWriter() override {
    if (std::uncaught_exceptions() > exceptions_) return;
    try {
      close();
    } catch (...) {  // who wants to know calls close()
    }
  }

  void append(std::string_view bytes) override {
    check_open();
    is_published_ = is_published_ && bytes.empty();
    while (!bytes.empty()) {
      const std::size_t part = store_.part_size(sent_);
      const std::size_t count = std::min(bytes.size(), part - std::min(part, tail_.size()));
      tail_.append(bytes.substr(0, count));
      bytes.remove_prefix(count);
      if (tail_.size() >= part) send_tail();
    }
  }

  void flush() override {
    check_open();
    if (!is_published_) publish();
  }
  void sync() override { flush(); }
  void close() override {
    if (is_closed_) return;
    flush();
    is_closed_ = true;
    tail_ = {};
  }

 private:
  void check_open() const {
    if (is_closed_) raise(Code::kFailedPrecondition, path(), " is closed");
    if (has_failed_) raise(Code::kFailedPrecondition, path(), "; writing it failed before");
  }
  // An upload that failed is not gone on with: nobody knows how much of it is there.
  template <class Work>
  void noting_failure(Work work) {
    try {
      work();
    } catch (...) {
      has_failed_ = true;
      upload_.reset();
      throw;
    }
  }

  void take_over() {
    const auto facts = store_.facts(place_);
    if (!facts) return;
    is_published_ = true;
    if (facts->size >= store_.smallest_base()) return begin_behind(*facts);
    tail_.resize(static_cast<std::size_t>(facts->size));
    if (!tail_.empty()) store_.read(place_, facts->version, 0, tail_);
  }
  void begin_behind(const ObjectFacts& facts) {
    base_ = facts;
    sent_ = facts.size;
    tail_.clear();
  }

  void send_tail() {
    noting_failure([&] {
      if (upload_ == nullptr)
        upload_ = base_ ? store_.upload_behind(place_, *base_) : store_.upload(place_);
      sent_ += tail_.size();
      upload_->add(std::exchange(tail_, {}));
    });
  }

  void publish() {
    noting_failure([&] {
      if (upload_ != nullptr || base_) {
        if (!tail_.empty() || upload_ == nullptr) send_tail();
        begin_behind(upload_->finish());
        upload_.reset();
      } else {  // small objects are put anew each time
        const ObjectFacts facts = store_.put(place_, tail_);
        if (facts.size >= store_.smallest_base()) begin_behind(facts);
      }
    });
    is_published_ = true;
  }

  ObjectStore& store_;
  const Place place_;
  const int exceptions_;
  std::string tail_;                 // what no part holds yet
  std::optional<ObjectFacts> base_;  // the object so far, where new parts go behind it
  std::unique_ptr<Upload> upload_;   // of what is not published
  std::uint64_t sent_ = 0;           // bytes of base and parts
  bool is_published_ = false, is_closed_ = false, has_failed_ = false;
};

}  // namespace

std::unique_ptr<WritableFile> write_object(ObjectStore& store, const Place& place, WriteMode mode) {
  return std::make_unique<ObjectWriter>(store, place, mode);
}

}  // namespace rill::stores
