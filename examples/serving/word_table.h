#ifndef EXAMPLES_SERVING_WORD_TABLE_H_
#define EXAMPLES_SERVING_WORD_TABLE_H_

#include <string>
#include <unordered_map>

#include "tensorflow_serving/core/simple_loader.h"
#include "word_table.pb.h"

namespace examples {

// A servable: words and what they mean.
class WordTable {
 public:
  explicit WordTable(const WordTableConfig& config) : config_(config) {}
  tensorflow::Status Read(const std::string& path);
  // nullptr when nobody knows.
  const std::string* Find(const std::string& word) const;

 private:
  std::string Key(std::string word) const;
  const WordTableConfig config_;
  std::unordered_map<std::string, std::string> meanings_;
};

// Makes loaders of such tables: a version is a file, or a directory with a file words.txt.
class WordTableSourceAdapter final
    : public tensorflow::serving::SimpleLoaderSourceAdapter<tensorflow::serving::StoragePath,
                                                            WordTable> {
 public:
  explicit WordTableSourceAdapter(const WordTableConfig& config);
  ~WordTableSourceAdapter() override;
};

}  // namespace examples

#endif
