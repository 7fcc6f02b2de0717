/* Objects whose types are described at run time. The argument `copies` forces the protocol. */
#include "check.h"

typedef struct node {
  uint64_t key;
  far_ref next;
  uint32_t flag;
} node;

static far_space* space;
static const far_type* node_type;
static const far_type* doubles;

static void describe(void) {
  const far_cell cells[] = {{0, 8, 0}, {8, 8, 1}, {16, 4, 0}};
  const far_cell one[] = {{0, 8, 0}};
  const far_type* again;
  const far_cell* told;
  size_t count;
  OK(far_type_create(space, "node", sizeof(node), cells, 3, &node_type));
  OK(far_type_create(space, "node", sizeof(node), cells, 3, &again));
  CHECK(again == node_type);
  OK(far_type_create(space, "double[]", 8, one, 1, &doubles));
  CHECK(far_type_size(node_type) == sizeof(node));
  CHECK(memcmp(far_type_name(node_type, &count), "node", 4) == 0 && count == 4);
  told = far_type_cells(node_type, &count);
  CHECK(count == 3 && told[1].offset == 8 && told[1].width == 8 && told[1].is_reference == 1);
}

static far_ref make_node(uint64_t key, far_ref next) {
  far_ref made;
  void* data;
  OK(far_object_make(space, node_type, &made));
  OK(far_object_write(space, made, node_type, &data));
  ((node*)data)->key = key;
  ((node*)data)->next = next;
  return made;
}

static const node* read_node(far_ref at) {
  const void* data = far_object_try_read(space, at);
  if (data == NULL) OK(far_object_read(space, at, node_type, &data));
  return (const node*)data;
}

static const char* name_of(const char* what, int rank) {
  static char name[40];
  sprintf(name, "%s%d", what, rank);
  return name;
}

static void lists(void) {
  far_ref head = 0, at;
  far_type const* type;
  uint64_t i;
  int rank;
  for (i = 0; i < 100; ++i) head = make_node(i, head);
  OK(far_root_set(space, name_of("list", far_rank()), head, node_type));
  OK(far_barrier());
  for (rank = 0; rank < far_size(); ++rank) {
    OK(far_root_get(space, name_of("list", rank), &head));
    CHECK(far_ref_rank(head) == rank);
    for (i = 100, at = head; at != 0; at = read_node(at)->next) {
      OK(far_object_type(space, at, rank % 2 == 0 ? node_type : doubles, &type));
      CHECK(type == node_type);
      CHECK(read_node(at)->key == --i);
    }
    CHECK(i == 0);
  }
  OK(far_barrier());
}

static void arrays(void) {
  const uint64_t n = 20000;
  far_ref array, theirs;
  uint64_t i, count, length;
  void* first;
  const void* seen;
  OK(far_array_make(space, doubles, n, &array));
  OK(far_root_set(space, name_of("array", far_rank()), array, doubles));
  OK(far_barrier());
  OK(far_root_get(space, name_of("array", (far_rank() + 1) % far_size()), &theirs));
  OK(far_array_length(space, theirs, doubles, &length));
  CHECK(length == n);
  for (i = 0; i < n; i += count) {
    uint64_t k;
    OK(far_array_write(space, theirs, doubles, i, &first, &count));
    for (k = 0; k < count; ++k) ((double*)first)[k] = (double)(i + k);
  }
  OK(far_barrier());
  for (i = 0; i < n; i += count) {
    OK(far_array_read(space, array, doubles, i, &seen, &count));
    CHECK(*(const double*)seen == (double)i);
  }
  FAILS(FAR_BAD_ARGUMENT, "index 20000", far_array_read(space, array, doubles, n, &seen, &count));
  OK(far_barrier());
}

