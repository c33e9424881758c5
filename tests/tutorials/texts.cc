// Words of sentences. The Python twin is texts.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto lines = tf::constant({"the quick fox", "a lazy dog"});
  const auto words = tf::string_split(lines);
  const auto joined = tf::string_join({"[", words.values, "]"});
  tf::Session sess;
  show("words", sess.run(words.values));
  show("indices", sess.run(words.indices));
  show("joined", sess.run(joined));
  show("length", sess.run(tf::strings::length(lines)));
  show("buckets", sess.run(tf::strings::to_hash_bucket_fast(words.values, 10)));
  show("parts", sess.run(tf::strings::substr(lines, 0, 3)));
  show("numbers", sess.run(tf::strings::to_number(tf::constant({"1.5", "-2"}))));
  show("replaced", sess.run(tf::strings::regex_replace(lines, "[aeiou]", "_")));
  return 0;
}
