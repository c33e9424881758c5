#include "rill/cluster/task_collectives.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "rill/cluster/cluster_spec.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

constexpr const char* kWorkerMethods = "/tensorflow.WorkerService/";

// What members exchange is kept beside what steps exchange, whose numbers are not negative.
std::int64_t exchange_id(std::int64_t key, std::uint64_t generation) {
  const auto mixed = (static_cast<std::uint64_t>(key) << 40) ^ generation;
  return static_cast<std::int64_t>(mixed | (1ull << 63));
}

std::string bytes_of(std::uint64_t generation) {
  return {reinterpret_cast<const char*>(&generation), sizeof generation};
}
std::uint64_t generation_of(const std::string& bytes) {
  std::uint64_t generation = 0;
  if (bytes.size() == sizeof generation) std::memcpy(&generation, bytes.data(), sizeof generation);
  return generation;
}

std::exception_ptr pointer_to(const std::optional<Error>& error) {
  return error ? std::make_exception_ptr(*error) : nullptr;
}

std::optional<Error> error_in(std::exception_ptr pointer) {
  if (!pointer) return {};
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error(Code::kInternal, error.what());
  }
}

}  // namespace

Link* TaskCollectives::link_of(const std::string& task) const {
  const auto found = options_.links->find(task);
  if (found == options_.links->end())
    raise(Code::kInvalidArgument, "The cluster has no task ", task, " for collective ops");
  return found->second.get();
}

void TaskCollectives::join(const CollectiveGroupId& id, const std::string& device, Joined done) {
  CollectiveGroupRef group;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    Known& known = groups_[id.key];
    group = known.group;
    if (group == nullptr) {
      auto& waiting = known.waiting[device];
      is_first = waiting.empty();
      waiting.push_back(std::move(done));
    }
  }
  if (group == nullptr) {
    if (is_first) ask_leader(id, device);
    return;
  }
  if (std::ssize(group->devices) != id.size)
    return done(
        std::make_exception_ptr(Error(Code::kInvalidArgument,
                                      str_cat("Device ", device, " is joining a group with size ",
                                              id.size, ", but that group has size ",
                                              group->devices.size(), " (group_key=", id.key, ")"))),
        nullptr);
  done(nullptr, group);
}

void TaskCollectives::ask_leader(const CollectiveGroupId& id, const std::string& device) {
  auto request = std::make_shared<tensorflow::CompleteGroupRequest>();
  request->set_group_key(static_cast<std::int32_t>(id.key));
  request->set_group_size(static_cast<std::int32_t>(id.size));
  request->set_device_type("CPU");
  request->add_device_name(device);
  auto response = std::make_shared<tensorflow::CompleteGroupResponse>();
  const auto answered = [self = shared_from_this(), key = id.key,
                         response](const std::optional<Error>& error) {
    try {
      if (error) throw *error;
      self->meet_members(key, *response);
    } catch (...) {
      self->complete(key, std::current_exception(), nullptr);
    }
  };
  if (options_.leader == options_.task) return complete_group(*request, response.get(), answered);
  auto call = link_of(options_.leader)
                  ->call(str_cat(kWorkerMethods, "CompleteGroup"), request, response,
                         {.wait_for_ready = true}, answered);
  const std::lock_guard lock(mutex_);
  if (const auto found = groups_.find(id.key); found != groups_.end() && call != nullptr)
    found->second.calls.push_back(std::move(call));
}

