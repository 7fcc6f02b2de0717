/* A counter and a list that all ranks share, in C: a map of bytes, and objects whose type is
 * described at run time.
 *
 *     cc -O2 visits.c -o visits $(pkg-config --cflags --libs far-c)
 *     far run -n 4 ./visits
 */
#include <far/c.h>
#include <stdio.h>
#include <string.h>

typedef struct visit {
  uint64_t rank;
  far_ref before; /* the visit before this one, or 0 */
} visit;

static void check(far_status status) {
  if (status == FAR_OK) return;
  far_fail(far_error_message()); /* the launcher prints it, and ends the other ranks */
  far_exit_job(1);
}

int main(void) {
  far_map* names;
  char name[32];
  far_space* space;
  const far_type* type;
  const far_cell cells[] = {{offsetof(visit, rank), 8, 0}, {offsetof(visit, before), 8, 1}};
  far_ref last, mine;
  void* data;
  const void* seen;
  uint64_t count;

  check(far_join());

  check(far_map_create(&names));
  sprintf(name, "rank %d", far_rank());
  check(far_map_put(names, name, strlen(name), "was here", 8, NULL));
  check(far_map_size(names, &count));
  if (far_rank() == 0) printf("%d names\n", (int)count);

  check(far_space_create(NULL, &space));
  check(far_type_create(space, "visit", sizeof(visit), cells, 2, &type));
  if (far_rank() == 0) { /* an empty visit, in whose monitor all others are added */
    check(far_object_make(space, type, &last));
    check(far_root_set(space, "visits", last, type));
  }
  check(far_barrier());
  check(far_root_get(space, "visits", &last));
  check(far_monitor_enter(space, last));
  check(far_object_make(space, type, &mine));
  check(far_object_write(space, mine, type, &data));
  ((visit*)data)->rank = (uint64_t)far_rank();
  check(far_object_read(space, last, type, &seen));
  ((visit*)data)->before = ((const visit*)seen)->before;
  check(far_object_write(space, last, type, &data));
  ((visit*)data)->before = mine;
  check(far_monitor_exit(space, last));
  check(far_barrier());

  if (far_rank() == 0) {
    count = 0;
    for (check(far_object_read(space, last, type, &seen)); ((const visit*)seen)->before != 0;) {
      check(far_object_read(space, ((const visit*)seen)->before, type, &seen));
      ++count;
    }
    printf("%d visits\n", (int)count);
  }
  check(far_space_destroy(space));
  check(far_map_destroy(names));
  check(far_leave());
  return 0;
}
