#include "rill/ops/word2vec/corpus.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill {
namespace {

struct Word {
  std::string_view text;
  std::int32_t count = 0;
};

// The distinct words in the order in which they come, and for each word of the text which it is.
struct Counted {
  std::vector<Word> words;
  std::vector<std::int32_t> text;
};

Counted count_words(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  Counted result;
  std::unordered_map<std::string_view, std::int32_t> seen;
  for (std::size_t end = 0;;) {
    const std::size_t begin = text.find_first_not_of(kSpace, end);
    if (begin == text.npos) return result;
    end = std::min(text.find_first_of(kSpace, begin), text.size());
    require(result.text.size() < std::numeric_limits<std::int32_t>::max(),
            "the text has more than ", result.text.size(), " words");
    const std::string_view word = text.substr(begin, end - begin);
    const auto next = static_cast<std::int32_t>(result.words.size());
    const auto [it, is_new] = seen.try_emplace(word, next);
    if (is_new) result.words.push_back({word});
    ++result.words[static_cast<std::size_t>(it->second)].count;
    result.text.push_back(it->second);
  }
}

}  // namespace

Corpus read_corpus(const std::string& path, std::int64_t min_count) {
  const std::string bytes = read_file(path);
  Counted counted = count_words(bytes);
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < counted.words.size(); ++i)
    if (counted.words[i].count >= min_count) kept.push_back(static_cast<std::int32_t>(i));
  const auto count_of = [&](std::int32_t i) {
    return counted.words[static_cast<std::size_t>(i)].count;
  };
  std::ranges::stable_sort(kept, std::greater<>(), count_of);

  Corpus corpus{{"UNK"}, {static_cast<std::int32_t>(counted.text.size())}, {}};
  std::vector<std::int32_t> number(counted.words.size(), 0);
  for (const std::int32_t i : kept) {
    number[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(corpus.words.size());
    corpus.words.emplace_back(counted.words[static_cast<std::size_t>(i)].text);
    corpus.counts.push_back(count_of(i));
    corpus.counts[0] -= count_of(i);
  }
  for (std::int32_t& word : counted.text) word = number[static_cast<std::size_t>(word)];
  corpus.text = std::move(counted.text);
  return corpus;
}

}  // namespace rill
