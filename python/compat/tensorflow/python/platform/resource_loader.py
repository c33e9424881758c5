"""Files beside the program that asks for them."""

from rill.resource_loader import (get_data_files_path, get_path_to_datafile,
                                  get_root_dir_with_all_resources, load_resource,
                                  readahead_file_path)
