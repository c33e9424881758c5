/* A type of device in C: its memory is the C library's, its kernels run at once, and Sqrt of
 * something negative fails late. */
#include <math.h>
#include <rill_device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int up, pinned;
static rill_late_error failed;
static char failed_node[64];

static int count(void* context) { return context == NULL ? 1 : 0; }

static void* allocate(void* context, int device, size_t bytes) {
  (void)context, (void)device;
  return aligned_alloc(64, (bytes / 64 + 1) * 64);
}

static void deallocate(void* context, int device, void* block, size_t bytes) {
  (void)context, (void)device, (void)bytes;
  free(block);
}

static void* allocate_pinned(void* context, size_t bytes) {
  ++pinned;
  return allocate(context, 0, bytes);
}

static void deallocate_pinned(void* context, void* block, size_t bytes) {
  deallocate(context, 0, block, bytes);
}

static int64_t memory_bytes(void* context, int device) {
  (void)context;
  return device == 0 ? 64 << 20 : 0;
}

static void copy(void* context, int device, int kind, void* to, const void* from, size_t bytes,
                 rill_copy_done done, void* argument) {
  (void)context, (void)device;
  up += kind == RILL_COPY_FROM_HOST;
  memcpy(to, from, bytes);
  done(argument, NULL);
}

static void finish(void* context, int device, int64_t step, rill_late_error* error) {
  (void)context, (void)device, (void)step;
  *error = failed;
  failed.code = 0;
}

static void square_root(rill_call* call) {
  rill_tensor in, out, none;
  if (rill_call_input(call, 0, &in) != 0 || rill_call_output(call, 0, &out) != 0 ||
      rill_call_input(call, 1, &none) == 0)
    return rill_call_fail(call, RILL_INTERNAL, "arguments are not as declared");
  for (int64_t i = 0; i < in.elements; ++i) {
    const float value = ((const float*)in.data)[i];
    ((float*)out.data)[i] = sqrtf(value);
    if (value >= 0) continue;
    snprintf(failed_node, sizeof failed_node, "%s", rill_call_node(call));
    failed = (rill_late_error){RILL_INVALID_ARGUMENT, failed_node, "no root of a negative number"};
  }
}

/* A slice: where it begins and ends is in host memory. */
static void slice(rill_call* call) {
  rill_tensor in, begin, size, out;
  int64_t index_type = 0;
  if (rill_call_input(call, 0, &in) != 0 || rill_call_input(call, 1, &begin) != 0 ||
      rill_call_input(call, 2, &size) != 0 || in.rank != 1)
    return rill_call_fail(call, RILL_UNIMPLEMENTED, "slices of vectors only");
  if (rill_call_attr_int(call, "Index", &index_type) != 0 || index_type != 3)
    return rill_call_fail(call, RILL_UNIMPLEMENTED, "indices of int32 only");
  const int64_t length = ((const int32_t*)size.data)[0];
  if (rill_call_allocate(call, 0, 1, &length, &out) != 0) return;
  memcpy(out.data, (const float*)in.data + ((const int32_t*)begin.data)[0],
         (size_t)length * sizeof(float));
}

static const int floats[] = {1, 0};
static const rill_device_type type = {
    sizeof(rill_device_type), "CDEV", 5,    NULL,   count,           allocate,
    deallocate,               copy,   finish, allocate_pinned, deallocate_pinned, memory_bytes};
/* As a library says it that knows nothing of page-locked memory. */
static const rill_device_type old_type = {
    offsetof(rill_device_type, allocate_pinned), "CDEV_OLD", 0, NULL, count, allocate, deallocate,
    copy, finish, NULL, NULL, NULL};
static const rill_kernel kernels[] = {
    {sizeof(rill_kernel), "Sqrt", "CDEV", floats, NULL, 0, square_root},
    {sizeof(rill_kernel), "Slice", "CDEV", floats, "begin,size", 1, slice}};

__attribute__((constructor)) static void add(void) {
  const int again = rill_register_device_type(&type) + rill_register_device_type(&type);
  const int wrong = rill_register_device_type(NULL) + rill_register_kernel(NULL);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) rill_register_kernel(&kernels[i]);
  printf("again %d wrong %d old %d\n", again, wrong, rill_register_device_type(&old_type));
  fflush(stdout);
}

__attribute__((destructor)) static void tell(void) {
  printf("%d values went up, %d pinned blocks\n", up, pinned > 0);
}
