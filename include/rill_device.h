/* A library adds a type of device to Rill, in C. Load it as a library of ops (tf.load_op_library),
 * and register from a constructor of the library.
 *
 * A device has memory of its own, which the CPU never touches but through copy(). Its kernels may
 * enqueue their work and return; what is enqueued later must come later, copies included.
 *
 * Functions that return int return 0 when all went well. Nothing here is taken over: structures and
 * what they point to must live as long as the process.
 */
#ifndef RILL_DEVICE_H_
#define RILL_DEVICE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Error codes, those of TensorFlow. */
enum {
  RILL_INVALID_ARGUMENT = 3,
  RILL_RESOURCE_EXHAUSTED = 8,
  RILL_UNIMPLEMENTED = 12,
  RILL_INTERNAL = 13,
  RILL_UNAVAILABLE = 14 /* a device that is lost */
};

enum { RILL_COPY_TO_HOST = 0, RILL_COPY_FROM_HOST = 1, RILL_COPY_WITHIN = 2 };

/* To be called once when a copy has ended; `error` is NULL when it went well. From any thread that
 * may start further copies and wait for a lock: not from inside a driver that forbids that. */
typedef void (*rill_copy_done)(void* argument, const char* error);

/* What a step that failed late reports, filled by finish(): the node, as rill_call_node() named it,
 * and what went wrong. Texts are copied at once. */
typedef struct rill_late_error {
  int code; /* 0: nothing failed */
  const char* node;
  const char* message;
} rill_late_error;

typedef struct rill_device_type {
  size_t struct_size; /* sizeof(rill_device_type) */
  const char* name;   /* as in device names: "GPU" */
  int priority;       /* nodes go to the type with the highest that has a kernel; the CPU's is 0 */
  void* context;      /* handed to the functions below, with the number of the device */
  int (*count)(void* context);
  /* Memory, aligned to 64 bytes. NULL when there is none left. What was freed may be handed out at
   * once although work that is enqueued still uses it: the new owner's work comes later. */
  void* (*allocate)(void* context, int device, size_t bytes);
  void (*deallocate)(void* context, int device, void* block, size_t bytes);
  /* Starts a copy that comes after everything enqueued so far. */
  void (*copy)(void* context, int device, int kind, void* to, const void* from, size_t bytes,
               rill_copy_done done, void* argument);
  /* Waits for what a step has enqueued and tells what went wrong in it. */
  void (*finish)(void* context, int device, int64_t step, rill_late_error* error);
  /* What follows may be NULL, or be left out by a smaller struct_size. */
  /* Page-locked host memory, where copies from and to other host memory are slow: large copies then
   * go through it in pieces, and done() may be called while the next piece is under way. */
  void* (*allocate_pinned)(void* context, size_t bytes);
  void (*deallocate_pinned)(void* context, void* block, size_t bytes);
  int64_t (*memory_bytes)(void* context, int device); /* how much there is; 0: unknown */
} rill_device_type;

/* Returns an error code, RILL_INVALID_ARGUMENT among them, when the structure makes no sense or the
 * name is taken. */
int rill_register_device_type(const rill_device_type* type);

/* One call of a kernel; valid until the kernel returns. Arguments are counted with lists spread
 * out. */
typedef struct rill_call rill_call;

typedef struct rill_kernel {
  size_t struct_size; /* sizeof(rill_kernel) */
  const char* op;
  const char* device_type;
  /* TensorFlow's numbers of the types that the op's first type attribute may have; 0 ends the list.
   * NULL: any. */
  const int* types;
  /* The arguments in host memory, with commas between. NULL: those of TensorFlow's GPU kernel. */
  const char* host_memory;
  int allocates; /* sets its outputs with rill_call_allocate(); otherwise it finds them made */
  void (*run)(rill_call* call);
} rill_kernel;

int rill_register_kernel(const rill_kernel* kernel);

const char* rill_call_node(const rill_call* call);
int rill_call_device(const rill_call* call); /* its number */
int64_t rill_call_step(const rill_call* call);
int rill_call_inputs(const rill_call* call);
int rill_call_outputs(const rill_call* call);

/* A tensor among the arguments. `data` lies where the kernel says, in device or host memory. */
typedef struct rill_tensor {
  int type, rank;
  const int64_t* dims; /* valid as long as the call, or until the output is allocated anew */
  int64_t elements;
  void* data;
} rill_tensor;

/* These return RILL_INVALID_ARGUMENT for a number or name that there is not, and for objects
 * (strings, handles), which devices do not see. */
int rill_call_input(const rill_call* call, int i, rill_tensor* tensor);
int rill_call_output(const rill_call* call, int i, rill_tensor* tensor);
int rill_call_allocate(rill_call* call, int i, int rank, const int64_t* dims, rill_tensor* tensor);
int rill_call_attr_int(const rill_call* call, const char* name,
                       int64_t* value); /* also bool, type */
int rill_call_attr_float(const rill_call* call, const char* name, double* value);
int rill_call_attr_string(const rill_call* call, const char* name, const char** value);

/* Ends the step with this error; the first one counts. */
void rill_call_fail(rill_call* call, int code, const char* message);

#ifdef __cplusplus
}
#endif

#endif
