! The multigrid benchmark as plain loops: V-cycles for the equation of Poisson on a
! periodic cube, with the coefficients, charges and norms that the NAS benchmark MG
! publishes. The peer of examples/nas/mg.z, which computes the same in the same
! phases. Every level has one layer of ghost points, which `wrap` fills; each stencil
! is written as the sum that the mathematics has.
module grids
  implicit none
  integer, parameter :: wide = selected_int_kind(18)
  type grid
    real(8), allocatable :: at(:, :, :)        ! (0:n+1, 0:n+1, 0:n+1)
  end type
contains

  ! The opposite faces, including edges and corners.
  subroutine wrap(u, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1, 0:n+1, 0:n+1)
    u(0, 1:n, 1:n) = u(n, 1:n, 1:n)
    u(n+1, 1:n, 1:n) = u(1, 1:n, 1:n)
    u(:, 0, 1:n) = u(:, n, 1:n)
    u(:, n+1, 1:n) = u(:, 1, 1:n)
    u(:, :, 0) = u(:, :, n)
    u(:, :, n+1) = u(:, :, 1)
  end subroutine

  ! r = v - A u; r and v may be the same.
  subroutine resid(r, v, u, n, a)
    integer, intent(in) :: n
    real(8) :: r(0:n+1, 0:n+1, 0:n+1), v(0:n+1, 0:n+1, 0:n+1)
    real(8), intent(in) :: u(0:n+1, 0:n+1, 0:n+1), a(0:3)
    integer :: i, j, k
    do k = 1, n
      do j = 1, n
        do i = 1, n
          r(i,j,k) = v(i,j,k) - a(0) * u(i,j,k) &
            - a(2) * (u(i+1,j+1,k) + u(i+1,j-1,k) + u(i-1,j+1,k) + u(i-1,j-1,k) &
                    + u(i+1,j,k+1) + u(i+1,j,k-1) + u(i-1,j,k+1) + u(i-1,j,k-1) &
                    + u(i,j+1,k+1) + u(i,j+1,k-1) + u(i,j-1,k+1) + u(i,j-1,k-1)) &
            - a(3) * (u(i+1,j+1,k+1) + u(i+1,j+1,k-1) + u(i+1,j-1,k+1) + u(i+1,j-1,k-1) &
                    + u(i-1,j+1,k+1) + u(i-1,j+1,k-1) + u(i-1,j-1,k+1) + u(i-1,j-1,k-1))
        end do
      end do
    end do
    call wrap(r, n)
  end subroutine

  ! u = u + S r
  subroutine psinv(u, r, n, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1, 0:n+1, 0:n+1)
    real(8), intent(in) :: r(0:n+1, 0:n+1, 0:n+1), c(0:3)
    integer :: i, j, k
    do k = 1, n
      do j = 1, n
        do i = 1, n
          u(i,j,k) = u(i,j,k) + c(0) * r(i,j,k) &
            + c(1) * (r(i+1,j,k) + r(i-1,j,k) + r(i,j+1,k) + r(i,j-1,k) &
                    + r(i,j,k+1) + r(i,j,k-1)) &
            + c(2) * (r(i+1,j+1,k) + r(i+1,j-1,k) + r(i-1,j+1,k) + r(i-1,j-1,k) &
                    + r(i+1,j,k+1) + r(i+1,j,k-1) + r(i-1,j,k+1) + r(i-1,j,k-1) &
                    + r(i,j+1,k+1) + r(i,j+1,k-1) + r(i,j-1,k+1) + r(i,j-1,k-1))
        end do
      end do
    end do
    call wrap(u, n)
  end subroutine

  ! The coarse grid s from the fine one r: coarse point i lies on fine point 2 i.
  subroutine rprj3(s, r, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: s(0:n/2+1, 0:n/2+1, 0:n/2+1)
    real(8), intent(in) :: r(0:n+1, 0:n+1, 0:n+1)
    integer :: i, j, k, x, y, z
    do z = 1, n / 2
      k = 2 * z
      do y = 1, n / 2
        j = 2 * y
        do x = 1, n / 2
          i = 2 * x
          s(x,y,z) = 0.5d0 * r(i,j,k) &
            + 0.25d0 * (r(i+1,j,k) + r(i-1,j,k) + r(i,j+1,k) + r(i,j-1,k) &
                      + r(i,j,k+1) + r(i,j,k-1)) &
            + 0.125d0 * (r(i+1,j+1,k) + r(i+1,j-1,k) + r(i-1,j+1,k) + r(i-1,j-1,k) &
                       + r(i+1,j,k+1) + r(i+1,j,k-1) + r(i-1,j,k+1) + r(i-1,j,k-1) &
                       + r(i,j+1,k+1) + r(i,j+1,k-1) + r(i,j-1,k+1) + r(i,j-1,k-1)) &
            + 0.0625d0 * (r(i+1,j+1,k+1) + r(i+1,j+1,k-1) + r(i+1,j-1,k+1) + r(i+1,j-1,k-1) &
                        + r(i-1,j+1,k+1) + r(i-1,j+1,k-1) + r(i-1,j-1,k+1) + r(i-1,j-1,k-1))
        end do
      end do
    end do
    call wrap(s, n / 2)
  end subroutine

  ! The fine grid u plus the coarse one s, interpolated: each fine point gets the mean
  ! of the one, two, four or eight coarse points around it. Fills the ghosts, too.
  subroutine interp(u, s, n)
    integer, intent(in) :: n                   ! of the fine grid
    real(8), intent(inout) :: u(0:n+1, 0:n+1, 0:n+1)
    real(8), intent(in) :: s(0:n/2+1, 0:n/2+1, 0:n/2+1)
    integer :: i, j, k, x, y, z
    do z = 0, n / 2
      k = 2 * z
      do y = 0, n / 2
        j = 2 * y
        do x = 0, n / 2
          i = 2 * x
          u(i,j,k) = u(i,j,k) + s(x,y,z)
          u(i+1,j,k) = u(i+1,j,k) + 0.5d0 * (s(x,y,z) + s(x+1,y,z))
        end do
        do x = 0, n / 2
          i = 2 * x
          u(i,j+1,k) = u(i,j+1,k) + 0.5d0 * (s(x,y,z) + s(x,y+1,z))
          u(i+1,j+1,k) = u(i+1,j+1,k) &
            + 0.25d0 * (s(x,y,z) + s(x+1,y,z) + s(x,y+1,z) + s(x+1,y+1,z))
        end do
        do x = 0, n / 2
          i = 2 * x
          u(i,j,k+1) = u(i,j,k+1) + 0.5d0 * (s(x,y,z) + s(x,y,z+1))
          u(i+1,j,k+1) = u(i+1,j,k+1) &
            + 0.25d0 * (s(x,y,z) + s(x+1,y,z) + s(x,y,z+1) + s(x+1,y,z+1))
        end do
        do x = 0, n / 2
          i = 2 * x
          u(i,j+1,k+1) = u(i,j+1,k+1) &
            + 0.25d0 * (s(x,y,z) + s(x,y+1,z) + s(x,y,z+1) + s(x,y+1,z+1))
          u(i+1,j+1,k+1) = u(i+1,j+1,k+1) &
            + 0.125d0 * (s(x,y,z) + s(x+1,y,z) + s(x,y+1,z) + s(x+1,y+1,z) &
                       + s(x,y,z+1) + s(x+1,y,z+1) + s(x,y+1,z+1) + s(x+1,y+1,z+1))
        end do
      end do
    end do
  end subroutine

  real(8) function norm(r, n)
    integer, intent(in) :: n
    real(8), intent(in) :: r(0:n+1, 0:n+1, 0:n+1)
    integer :: i, j, k
    real(8) :: sum
    sum = 0
    do k = 1, n
      do j = 1, n
        do i = 1, n
          sum = sum + r(i,j,k)**2
        end do
      end do
    end do
    norm = sqrt(sum / real(n, 8)**3)
  end function

  ! x * y modulo 2**46, in halves that cannot overflow.
  integer(wide) function times(x, y)
    integer(wide), intent(in) :: x, y
    integer(wide), parameter :: half = 2_wide**23
    times = iand(iand(x / half * iand(y, half - 1) + iand(x, half - 1) * (y / half), &
                      half - 1) * half + iand(x, half - 1) * iand(y, half - 1), &
                 half * half - 1)
  end function

  ! +1 at the ten points with the greatest random numbers, -1 at those with the least.
  subroutine charge(v, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(0:n+1, 0:n+1, 0:n+1)
    integer(wide) :: x, multiplier
    integer(wide) :: great(11), least(11)
    integer :: great_at(3, 11), least_at(3, 11)
    integer :: i, j, k, m
    multiplier = 5_wide**13
    x = 314159265
    great = -1
    least = huge(x)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          x = times(x, multiplier)
          if (x > great(10)) then
            m = 10
            do while (m > 1)
              if (great(m-1) > x) exit
              great(m) = great(m-1)
              great_at(:, m) = great_at(:, m-1)
              m = m - 1
            end do
            great(m) = x
            great_at(:, m) = (/ i, j, k /)
          end if
          if (x < least(10)) then
            m = 10
            do while (m > 1)
              if (least(m-1) < x) exit
              least(m) = least(m-1)
              least_at(:, m) = least_at(:, m-1)
              m = m - 1
            end do
            least(m) = x
            least_at(:, m) = (/ i, j, k /)
          end if
        end do
      end do
    end do
    v = 0
    do m = 1, 10
      v(great_at(1, m), great_at(2, m), great_at(3, m)) = 1
      v(least_at(1, m), least_at(2, m), least_at(3, m)) = -1
    end do
    call wrap(v, n)
  end subroutine
end module

program mg
  use grids
  implicit none
  type(grid), allocatable :: u(:), r(:)
  type(grid) :: v
  real(8) :: a(0:3), c(0:3), initial, seconds, result
  integer :: n, levels, iterations, l, size, it
  integer(wide) :: before, after, rate
  character(len=8) :: class

  call get_command_argument(1, class)
  a = (/ -8d0 / 3, 0d0, 1d0 / 6, 1d0 / 12 /)
  c = (/ -3d0 / 8, 1d0 / 32, -1d0 / 64, 0d0 /)
  if (class == 'B' .or. class == 'C') c = (/ -3d0 / 17, 1d0 / 33, -1d0 / 61, 0d0 /)
  select case (class)
  case ('S'); n = 32;  iterations = 4
  case ('W'); n = 128; iterations = 4
  case ('A'); n = 256; iterations = 4
  case ('B'); n = 256; iterations = 20
  case ('C'); n = 512; iterations = 20
  case default; stop 'mg: the class is S, W, A, B or C'
  end select
  levels = 0                                    ! of n, n/2 ... 2 points, from 0 on
  do while (2**(levels + 1) < n)
    levels = levels + 1
  end do
  allocate (u(0:levels), r(0:levels))

  call system_clock(before, rate)
  do l = 0, levels
    size = n / 2**l + 1
    allocate (u(l)%at(0:size, 0:size, 0:size), r(l)%at(0:size, 0:size, 0:size))
    u(l)%at = 0
    r(l)%at = 0
  end do
  allocate (v%at(0:n+1, 0:n+1, 0:n+1))
  call charge(v%at, n)
  call system_clock(after)
  initial = real(after - before, 8) / rate

  call system_clock(before)
  call resid(r(0)%at, v%at, u(0)%at, n, a)
  do it = 1, iterations
    call cycle()
    call resid(r(0)%at, v%at, u(0)%at, n, a)
  end do
  result = norm(r(0)%at, n)
  call system_clock(after)
  seconds = real(after - before, 8) / rate
  print '(a, a, a, es20.13, a, f0.6, a, f0.6)', 'class ', trim(class), ' norm ', result, &
    ' initialization ', initial, ' seconds ', seconds

contains

  ! One V-cycle: residuals down to two points per edge, corrections up again.
  subroutine cycle()
    do l = 1, levels
      call rprj3(r(l)%at, r(l-1)%at, n / 2**(l-1))
    end do
    u(levels)%at = 0
    call psinv(u(levels)%at, r(levels)%at, n / 2**levels, c)
    do l = levels - 1, 0, -1
      size = n / 2**l
      if (l > 0) u(l)%at = 0
      call interp(u(l)%at, u(l+1)%at, size)
      if (l > 0) then
        call resid(r(l)%at, r(l)%at, u(l)%at, size, a)
      else
        call resid(r(l)%at, v%at, u(l)%at, size, a)
      end if
      call psinv(u(l)%at, r(l)%at, size, c)
    end do
  end subroutine
end program
