/* Rank 1 fails while the others, with two threads each, wait: all of their calls say so. The argument
 * says how it fails, and how the others end. */
#include <pthread.h>
#include <unistd.h>

#include "../check.h"

static far_space* space;
static far_ref object;

static void* wait_in_monitor(void* argument) {
  far_status status;
  OK(far_attach(FAR_FOREVER));
  OK(far_monitor_enter(space, object));
  status = far_monitor_wait(space, object, FAR_FOREVER, NULL);
  CHECK(status == FAR_RANK_FAILED && far_failed_rank() == 1);
  return argument;
}

int main(int argc, char** argv) {
  const far_cell cells[] = {{0, 8, 0}};
  const far_type* type;
  const void* bytes;
  size_t count;
  far_queue* queue;
  pthread_t thread;
  const char* const how = argc > 1 ? argv[1] : "fails";
  OK(far_join());
  OK(far_space_create(NULL, &space));
  OK(far_type_create(space, "object", 8, cells, 1, &type));
  OK(far_object_make(space, type, &object));
  OK(far_object_keep(space, object));
  OK(far_queue_create(0, 10, 8, &queue));
  OK(far_barrier());
  if (far_rank() == 1) {
    sleep(1); /* the others wait by now */
    if (strcmp(how, "dies") == 0) _exit(7);
    if (strcmp(how, "exits") == 0) far_exit_job(5);
    OK(far_fail("out of luck"));
    CHECK(far_rank() == -1);
    return 1;
  }
  CHECK(pthread_create(&thread, NULL, wait_in_monitor, NULL) == 0);
  FAILS(FAR_RANK_FAILED, "rank 1", far_queue_pop(queue, &bytes, &count));
  CHECK(far_failed_rank() == 1);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(far_barrier() == FAR_RANK_FAILED);
  CHECK(far_leave() == FAR_RANK_FAILED);
  CHECK(far_rank() == -1);
  return 1;
}
