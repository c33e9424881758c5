// Serves a table of words from a directory of versions and looks up what is asked for, line by
// line, always in the newest version.
//
// usage: look_up DIRECTORY
#include <iostream>

#include "tensorflow_serving/model_servers/server_core.h"
#include "word_table.h"

using examples::WordTable;
using examples::WordTableConfig;
using tensorflow::Status;
using tensorflow::serving::ModelConfig;
using tensorflow::serving::ModelSpec;
using tensorflow::serving::ServableHandle;
using tensorflow::serving::ServerCore;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: look_up DIRECTORY\n";
    return 2;
  }
  ServerCore::Options options;
  ModelConfig* const words = options.model_server_config.mutable_model_config_list()->add_config();
  words->set_name("words");
  words->set_base_path(argv[1]);
  words->set_model_platform("word_table");
  WordTableConfig config;
  config.set_separator(": ");
  config.set_ignore_case(true);
  (*options.platform_config_map.mutable_platform_configs())["word_table"]
      .mutable_source_adapter_config()
      ->PackFrom(config);
  options.file_system_poll_wait_seconds = 1;
  options.max_num_load_retries = 0;

  std::unique_ptr<ServerCore> core;
  const Status status = ServerCore::Create(std::move(options), &core);
  if (!status.ok()) {
    std::cerr << status << "\n";
    return 1;
  }
  for (std::string word; std::getline(std::cin, word);) {
    ModelSpec spec;
    spec.set_name("words");
    ServableHandle<WordTable> table;
    const Status found = core->GetServableHandle(spec, &table);
    if (!found.ok()) {
      std::cout << found << std::endl;
      continue;
    }
    const std::string* const meaning = table->Find(word);
    std::cout << "version " << table.id().version << ": "
              << (meaning == nullptr ? "nobody knows" : *meaning) << std::endl;
  }
}
