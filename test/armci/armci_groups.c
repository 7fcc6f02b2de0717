/* ARMCI's groups, messages, collectives and topology, without Global Arrays. */

#include <armcix.h>

#include "armci_check.h"

/* Every other rank, in reverse order; and a group of that group. */
static void groups(void) {
  int list[64], size = 0, r, rank = -2, in_group, members = 0;
  ARMCI_Group world, group, inner, current;
  void** places = malloc(sizeof(void*) * (size_t)procs);
  for (r = procs - 1; r >= 0; --r) {
    if (r % 2 == 0) list[size++] = r;
  }
  ARMCI_Group_get_world(&world);
  ARMCI_Group_size(&world, &members);
  CHECK(members == procs);
  ARMCI_Group_create(size, list, &group);
  in_group = me % 2 == 0;
  CHECK((ARMCI_Group_rank(&group, &rank) == 0) == in_group);
  if (in_group) {
    long sum = me;
    int value = 5, first = 0;
    CHECK(list[rank] == me);
    for (r = 0; r < size; ++r) CHECK(ARMCI_Absolute_id(&group, r) == list[r]);
    armci_msg_group_lgop(&sum, 1, "+", &group);
    for (r = 0; r < size; ++r) sum -= list[r];
    CHECK(sum == 0);
    if (me == list[size - 1]) value = 6;
    armci_msg_group_bcast_scope(SCOPE_ALL, &value, sizeof value, list[size - 1], &group);
    CHECK(value == 6);
    CHECK(ARMCI_Malloc_group(places, 64, &group) == 0);
    *(int*)places[rank] = rank;
    armci_msg_group_barrier(&group);
    CHECK(ARMCI_GetValueInt(places[(rank + 1) % size], list[(rank + 1) % size]) ==
          (rank + 1) % size);
    armci_msg_group_barrier(&group);
    CHECK(ARMCI_Free_group(places[rank], &group) == 0);
    ARMCI_Group_set_default(&group);
    ARMCI_Group_get_default(&current);
    CHECK(current.comm == group.comm);
    ARMCI_Group_create(1, &first, &inner);
    CHECK((inner.rank == 0) == (rank == 0));
    if (rank == 0) CHECK(ARMCI_Absolute_id(&inner, 0) == list[0]);
    ARMCI_Group_set_default(&world);
    if (rank == 0) ARMCI_Group_free(&inner);
    ARMCI_Group_free(&group);
  }
  free(places);
  ARMCI_Barrier();
}

/* Groups by color, and sets of mutexes, which armcix.h adds. */
static void extensions(void) {
  ARMCI_Group world, half, copy;
  armcix_mutex_hdl_t own, all;
  int size = 0, rank, i, value, *places[64];
  ARMCI_Group_get_world(&world);
  CHECK(ARMCIX_Group_split(&world, me % 2, -me, &half) == 0);
  ARMCI_Group_size(&half, &size);
  CHECK(size == (procs + 1 - me % 2) / 2);
  CHECK(ARMCI_Group_rank(&half, &rank) == 0 && ARMCI_Absolute_id(&half, rank) == me);
  CHECK(rank == size - 1 - me / 2);
  CHECK(ARMCIX_Group_dup(&half, &copy) == 0 && copy.comm != half.comm && copy.rank == rank);
  own = ARMCIX_Create_mutexes_hdl(2, &copy);
  all = ARMCIX_Create_mutexes_hdl(me == 0, &world);
  ARMCI_Malloc((void**)places, 2 * sizeof(int));
  places[me][0] = places[me][1] = 0;
  ARMCI_Barrier();
  for (i = 0; i < 50; ++i) { /* the first rank of each half counts in its own memory */
    int keeper = me % 2;
    ARMCIX_Lock_hdl(own, 1, keeper);
    value = ARMCI_GetValueInt(places[keeper], keeper) + 1;
    ARMCI_PutValueInt(value, places[keeper], keeper);
    ARMCIX_Unlock_hdl(own, 1, keeper);
    while (ARMCIX_Trylock_hdl(all, 0, 0) != 0) ARMCIX_Progress();
    CHECK(ARMCIX_Trylock_hdl(all, 0, 0) != 0);
    value = ARMCI_GetValueInt(places[0] + 1, 0) + 1;
    ARMCI_PutValueInt(value, places[0] + 1, 0);
    ARMCIX_Unlock_hdl(all, 0, 0);
  }
  ARMCI_Barrier();
  CHECK(me > 1 || places[me][0] == 50 * size);
  CHECK(me > 0 || places[me][1] == 50 * procs);
  ARMCI_Free(places[me]);
  CHECK(ARMCIX_Destroy_mutexes_hdl(all) == 0 && ARMCIX_Destroy_mutexes_hdl(own) == 0);
  ARMCI_Group_free(&copy);
  ARMCI_Group_free(&half);
}

static void messages(void) {
  char text[16] = "", got[16];
  int length = 0, root, up, left_child, right_child, tag = 5;
  double values[2] = {me, -me - 1.0};
  struct {
    double value;
    int place[2];
  } best = {me % 3, {me, me}};
  CHECK(armci_msg_me() == me && armci_msg_nproc() == procs);
  snprintf(text, sizeof text, "from %d", me);
  if (me % 2 == 0 && procs % 2 == 0) {
    armci_msg_snd(tag, text, sizeof text, right());
    armci_msg_rcv(tag, got, sizeof got, &length, right());
    CHECK(length == sizeof got && got[5] == '0' + right());
  } else if (procs % 2 == 0) {
    CHECK(armci_msg_rcvany(tag, got, sizeof got, &length) == left());
    armci_msg_snd(tag, text, sizeof text, left());
  }
  armci_msg_bcast(text, sizeof text, procs - 1);
  CHECK(text[5] == '0' + procs - 1);
  armci_msg_dgop(values, 2, "max");
  CHECK(values[0] == procs - 1 && values[1] == -1);
  armci_msg_gop_scope(SCOPE_ALL, values, 2, "+", ARMCI_DOUBLE);
  CHECK(values[1] == -procs);
  armci_msg_sel_scope(SCOPE_ALL, &best, sizeof best, "max", ARMCI_DOUBLE, 1);
  CHECK(best.value == (procs > 2 ? 2 : procs - 1) && best.place[0] % 3 == best.value);
  best.value = 1, best.place[0] = me; /* of equal values, that of the last rank */
  armci_msg_sel_scope(SCOPE_ALL, &best, sizeof best, "min", ARMCI_DOUBLE, 1);
  CHECK(best.place[0] == procs - 1);
  armci_msg_bintree(SCOPE_ALL, &root, &up, &left_child, &right_child);
  CHECK(root == 0 && (me == 0 ? up == -1 : up == (me - 1) / 2));
  CHECK(left_child == (2 * me + 1 < procs ? 2 * me + 1 : -1));
  CHECK(ARMCI_Same_node(me) == 1);
  CHECK(armci_domain_count(ARMCI_DOMAIN_SMP) == procs);
  CHECK(armci_domain_id(ARMCI_DOMAIN_SMP, me) == armci_domain_my_id(ARMCI_DOMAIN_SMP));
  CHECK(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, me, 0) == me);
  CHECK(armci_domain_nprocs(ARMCI_DOMAIN_SMP, 0) == 1);
  CHECK(armci_domain_same_id(ARMCI_DOMAIN_SMP, right()) == (right() == me));
}

int main(int argc, char** argv) {
  begin(argc, argv);
  groups();
  extensions();
  messages();
  return end();
}
