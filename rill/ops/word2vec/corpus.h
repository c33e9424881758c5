#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rill {

// A text as numbers of words. Number 0 is "UNK", which stands for all words that come less often
// than wanted; the others are sorted by falling count, then by where they come first.
struct Corpus {
  std::vector<std::string> words;
  std::vector<std::int32_t> counts;  // of each word
  std::vector<std::int32_t> text;    // the number of each word of the text
};

// Words are what stands between white space. Throws what reading the file throws, and
// InvalidArgument when it has more words than an int32 counts.
Corpus read_corpus(const std::string& path, std::int64_t min_count);

}  // namespace rill