// The incarnations of the others' devices tell later whether they are the same processes.
void TaskCollectives::meet_members(std::int64_t key,
                                   const tensorflow::CompleteGroupResponse& response) {
  struct Meeting {
    std::mutex mutex;
    std::shared_ptr<CollectiveGroup> group = std::make_shared<CollectiveGroup>();
    std::map<std::string, std::uint64_t> incarnations;
    std::exception_ptr error;
    std::size_t missing = 1;
  };
  const auto meeting = std::make_shared<Meeting>();
  meeting->incarnations = options_.incarnations;
  CollectiveGroup& group = *meeting->group;
  group.devices.assign(response.device_name().begin(), response.device_name().end());
  std::ranges::sort(group.devices);
  group.generation = generation_of(response.communicator_key());
  group.exchange = options_.open(exchange_id(key, group.generation));
  std::map<std::string, std::shared_ptr<tensorflow::GetStatusResponse>> others;
  for (const std::string& device : group.devices)
    if (const std::string task = task_of_device(device); task != options_.task)
      others.emplace(task, std::make_shared<tensorflow::GetStatusResponse>());
  meeting->missing += others.size();
  const auto met = [self = shared_from_this(), meeting, key](const std::optional<Error>& error) {
    {
      const std::lock_guard lock(meeting->mutex);
      if (error && !meeting->error) meeting->error = pointer_to(error);
      if (--meeting->missing > 0) return;
    }
    for (const std::string& device : meeting->group->devices)
      meeting->group->incarnations.push_back(meeting->incarnations[device]);
    self->complete(key, meeting->error, meeting->group);
  };
  for (const auto& [task, status] : others) {
    Link* link = nullptr;
    try {
      link = link_of(task);
    } catch (const Error& error) {
      met(error);
      continue;
    }
    link->call(str_cat(kWorkerMethods, "GetStatus"),
               std::make_shared<tensorflow::GetStatusRequest>(), status, {.timeout_ms = 20'000},
               [meeting, status, met](const std::optional<Error>& error) {
                 {
                   const std::lock_guard lock(meeting->mutex);
                   for (const auto& device : status->device_attributes())
                     meeting->incarnations[device.name()] = device.incarnation();
                 }
                 met(error);
               });
  }
  met({});
}

void TaskCollectives::complete(std::int64_t key, std::exception_ptr error,
                               CollectiveGroupRef group) {
  std::vector<Joined> waiting;
  {
    const std::lock_guard lock(mutex_);
    Known& known = groups_[key];
    if (known.group != nullptr && group != nullptr && known.group->generation == group->generation)
      group = known.group;
    for (auto& [device, all] : known.waiting)
      for (Joined& one : all) waiting.push_back(std::move(one));
    known.waiting.clear();
    known.calls.clear();
    if (error)
      groups_.erase(key);
    else
      known.group = group;
  }
  for (const Joined& one : waiting) one(error, group);
}

void TaskCollectives::find_source(const CollectiveGroupId& id, const CollectiveGroup& group,
                                  std::int64_t instance, const std::string& device, bool is_source,
                                  Source done) {
  auto request = std::make_shared<tensorflow::CompleteInstanceRequest>();
  request->set_name(str_cat(group.generation));
  request->set_type(1);  // a broadcast
  request->set_group_key(static_cast<std::int32_t>(id.key));
  request->set_group_size(static_cast<std::int32_t>(id.size));
  request->set_instance_key(static_cast<std::int32_t>(instance));
  request->set_device_type("CPU");
  request->set_device(device);
  request->set_is_source(is_source);
  auto response = std::make_shared<tensorflow::CompleteInstanceResponse>();
  const auto answered = [response, done = std::move(done)](const std::optional<Error>& error) {
    done(pointer_to(error), response->source_rank());
  };
  if (options_.leader == options_.task)
    return complete_instance(*request, response.get(), answered);
  auto call = link_of(options_.leader)
                  ->call(str_cat(kWorkerMethods, "CompleteInstance"), request, response,
                         {.wait_for_ready = true}, answered);
  const std::lock_guard lock(mutex_);
  if (call != nullptr) groups_[id.key].calls.push_back(std::move(call));
}

void TaskCollectives::end_group(std::int64_t group_key, const CollectiveGroupRef& group,
                                std::exception_ptr error) {
  if (group == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    const auto found = groups_.find(group_key);
    if (found != groups_.end() && found->second.group == group) groups_.erase(found);
  }
  // Other tasks may begin again where this one's step was only cancelled.
  if (const auto why = error_in(error); why && why->code() == Code::kCancelled)
    error = std::make_exception_ptr(
        Error(Code::kAborted, "A member of the collective group has ended its step"));
  group->exchange->abort(error);
  options_.close(exchange_id(group_key, group->generation),
                 "The collective group has come to its end.");
}

void TaskCollectives::close() {
  std::map<std::int64_t, Known> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(groups_);
  }
  const auto stopped = std::make_exception_ptr(Error(Code::kCancelled, "The server was stopped."));
  for (auto& [key, known] : all) {
    for (const auto& call : known.calls) call->cancel();
    end_group(key, known.group, stopped);
    leads_.end_group(key, stopped);
    for (const auto& [device, waiting] : known.waiting)
      for (const Joined& one : waiting) one(stopped, nullptr);
  }
}

// --- the leader ----------------------------------------------------------------------------------

void TaskCollectives::complete_group(const tensorflow::CompleteGroupRequest& request,
                                     tensorflow::CompleteGroupResponse* response,
                                     const Done& done) {
  require(request.device_name_size() == 1, "CompleteGroup takes one device, got ",
          request.device_name_size());
  const CollectiveGroupId id{request.group_key(), request.group_size()};
  leads_.join(id, request.device_name(0),
              [id, response, done](std::exception_ptr error, const GroupTable::Members& members) {
                response->set_group_key(static_cast<std::int32_t>(id.key));
                response->set_group_size(static_cast<std::int32_t>(id.size));
                response->set_device_type("CPU");
                std::vector<std::string> tasks;
                for (const std::string& device : members.devices) {
                  response->add_device_name(device);
                  response->add_task_name(task_of_device(device));
                  tasks.push_back(response->task_name(response->task_name_size() - 1));
                }
                std::ranges::sort(tasks);
                tasks.erase(std::ranges::unique(tasks).begin(), tasks.end());
                response->set_num_tasks(static_cast<std::int32_t>(tasks.size()));
                response->set_communicator_key(bytes_of(members.generation));
                done(error_in(error));
              });
}

void TaskCollectives::complete_instance(const tensorflow::CompleteInstanceRequest& request,
                                        tensorflow::CompleteInstanceResponse* response,
                                        const Done& done) {
  const std::int64_t key = request.group_key();
  const std::uint64_t generation = std::strtoull(request.name().c_str(), nullptr, 10);
  leads_.find_source(
      key, generation, request.instance_key(), request.device(), request.is_source(),
      [this, response, done, key](std::exception_ptr error, const std::string& source) {
        if (!error) response->set_source_rank(leads_.rank(key, source));
        done(error_in(error));
      });
}

}  // namespace rill::cluster