static void monitors(void) {
  far_ref counter;
  void* data;
  int i, entered;
  uint64_t old;
  if (far_rank() == 0) OK(far_root_set(space, "counter", make_node(0, 0), node_type));
  OK(far_barrier());
  OK(far_root_get(space, "counter", &counter));
  for (i = 0; i < 200; ++i) {
    OK(far_monitor_enter(space, counter));
    CHECK(far_monitor_is_held(space, counter));
    OK(far_object_write(space, counter, node_type, &data));
    ++((node*)data)->key;
    OK(far_monitor_exit(space, counter));
  }
  for (i = 0; i < 50; ++i) {
    OK(far_volatile(space, counter, offsetof(node, flag), 4, FAR_ADD, 1, 0, &old));
    OK(far_volatile(space, counter, offsetof(node, flag), 4, FAR_OR, 0x80000000u, 0, NULL));
  }
  OK(far_barrier());
  CHECK(read_node(counter)->key == 200u * (uint64_t)far_size());
  OK(far_volatile(space, counter, offsetof(node, flag), 4, FAR_LOAD, 0, 0, &old));
  CHECK(old == (0x80000000u | 50u * (unsigned)far_size()));
  /* The last rank waits until rank 0 notifies. */
  OK(far_barrier());
  if (far_rank() == far_size() - 1) {
    far_wait_end end = FAR_NOTIFIED;
    OK(far_monitor_enter(space, counter));
    OK(far_monitor_wait(space, counter, 1000000, &end));
    CHECK(end == FAR_TIMED_OUT);
    OK(far_interrupt_wait(space, far_attachment_number()));
    OK(far_monitor_wait(space, counter, FAR_FOREVER, &end));
    CHECK(end == FAR_WAIT_INTERRUPTED);
    if (far_size() > 1) {
      OK(far_object_write(space, counter, node_type, &data));
      ((node*)data)->key = 1;
      while (read_node(counter)->key != 2) OK(far_monitor_wait(space, counter, FAR_FOREVER, NULL));
    }
    OK(far_monitor_exit(space, counter));
  } else if (far_rank() == 0) {
    for (entered = 0; entered != 2;) {
      OK(far_monitor_try_enter(space, counter, &entered));
      if (!entered) continue;
      if (read_node(counter)->key == 1) {
        OK(far_object_write(space, counter, node_type, &data));
        ((node*)data)->key = 2;
        OK(far_monitor_notify_all(space, counter));
        entered = 2;
      }
      OK(far_monitor_exit(space, counter));
    }
  }
  FAILS(FAR_BAD_ARGUMENT, "not in the monitor", far_monitor_notify(space, counter));
  FAILS(FAR_BAD_ARGUMENT, "not in the monitor", far_monitor_exit(space, counter));
  OK(far_barrier());
}

/* Whether an object has been told since the last call. */
static int is_told(far_ref object) {
  const far_ref* places;
  size_t count, i;
  int told = 0;
  OK(far_space_take_changed(space, &places, &count));
  for (i = 0; i < count; ++i) told += places[i] == object;
  if (far_space_is_coherent(space)) CHECK(count == 0);
  return told;
}

/* What others have written is told, where there are copies, since it was read last. */
static void changes(void) {
  far_ref object;
  void* data;
  int told, writer;
  if (far_rank() == 0) OK(far_root_set(space, "changes", make_node(0, 0), node_type));
  OK(far_barrier());
  OK(far_root_get(space, "changes", &object));
  for (writer = 0; writer < far_size(); ++writer) {
    (void)is_told(object);
    CHECK(read_node(object)->key == (uint64_t)writer);
    OK(far_barrier());
    if (far_rank() == writer) {
      OK(far_object_write(space, object, node_type, &data));
      ++((node*)data)->key;
    }
    OK(far_barrier());
    told = is_told(object);
    if (!far_space_is_coherent(space) && far_rank() != writer) CHECK(told == 1);
  }
  OK(far_barrier());
}

