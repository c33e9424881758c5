#include "rill/base/stores/range_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <thread>

#include "rill/base/error.h"
#include "rill/base/file_testing.h"

namespace rill::stores {
namespace {

std::string counted_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(i * 31 + i / 253);
  return bytes;
}

// Bytes in memory that tell what was asked of them.
class CountedSource final : public RangeSource {
 public:
  explicit CountedSource(std::string bytes) : bytes_(std::move(bytes)) {}
  ObjectFacts facts() const override {
    const std::lock_guard lock(mutex_);
    return {.size = bytes_.size(), .modified_nanos = 0, .version = version_};
  }
  void read(const std::string& version, std::uint64_t offset, std::span<char> out) const override {
    const std::lock_guard lock(mutex_);
    requests_.push_back(out.size());
    if (fails_ > 0 && fails_-- > 0) raise(Code::kUnavailable, "no connection");
    if (version != version_) raise(Code::kFailedPrecondition, "it was replaced");
    ASSERT_LE(offset + out.size(), bytes_.size());
    std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }
  void replace(std::string bytes, std::string version) {
    const std::lock_guard lock(mutex_);
    bytes_ = std::move(bytes);
    version_ = std::move(version);
  }
  std::vector<std::size_t> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  mutable int fails_ = 0;

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::size_t> requests_;
  std::string bytes_, version_ = "1";
};

struct Opened {
  explicit Opened(std::size_t size)
      : bytes(counted_bytes(size)),
        source(std::make_shared<CountedSource>(bytes)),
        file(open_ranges("s3://b/k", source, source->facts())) {}
  const std::string bytes;
  const std::shared_ptr<CountedSource> source;
  const std::unique_ptr<ReadableFile> file;

  void expect(std::uint64_t offset, std::size_t count) {
    std::string out(count, '\0');
    const std::size_t got = file->read(offset, out);
    ASSERT_EQ(got, std::min<std::uint64_t>(count, bytes.size() - offset));
    ASSERT_TRUE(std::string_view(out).substr(0, got) == bytes.substr(offset, got)) << offset;
  }
};

TEST(RangeReader, pieces_grow_for_whom_reads_on_and_memory_does_not) {
  Opened opened(60'000'000);
  std::uint64_t most = 0;
  for (std::uint64_t at = 0; at < opened.bytes.size(); at += 100'000) {
    opened.expect(at, 100'000);
    most = std::max(most, bytes_kept());
  }
  const auto requests = opened.source->requests();
  EXPECT_LT(requests.size(), 60u);
  EXPECT_LE(requests.front(), 200'000u);
  EXPECT_EQ(*std::ranges::max_element(requests), std::size_t{4} << 20);
  EXPECT_LT(most, std::uint64_t{33} << 20);
  std::size_t read = 0;
  for (const std::size_t request : requests) read += request;
  EXPECT_EQ(read, opened.bytes.size());  // each byte once
}

TEST(RangeReader, pieces_stay_small_for_whom_jumps) {
  Opened opened(60'000'000);
  for (std::uint64_t i = 1; i < 40; ++i) opened.expect(i * 7'654'321 % 59'000'000 + 1, 1000);
  const auto requests = opened.source->requests();
  EXPECT_LE(requests.size(), 39u);
  EXPECT_LE(*std::ranges::max_element(requests), std::size_t{128} << 10);
}

TEST(RangeReader, much_at_once_comes_in_parts) {
  Opened opened(30'000'000);
  opened.expect(1'000'000, 25'000'000);
  const auto requests = opened.source->requests();
  EXPECT_GE(requests.size(), 4u);
  for (int i = 0; i < 500 && bytes_kept() > 0; ++i)  // what other tests began and left
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(bytes_kept(), 0u);
  opened.expect(29'999'999, 5'000'000);
  EXPECT_EQ(opened.file->read(30'000'000, std::span<char>()), 0u);
}

TEST(RangeReader, streams_do_not_disturb_each_other) {
  Opened opened(48'000'000);
  for (std::uint64_t at = 0; at < 16'000'000; at += 100'000)
    for (const std::uint64_t part : {0, 16'000'000, 32'000'000}) opened.expect(part + at, 100'000);
  const auto requests = opened.source->requests();
  EXPECT_LT(requests.size(), 100u);
  std::size_t read = 0;
  for (const std::size_t request : requests) read += request;
  EXPECT_LE(read, opened.bytes.size() + (std::size_t{12} << 20));  // ahead beyond the ends of parts
}

TEST(RangeReader, several_threads_read_one_file) {
  Opened opened(5'000'000);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (std::uint64_t at = i * 1000; at + 9999 < opened.bytes.size(); at += 77'777)
        opened.expect(at, 9999);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(RangeReader, what_failed_is_fetched_anew) {
  Opened opened(1000);
  opened.source->fails_ = 1;
  std::string out(10, '\0');
  EXPECT_EQ(error_of([&] { opened.file->read(0, out); }), "Unavailable: no connection");
  opened.expect(0, 10);
}

TEST(RangeReader, goes_on_with_what_was_appended_and_with_nothing_else) {
  for (const bool is_appended : {true, false}) {
    Opened opened(1000);
    opened.expect(0, 1000);
    std::string now = opened.bytes + "more";
    if (!is_appended) now[999] ^= 1;
    opened.source->replace(now, "2");
    std::this_thread::sleep_for(std::chrono::milliseconds(520));
    std::string out(10, '\0');
    if (is_appended) {
      EXPECT_EQ(opened.file->read(1000, out), 4u);
      EXPECT_EQ(out.substr(0, 4), "more");
    } else {
      EXPECT_EQ(error_of([&] { opened.file->read(1000, out); }),
                "FailedPrecondition: s3://b/k; it was replaced while it was read");
    }
  }
}

TEST(RangeReader, what_was_replaced_is_not_mixed) {
  Opened opened(3'000'000);
  opened.expect(0, 10);
  opened.source->replace(std::string(3'000'000, 'x'), "2");
  std::string out(2'500'000, '\0');
  EXPECT_TRUE(error_of([&] { opened.file->read(10, out); }).starts_with("FailedPrecondition"));
}

}  // namespace
}  // namespace rill::stores
