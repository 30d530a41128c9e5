! The 27-point kernels of the multigrid benchmark as they are written by hand for speed,
! the peer of kernels.z. What several points of a line have in common, sums over the
! neighbours in the planes across, is computed once per line into small arrays: of the
! 26 neighbours' additions, 6 or so are left per point. A layer of ghost points, which
! `wrap` fills behind the kernel that writes them, stands for the other end.
module kernels
  implicit none
  integer, parameter :: widest = 1024
contains

  subroutine wrap(u, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1, 0:n+1, 0:n+1)
    integer :: j, k
    do k = 1, n
      do j = 1, n
        u(0, j, k) = u(n, j, k)
        u(n+1, j, k) = u(1, j, k)
      end do
      u(:, 0, k) = u(:, n, k)
      u(:, n+1, k) = u(:, 1, k)
    end do
    u(:, :, 0) = u(:, :, n)
    u(:, :, n+1) = u(:, :, 1)
  end subroutine

  ! r = v - A u
  subroutine resid(r, v, u, n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: r(0:n+1, 0:n+1, 0:n+1)
    real(8), intent(in) :: v(0:n+1, 0:n+1, 0:n+1), u(0:n+1, 0:n+1, 0:n+1), a(0:3)
    real(8) :: u1(0:widest), u2(0:widest)
    integer :: i, j, k
    do k = 1, n
      do j = 1, n
        do i = 0, n + 1
          u1(i) = u(i,j-1,k) + u(i,j+1,k) + u(i,j,k-1) + u(i,j,k+1)
          u2(i) = u(i,j-1,k-1) + u(i,j+1,k-1) + u(i,j-1,k+1) + u(i,j+1,k+1)
        end do
        do i = 1, n
          r(i,j,k) = v(i,j,k) - a(0) * u(i,j,k) &
            - a(2) * (u2(i) + u1(i-1) + u1(i+1)) &
            - a(3) * (u2(i-1) + u2(i+1))
        end do
      end do
    end do
    call wrap(r, n)
  end subroutine

  ! u = u + S r
  subroutine psinv(u, r, n, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1, 0:n+1, 0:n+1)
    real(8), intent(in) :: r(0:n+1, 0:n+1, 0:n+1), c(0:2)
    real(8) :: r1(0:widest), r2(0:widest)
    integer :: i, j, k
    do k = 1, n
      do j = 1, n
        do i = 0, n + 1
          r1(i) = r(i,j-1,k) + r(i,j+1,k) + r(i,j,k-1) + r(i,j,k+1)
          r2(i) = r(i,j-1,k-1) + r(i,j+1,k-1) + r(i,j-1,k+1) + r(i,j+1,k+1)
        end do
        do i = 1, n
          u(i,j,k) = u(i,j,k) + c(0) * r(i,j,k) &
            + c(1) * (r(i-1,j,k) + r(i+1,j,k) + r1(i)) &
            + c(2) * (r2(i) + r1(i-1) + r1(i+1))
        end do
      end do
    end do
    call wrap(u, n)
  end subroutine

  ! The coarse grid s from the fine one r: coarse point x lies on fine point 2 x. The
  ! points between two coarse ones serve both.
  subroutine rprj3(s, r, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: s(0:n/2+1, 0:n/2+1, 0:n/2+1)
    real(8), intent(in) :: r(0:n+1, 0:n+1, 0:n+1)
    real(8) :: x1(0:widest), y1(0:widest), x2, y2
    integer :: i, j, k, x, y, z
    do z = 1, n / 2
      k = 2 * z
      do y = 1, n / 2
        j = 2 * y
        do x = 0, n / 2
          i = 2 * x + 1
          x1(x) = r(i,j-1,k) + r(i,j+1,k) + r(i,j,k-1) + r(i,j,k+1)
          y1(x) = r(i,j-1,k-1) + r(i,j-1,k+1) + r(i,j+1,k-1) + r(i,j+1,k+1)
        end do
        do x = 1, n / 2
          i = 2 * x
          y2 = r(i,j-1,k-1) + r(i,j-1,k+1) + r(i,j+1,k-1) + r(i,j+1,k+1)
          x2 = r(i,j-1,k) + r(i,j+1,k) + r(i,j,k-1) + r(i,j,k+1)
          s(x,y,z) = 0.5d0 * r(i,j,k) &
            + 0.25d0 * (r(i-1,j,k) + r(i+1,j,k) + x2) &
            + 0.125d0 * (x1(x-1) + x1(x) + y2) &
            + 0.0625d0 * (y1(x-1) + y1(x))
        end do
      end do
    end do
    call wrap(s, n / 2)
  end subroutine

  ! The fine grid u plus the coarse one s, interpolated. Fills the ghosts, too.
  subroutine interp(u, s, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1, 0:n+1, 0:n+1)
    real(8), intent(in) :: s(0:n/2+1, 0:n/2+1, 0:n/2+1)
    real(8) :: s1(0:widest), s2(0:widest), s3(0:widest)
    integer :: i, j, k, x, y, z
    do z = 0, n / 2
      k = 2 * z
      do y = 0, n / 2
        j = 2 * y
        do x = 0, n / 2 + 1
          s1(x) = s(x,y+1,z) + s(x,y,z)
          s2(x) = s(x,y,z+1) + s(x,y,z)
          s3(x) = s(x,y+1,z+1) + s(x,y,z+1) + s1(x)
        end do
        do x = 0, n / 2
          i = 2 * x
          u(i,j,k) = u(i,j,k) + s(x,y,z)
          u(i+1,j,k) = u(i+1,j,k) + 0.5d0 * (s(x+1,y,z) + s(x,y,z))
        end do
        do x = 0, n / 2
          i = 2 * x
          u(i,j+1,k) = u(i,j+1,k) + 0.5d0 * s1(x)
          u(i+1,j+1,k) = u(i+1,j+1,k) + 0.25d0 * (s1(x) + s1(x+1))
        end do
        do x = 0, n / 2
          i = 2 * x
          u(i,j,k+1) = u(i,j,k+1) + 0.5d0 * s2(x)
          u(i+1,j,k+1) = u(i+1,j,k+1) + 0.25d0 * (s2(x) + s2(x+1))
        end do
        do x = 0, n / 2
          i = 2 * x
          u(i,j+1,k+1) = u(i,j+1,k+1) + 0.25d0 * s3(x)
          u(i+1,j+1,k+1) = u(i+1,j+1,k+1) + 0.125d0 * (s3(x) + s3(x+1))
        end do
      end do
    end do
  end subroutine

  real(8) function squares(r, n)
    integer, intent(in) :: n
    real(8), intent(in) :: r(0:n+1, 0:n+1, 0:n+1)
    integer :: j, k
    squares = 0
    do k = 1, n
      do j = 1, n
        squares = squares + sum(r(1:n, j, k)**2)
      end do
    end do
  end function

  subroutine lap(seconds)
    real(8), intent(inout) :: seconds
    integer(8), save :: before = 0
    integer(8) :: now, rate
    call system_clock(now, rate)
    seconds = seconds + real(now - before, 8) / rate
    before = now
  end subroutine
end module

program main
  use kernels
  implicit none
  integer, parameter :: iterations = ITERATIONS, n = SIDE
  real(8), allocatable :: v(:,:,:), u(:,:,:), r(:,:,:), s(:,:,:)
  real(8) :: a(0:3), c(0:2), times(0:4)
  integer :: i, j, k, it
  a = (/ -8d0 / 3, 0d0, 1d0 / 6, 1d0 / 12 /)
  c = (/ -3d0 / 8, 1d0 / 32, -1d0 / 64 /)
  allocate (v(0:n+1, 0:n+1, 0:n+1), u(0:n+1, 0:n+1, 0:n+1), r(0:n+1, 0:n+1, 0:n+1))
  allocate (s(0:n/2+1, 0:n/2+1, 0:n/2+1))
  do k = 1, n
    do j = 1, n
      do i = 1, n
        v(i,j,k) = mod(k * 7 + j * 13 + i * 29, 101) / 101d0 - 0.5d0
        u(i,j,k) = mod(k * 3 + j * 5 + i * 11, 37) / 37d0 - 0.5d0
      end do
    end do
  end do
  call wrap(u, n)
  r = 0
  s = 0
  times = 0
  do it = 1, iterations
    call lap(times(0))
    call resid(r, v, u, n, a)
    call lap(times(1))
    call psinv(u, r, n, c)
    call lap(times(2))
    call rprj3(s, r, n)
    call lap(times(3))
    call interp(u, s, n)
    call lap(times(4))
  end do
  print '(a, f0.6, a, es18.11)', 'resid seconds 0', times(1), ' result ', squares(r, n)
  print '(a, f0.6, a, es18.11)', 'psinv seconds 0', times(2), ' result ', squares(u, n)
  print '(a, f0.6, a, es18.11)', 'rprj3 seconds 0', times(3), ' result ', squares(s, n/2)
  print '(a, f0.6, a, es18.11)', 'interp seconds 0', times(4), ' result ', squares(u, n)
end program
