#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/base/file_system.h"

namespace rill::stores {

// Where the name nodes of "hdfs://host:port" or "hdfs://nameservice" answer by HTTP: what
// hdfs-site.xml of HADOOP_CONF_DIR (or HADOOP_HOME/etc/hadoop) says, or port 9870.
std::vector<std::string> name_nodes_of_hdfs(const std::string& authority);

// Files by WebHDFS, whatever the scheme of their paths.
std::unique_ptr<FileSystem> make_webhdfs_files();

}  // namespace rill::stores
