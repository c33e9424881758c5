#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/draws.h"
#include "rill/ops/word2vec/corpus.h"

namespace rill {

extern const OpDecl kSkipgram;

namespace {

// TensorFlow's sizes, which current_epoch and total_words_processed show: words are taken a
// sentence at a time, pairs are made ahead.
constexpr std::size_t kSentenceSize = 1000, kPairsAhead = 3000;
// Below this share of kept words a sentence would take minutes.
constexpr double kMinShare = 1e-6;

struct Pair {
  std::int32_t example, label;
};

// How likely each word is to be kept: the rarer the likelier, so that frequent ones do not drown
// the others. Empty when all are.
std::vector<double> chances_to_stay(const Corpus& corpus, double subsample) {
  std::vector<double> chances;
  if (!(subsample > 0)) return chances;
  const auto size = static_cast<double>(corpus.text.size());
  double expected = 0;
  for (const std::int32_t count : corpus.counts) {
    const double ratio = subsample * size / std::max(count, 1);
    chances.push_back(std::min(1.0, std::sqrt(ratio) + ratio));
    expected += chances.back() * count;
  }
  require(expected >= kMinShare * size, "subsample ", subsample, " keeps less than ", kMinShare,
          " of the words");
  return chances;
}

class PairSource final : public KernelState {
 public:
  explicit PairSource(const KernelNode& node)
      : window_(node.attr<std::int64_t>("window_size")),
        batch_size_(node.attr<std::int64_t>("batch_size")) {
    require(window_ >= 0, "window_size must not be negative, got ", window_);
    require(batch_size_ >= 0, "batch_size must not be negative, got ", batch_size_);
    const auto& path = node.attr<std::string>("filename");
    corpus_ = read_corpus(path, node.attr<std::int64_t>("min_count"));
    const auto size = static_cast<std::int64_t>(corpus_.text.size());
    require(size > 0 && window_ <= size / 10, "The text file ", path,
            " contains too little data: ", size, " words");
    chances_ = chances_to_stay(corpus_, node.attr<float>("subsample"));
    make_pairs();
  }
  static std::unique_ptr<KernelState> make(const KernelNode& node) {
    return std::make_unique<PairSource>(node);
  }

  void run(KernelCall& call) {
    const auto vocabulary = static_cast<std::int64_t>(corpus_.words.size());
    std::ranges::copy(corpus_.words,
                      call.allocate_output(0, {vocabulary}).flat<std::string>().begin());
    std::ranges::copy(corpus_.counts,
                      call.allocate_output(1, {vocabulary}).flat<std::int32_t>().begin());
    *call.allocate_output(2, {}).data<std::int64_t>() =
        static_cast<std::int64_t>(corpus_.text.size());
    const auto examples = call.allocate_output(5, {batch_size_}).flat<std::int32_t>();
    const auto labels = call.allocate_output(6, {batch_size_}).flat<std::int32_t>();
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      examples[i] = pairs_[taken_].example;
      labels[i] = pairs_[taken_].label;
      if (++taken_ == pairs_.size()) make_pairs();
    }
    *call.allocate_output(3, {}).data<std::int32_t>() = static_cast<std::int32_t>(epoch_);
    *call.allocate_output(4, {}).data<std::int64_t>() = processed_;
  }

 private:
  void make_pairs() {
    for (Pair& pair : pairs_) pair = next_pair();
    taken_ = 0;
  }

  // The words to the left of the centre, then those to the right, then the next centre.
  Pair next_pair() {
    if (label_ == centre_) ++label_;
    while (label_ >= label_end_) {
      next_centre();
      if (label_ == centre_) ++label_;
    }
    return {sentence_[centre_], sentence_[label_++]};
  }

  void next_centre() {
    if (++centre_ >= kSentenceSize) {
      for (std::int32_t& word : sentence_) word = next_word();
      centre_ = 0;
    }
    ++processed_;
    const auto reach =
        static_cast<std::size_t>(1 + draws_.next(stream_) * static_cast<double>(window_));
    label_ = centre_ - std::min(centre_, reach);
    label_end_ = std::min(kSentenceSize, centre_ + reach + 1);
  }

  std::int32_t next_word() {
    for (;;) {
      if (next_ == corpus_.text.size()) {
        next_ = 0;
        ++epoch_;
      }
      const std::int32_t word = corpus_.text[next_++];
      if (chances_.empty() || draws_.next(stream_) < chances_[static_cast<std::size_t>(word)])
        return word;
    }
  }

  const std::int64_t window_, batch_size_;
  Corpus corpus_;
  std::vector<double> chances_;

  std::mutex mutex_;
  Philox stream_{entropy_bits(), entropy_bits()};
  UniformDraws draws_;
  std::size_t next_ = 0;  // word of the text
  std::int64_t epoch_ = 0, processed_ = 0;
  std::array<std::int32_t, kSentenceSize> sentence_{};
  std::size_t centre_ = kSentenceSize, label_ = 0, label_end_ = 0;
  std::array<Pair, kPairsAhead> pairs_{};
  std::size_t taken_ = 0;
};

void skipgram(KernelCall& call) { call.state<PairSource>().run(call); }

constexpr KernelEntry kEntries[] = {
    {.op = &kSkipgram, .run = skipgram, .make_state = PairSource::make, .allocates = true},
};

}  // namespace

extern const KernelTable kSkipgramCpu{kEntries};

}  // namespace rill
