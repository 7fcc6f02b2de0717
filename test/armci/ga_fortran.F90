! A program of Global Arrays in Fortran, whose integers are those that the library was compiled for.
! It prints numbers that sums do not round, so that two implementations of ARMCI print the same.

program ga_fortran
  implicit none
#include "mafdecls.fh"
#include "global.fh"
  integer, parameter :: n = 50
  integer :: me, ranks, a, b, c, counter, group, i, j, taken
  integer :: lo(2), hi(2), width(2), dims(2), members(64), rows(12), columns(12)
  integer*4 :: status
  double precision :: patch(n, n), seen(n, n), values(12), total
  logical :: good

  call mpi_init(status)
  call ga_initialize()
  good = ma_init(MT_DBL, 200000, 200000)
  me = ga_nodeid()
  ranks = ga_nnodes()
  good = good .and. ga_create(MT_DBL, n, n, 'a', 0, 0, a)
  good = good .and. ga_duplicate(a, b, 'b')
  good = good .and. ga_duplicate(a, c, 'c')
  good = good .and. ga_create(MT_INT, 4, 1, 'counter', 0, 0, counter)
  if (.not. good) call ga_error('no memory', 1)

  ! Columns are put in turn, and read back as a section that all ranks have a part of.
  do j = 1, n
    do i = 1, n
      patch(i, j) = mod(3*i + 7*j, 11)
    end do
  end do
  do j = 1 + me, n, ranks
    call ga_put(a, 1, n, j, j, patch(1, j), n)
  end do
  call ga_sync()
  call ga_get(a, 2, n - 1, 5, n, seen, n)
  if (any(seen(1:n-2, 1:n-4) /= patch(2:n-1, 5:n))) call ga_error('get', 2)
  call ga_sync()

  ! All add to one section.
  call ga_acc(a, 11, 30, 21, 40, patch(11, 21), n, 2d0)
  call ga_sync()
  call say('sums', ga_ddot(a, a))

  call ga_dgemm('n', 't', n, n, n, 1d0, a, a, 0d0, b)
  call say('product', ga_ddot(b, b))
  call ga_add(2d0, a, -1d0, b, c)
  call ga_transpose(c, b)
  call ga_copy_patch('t', b, 1, 10, 1, 20, a, 21, 40, 31, 40)
  call say('patches', ga_ddot(a, c))

  ! Single elements; positions differ.
  do i = 1, 12
    rows(i) = 4*i
    columns(i) = 3*i
    values(i) = i
  end do
  call ga_zero(c)
  call ga_scatter_acc(c, values, rows, columns, 12, 1d0)
  call ga_sync()
  call ga_gather(c, values, rows, columns, 12)
  total = sum(values)
  call say('elements', total)

  ! A counter, whose values are all different; and largest elements, of which the place is printed.
  call ga_zero(counter)
  taken = 0
  do i = 1, 20
    taken = taken + ga_read_inc(counter, 3, 1, 1)
  end do
  call ga_igop(1, taken, 1, '+')
  call say('counter', dble(taken))
  call nga_select_elem(c, 'max', total, lo)
  call say('largest', total + 100*lo(1) + 10000*lo(2))

  ! Ghost cells, and a group of the first half of the ranks.
  dims = n
  width = (/ 2, 1 /)
  good = nga_create_ghosts(MT_DBL, 2, dims, width, 'ghosts', (/ -1, -1 /), j)
  call ga_copy(a, j)
  call ga_update_ghosts(j)
  lo = (/ -1, 0 /)
  hi = (/ 5, 3 /)
  call nga_periodic_get(j, lo, hi, seen, (/ n /))
  call say('periodic', sum(seen(1:7, 1:4)))
  good = ga_destroy(j)
  do i = 1, ranks
    members(i) = i - 1
  end do
  group = ga_pgroup_create(members, (ranks + 1)/2)
  if (me < (ranks + 1)/2) then
    call ga_pgroup_set_default(group)
    good = ga_create(MT_DBL, n, n, 'of a group', 0, 0, j)
    call ga_fill(j, 3d0)
    call say('group', ga_ddot(j, j))
    good = ga_destroy(j)
    call ga_pgroup_set_default(ga_pgroup_get_world())
  end if
  call ga_sync()
  call ga_terminate()
  call mpi_finalize(status)

contains

  subroutine say(what, value)
    character(len=*), intent(in) :: what
    double precision, intent(in) :: value
    if (ga_nodeid() == 0) print '(a, f24.4)', what, value
  end subroutine

end program
