/* Calls with wrong arguments: each prints a line that says what is wrong, and ends the job. The argument
 * of the program is the number of the call; errors.sh knows what it has to print. */

#include "armci_check.h"

int main(int argc, char** argv) {
  int which = argc > 1 ? atoi(argv[1]) : -1, i;
  int strides[9], count[10];
  double own[8] = {0}, scale = 1;
  void* places[1];
  ARMCI_Group group;
  (void)group;
  for (i = 0; i < 9; ++i) strides[i] = 8;
  for (i = 0; i < 10; ++i) count[i] = 1;
  count[0] = 8;
  if (which == 0) return armci_msg_me(); /* without MPI */
  begin(argc, argv);
  switch (which) {
    case 1:
      armci_write_strided(own, 9, strides, count, (char*)own);
      break;
    case 2:
      ARMCI_PutS(own, strides, own, strides, count, 8, me);
      break;
    case 3:
      ARMCI_Put(own, NULL, 8, me);
      break;
    case 4:
      ARMCI_Get(own, NULL, 8, me);
      break;
    case 5:
      ARMCI_PutValueInt(1, NULL, me);
      break;
    case 6:
      ARMCI_Rmw(ARMCI_FETCH_AND_ADD, NULL, own, 1, me);
      break;
    case 7:
      ARMCI_Malloc_group(places, 64, NULL);
      break;
    case 8:
      ARMCI_Free_group(own, NULL);
      break;
    case 9:
      ARMCI_Acc(ARMCI_ACC_DBL, NULL, own, own, 8, me);
      break;
    case 10:
      ARMCI_Put_flag(own, own + 1, 8, NULL, 1, me);
      break;
    case 11:
      for (i = 0; i < 7; ++i) count[i] = 1 << 30;
      ARMCI_AccS(ARMCI_ACC_DBL, &scale, own, strides, own, strides, count, 6, me);
      break;
    case 12:
      ARMCI_Group_size(NULL, &i);
      break;
  }
  printf("case %d returned\n", which);
  return 0;
}
