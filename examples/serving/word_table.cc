#include "word_table.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/io/path.h"
#include "tensorflow/core/platform/env.h"

namespace examples {

using tensorflow::Env;
using tensorflow::Status;
using tensorflow::serving::Loader;
using tensorflow::serving::SourceAdapter;
using tensorflow::serving::StoragePath;

Status WordTable::Read(const std::string& path) {
  const bool is_directory = Env::Default()->IsDirectory(path).ok();
  std::string text;
  TF_RETURN_IF_ERROR(tensorflow::ReadFileToString(
      Env::Default(), is_directory ? tensorflow::io::JoinPath(path, "words.txt") : path, &text));
  const std::string separator = config_.separator().empty() ? "\t" : config_.separator();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos)
      return tensorflow::errors::InvalidArgument("No separator in the line \"", line, "\" of ",
                                                 path);
    meanings_[Key(line.substr(0, at))] = line.substr(at + separator.size());
  }
  return Status::OK();
}

const std::string* WordTable::Find(const std::string& word) const {
  const auto found = meanings_.find(Key(word));
  return found == meanings_.end() ? nullptr : &found->second;
}

std::string WordTable::Key(std::string word) const {
  if (config_.ignore_case())
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

WordTableSourceAdapter::WordTableSourceAdapter(const WordTableConfig& config)
    : SimpleLoaderSourceAdapter(
          [config](const StoragePath& path, std::unique_ptr<WordTable>* table) {
            table->reset(new WordTable(config));
            return (*table)->Read(path);
          },
          EstimateNoResources()) {}

WordTableSourceAdapter::~WordTableSourceAdapter() { Detach(); }

class WordTableSourceAdapterCreator {
 public:
  static Status Create(
      const WordTableConfig& config,
      std::unique_ptr<SourceAdapter<StoragePath, std::unique_ptr<Loader>>>* adapter) {
    adapter->reset(new WordTableSourceAdapter(config));
    return Status::OK();
  }
};

// From now on a platform whose configuration is a WordTableConfig has such tables.
REGISTER_STORAGE_PATH_SOURCE_ADAPTER(WordTableSourceAdapterCreator, WordTableConfig);

}  // namespace examples
