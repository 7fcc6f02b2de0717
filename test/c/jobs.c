/* Joining and leaving, several times; calls without a job. */
#include "check.h"

static void outside_of_a_job(void) {
  far_map* map;
  CHECK(far_rank() == -1 && far_size() == 0 && far_now_ns() == 0 && !far_is_attached());
  FAILS(FAR_NO_JOB, "far_join first", far_barrier());
  FAILS(FAR_NO_JOB, "far_join first", far_map_create(&map));
  FAILS(FAR_NO_JOB, "far_join first", far_attach(0));
  FAILS(FAR_NO_JOB, "far_join first", far_leave());
  FAILS(FAR_NO_JOB, "no job", far_fail("why"));
  far_interrupt();
}

int main(void) {
  int node = -1, times;
  outside_of_a_job();
  for (times = 0; times < 3; ++times) {
    far_map* map;
    far_space* space;
    OK(far_join());
    FAILS(FAR_BAD_ARGUMENT, "in a job already", far_join());
    CHECK(far_rank() >= 0 && far_rank() < far_size());
    OK(far_node_of(far_size() - 1, &node));
    CHECK(node >= 0);
    FAILS(FAR_BAD_ARGUMENT, "no rank -1", far_node_of(-1, &node));
    CHECK(far_now_ns() > 0);
    /* What is not destroyed ends with the job. */
    OK(far_map_create(&map));
    OK(far_map_put(map, "a", 1, "b", 1, NULL));
    OK(far_space_create(NULL, &space));
    OK(far_safe_point(space));
    OK(far_barrier());
    OK(far_leave());
    outside_of_a_job();
  }
  return 0;
}
