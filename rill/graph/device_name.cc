#include "rill/graph/device_name.h"

#include <algorithm>
#include <limits>

#include "rill/base/error.h"

namespace rill {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

[[noreturn]] void unknown_part(std::string_view part, std::string_view text) {
  raise(Code::kInvalidArgument, "Unknown attribute '", part,
        "' is encountered while parsing the device spec: '", text, "'.");
}

std::optional<int> parse_device_number(std::string_view digits, std::string_view text) {
  if (digits == "*") return {};
  long long value = 0;
  const bool ok =
      parse_int(digits, &value) && value >= 0 && value <= std::numeric_limits<int>::max();
  require(ok, "'", digits, "' is not a number in the device spec: '", text, "'.");
  return static_cast<int>(value);
}

std::optional<std::string> word(std::string_view name, std::string_view text) {
  if (name == "*") return {};
  require(is_identifier(name), "'", name, "' is not a name in the device spec: '", text, "'.");
  return std::string(name);
}

void set_device(DeviceName& name, std::optional<std::string> type,
                const std::vector<std::string_view>& fields, std::size_t id_at,
                std::string_view text) {
  require(!name.type, "Multiple device types are not allowed while parsing the device spec: ", text,
          ".");
  name.type = std::move(type);
  if (fields.size() > id_at) name.id = parse_device_number(fields[id_at], text);
}

void parse_part(DeviceName& name, std::string_view part, std::string_view text) {
  const std::vector<std::string_view> fields = split(part, ':');
  const std::string_view key = fields[0];
  const std::string plain = lower(key);
  if (key == "job" && fields.size() == 2) {
    require(!fields[1].empty(), "a job without a name in the device spec: '", text, "'.");
    name.job = fields[1] == "*" ? std::nullopt : std::optional(std::string(fields[1]));
  } else if (key == "replica" && fields.size() == 2) {
    name.replica = parse_device_number(fields[1], text);
  } else if (key == "task" && fields.size() == 2) {
    name.task = parse_device_number(fields[1], text);
  } else if (key == "device" && (fields.size() == 2 || fields.size() == 3)) {
    set_device(name, word(fields[1], text), fields, 2, text);
  } else if ((plain == "cpu" || plain == "gpu" || plain == "tpu") && fields.size() <= 2) {
    set_device(name, plain == "cpu" ? "CPU" : plain == "gpu" ? "GPU" : "TPU", fields, 1, text);
  } else {
    unknown_part(key, text);
  }
}

}  // namespace

DeviceName DeviceName::parse(std::string_view text) {
  DeviceName name;
  for (const std::string_view part : split(text, '/'))
    if (!part.empty()) parse_part(name, part, text);
  if (name.type == "cpu" || name.type == "gpu") name.type = name.type == "cpu" ? "CPU" : "GPU";
  return name;
}

DeviceName DeviceName::over(const DeviceName& outer) const {
  DeviceName merged = *this;
  if (!merged.job) merged.job = outer.job;
  if (!merged.replica) merged.replica = outer.replica;
  if (!merged.task) merged.task = outer.task;
  if (!merged.type) merged.type = outer.type;
  if (!merged.id) merged.id = outer.id;
  return merged;
}

DeviceName DeviceName::together_with(const DeviceName& other, bool soft) const {
  const auto differ = [](const auto& a, const auto& b) { return a && b && *a != *b; };
  const auto agree = [&](const auto& a, const auto& b, const char* what) {
    require(!differ(a, b), "Cannot merge devices with incompatible ", what, ": '", *this, "' and '",
            other, "'");
  };
  agree(job, other.job, "jobs");
  agree(replica, other.replica, "replicas");
  agree(task, other.task, "tasks");
  DeviceName merged = over(other);
  if (soft && differ(type, other.type)) merged.type.reset(), merged.id.reset();
  if (soft && differ(id, other.id)) merged.id.reset();
  if (soft) return merged;
  agree(type, other.type, "types");
  agree(id, other.id, "ids");
  return merged;
}

bool DeviceName::covers(const DeviceName& other) const {
  const auto covered = [](const auto& mine, const auto& theirs) { return !mine || mine == theirs; };
  return covered(job, other.job) && covered(replica, other.replica) && covered(task, other.task) &&
         covered(type, other.type) && covered(id, other.id);
}

std::string to_text(const DeviceName& name) {
  std::string text;
  if (name.job) text += str_cat("/job:", *name.job);
  if (name.replica) text += str_cat("/replica:", *name.replica);
  if (name.task) text += str_cat("/task:", *name.task);
  if (name.type)
    text += str_cat("/device:", *name.type, ":", name.id ? std::to_string(*name.id) : "*");
  return text;
}

}  // namespace rill