static void volatile_elements(void) {
  far_ref array;
  uint64_t old;
  if (far_rank() == far_size() - 1) {
    OK(far_array_make(space, doubles, 10000, &array));
    OK(far_root_set(space, "words", array, doubles));
  }
  OK(far_barrier());
  OK(far_root_get(space, "words", &array));
  OK(far_volatile_element(space, array, 9999, 8, FAR_ADD, 3, 0, NULL));
  OK(far_barrier());
  OK(far_volatile_element(space, array, 9999, 8, FAR_LOAD, 0, 0, &old));
  CHECK(old == 3u * (uint64_t)far_size());
  OK(far_barrier());
}

static void collections(void) {
  const int next = (far_rank() + 1) % far_size();
  far_collections counts;
  far_ref theirs;
  uint64_t before;
  const char* text;
  OK(far_root_set(space, name_of("list", far_rank()), 0, node_type));
  OK(far_root_set(space, name_of("kept", far_rank()), make_node(77, 0), node_type));
  OK(far_barrier());
  OK(far_root_get(space, name_of("kept", next), &theirs));
  OK(far_object_keep(space, theirs));
  OK(far_barrier());
  OK(far_root_set(space, name_of("kept", far_rank()), 0, node_type));
  OK(far_barrier());
  OK(far_collect(space));
  OK(far_barrier());
  OK(far_space_collections(space, &counts));
  CHECK(counts.count > 0 && counts.freed_objects > 0);
  before = counts.live_objects;
  CHECK(read_node(theirs)->key == 77);
  OK(far_object_explain(space, theirs, &text));
  CHECK(strlen(text) > 0);
  OK(far_barrier());
  OK(far_object_release(space, theirs));
  FAILS(FAR_BAD_ARGUMENT, "not kept", far_object_release(space, theirs));
  OK(far_barrier());
  OK(far_collect(space));
  OK(far_barrier());
  OK(far_space_collections(space, &counts));
  CHECK(counts.live_objects == before - (uint64_t)far_size());
  OK(far_barrier());
}

static void mistakes(void) {
  const far_cell overlap[] = {{0, 8, 0}, {4, 8, 0}};
  const far_cell narrow[] = {{0, 4, 1}};
  const far_type* type;
  const void* data;
  far_ref made = make_node(1, 0);
  FAILS(FAR_BAD_ARGUMENT, "no aligned word, or overlaps",
        far_type_create(space, "overlap", 16, overlap, 2, &type));
  FAILS(FAR_BAD_ARGUMENT, "want 8", far_type_create(space, "narrow", 16, narrow, 1, &type));
  FAILS(FAR_BAD_ARGUMENT, "0 bytes", far_type_create(space, "empty", 0, NULL, 0, &type));
  FAILS(FAR_BAD_ARGUMENT, "null", far_object_read(space, 0, node_type, &data));
  FAILS(FAR_BAD_ARGUMENT, "another space", far_object_read(space, made ^ ((uint64_t)5 << 60),
                                                           node_type, &data));
  FAILS(FAR_BAD_ARGUMENT, "no such object", far_object_type(space, made + 8, NULL, &type));
  FAILS(FAR_BAD_ARGUMENT, "null", far_object_keep(space, 0));
  OK(far_root_get(space, "no such name", &made));
  CHECK(made == 0);
  OK(far_barrier());
}

int main(int argc, char** argv) {
  far_space_options options;
  memset(&options, 0, sizeof(options));
  options.force_protocol = argc > 1 && strcmp(argv[1], "copies") == 0;
  options.tracks_changes = 1;
  OK(far_join());
  OK(far_space_create(&options, &space));
  describe();
  lists();
  arrays();
  monitors();
  changes();
  volatile_elements();
  collections();
  mistakes();
  OK(far_space_destroy(space));
  OK(far_space_create(NULL, &space));
  OK(far_space_destroy(space));
  OK(far_space_destroy(NULL));
  OK(far_leave());
  return 0;
}
