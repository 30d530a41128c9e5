! The peer of examples/nas/ft.z: NAS benchmark FT in the style of the NPB's sequential
! program. Lines of the grid are transformed in blocks of sixteen by Stockham's
! algorithm of radix 2, in arrays that fit into the cache.
!     ft S|W|A
program ft
  implicit none
  integer, parameter :: dp = kind(1.0d0), long = selected_int_kind(18)
  integer, parameter :: block = 16, pad = 18, iterations = 6, checked = 1024
  integer(long), parameter :: multiplier = 1220703125_long, first = 314159265_long, &
                              mask = 2_long**46 - 1
  real(dp), parameter :: pi = 3.141592653589793238_dp, alpha = 1e-6_dp
  complex(dp), allocatable :: u0(:, :, :), u1(:, :, :), roots(:)
  real(dp), allocatable :: decay(:, :, :)
  integer :: nx, ny, nz, iteration
  integer(long) :: began, ended, rate
  complex(dp) :: sums(iterations)
  character(len=8) :: class

  call get_command_argument(1, class)
  select case (class)
  case ('A')
    nx = 256; ny = 256; nz = 128
  case ('W')
    nx = 128; ny = 128; nz = 32
  case default
    nx = 64; ny = 64; nz = 64
  end select
  allocate (u0(nx, ny, nz), u1(nx, ny, nz), decay(nx, ny, nz))
  u0 = 0; u1 = 0; decay = 0             ! the first touch of the memory is not timed

  call system_clock(began, rate)
  call make_decay()
  call make_values()
  call make_roots(max(nx, ny, nz))
  call transform(1, u1, u0)
  do iteration = 1, iterations
    call evolve()
    call transform(-1, u1, u1)
    sums(iteration) = checksum()
  end do
  call system_clock(ended)
  do iteration = 1, iterations
    write (*, '(a, i2, 2es21.12)') 'checksum', iteration, sums(iteration)
  end do
  write (*, '(a, f0.6, a, es20.12)') 'ft seconds ', real(ended - began, dp) / rate, &
    ' result ', real(sums(iterations))

contains

  ! How much a wave fades in one step.
  subroutine make_decay()
    integer :: i, j, k, ii, jj, kk
    do k = 1, nz
      kk = mod(k - 1 + nz / 2, nz) - nz / 2
      do j = 1, ny
        jj = mod(j - 1 + ny / 2, ny) - ny / 2
        do i = 1, nx
          ii = mod(i - 1 + nx / 2, nx) - nx / 2
          decay(i, j, k) = exp(-4 * alpha * pi**2 * (ii * ii + jj * jj + kk * kk))
        end do
      end do
    end do
  end subroutine

  subroutine make_values()
    integer :: i, j, k
    integer(long) :: x
    real(dp) :: re, im
    x = first
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          x = iand(x * multiplier, mask)
          re = x * 2.0_dp**(-46)
          x = iand(x * multiplier, mask)
          im = x * 2.0_dp**(-46)
          u1(i, j, k) = cmplx(re, im, dp)
        end do
      end do
    end do
  end subroutine

  ! The roots of one that the steps need, one step after the other.
  subroutine make_roots(n)
    integer, intent(in) :: n
    integer :: half, i
    allocate (roots(n))
    half = 1
    do while (half < n)
      do i = 0, half - 1
        roots(half + i) = cmplx(cos(pi * i / half), sin(pi * i / half), dp)
      end do
      half = 2 * half
    end do
  end subroutine

  subroutine evolve()
    integer :: i, j, k
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          u0(i, j, k) = u0(i, j, k) * decay(i, j, k)
          u1(i, j, k) = u0(i, j, k)
        end do
      end do
    end do
  end subroutine

  ! All three dimensions: from `from` to `to`, which may be the same.
  subroutine transform(direction, from, to)
    integer, intent(in) :: direction
    complex(dp) :: from(nx, ny, nz), to(nx, ny, nz)
    if (direction == 1) then
      call along_x(direction, from, from)
      call along_y(direction, from, from)
      call along_z(direction, from, to)
    else
      call along_z(direction, from, from)
      call along_y(direction, from, from)
      call along_x(direction, from, to)
    end if
  end subroutine

  subroutine along_x(direction, from, to)
    integer, intent(in) :: direction
    complex(dp) :: from(nx, ny, nz), to(nx, ny, nz), a(pad, nx), b(pad, nx)
    integer :: i, j, k, jj
    do k = 1, nz
      do jj = 0, ny - block, block
        do j = 1, block
          do i = 1, nx
            a(j, i) = from(i, j + jj, k)
          end do
        end do
        call lines(direction, nx, a, b)
        do j = 1, block
          do i = 1, nx
            to(i, j + jj, k) = a(j, i)
          end do
        end do
      end do
    end do
  end subroutine

  subroutine along_y(direction, from, to)
    integer, intent(in) :: direction
    complex(dp) :: from(nx, ny, nz), to(nx, ny, nz), a(pad, ny), b(pad, ny)
    integer :: j, k, ii
    do k = 1, nz
      do ii = 0, nx - block, block
        do j = 1, ny
          a(1:block, j) = from(ii + 1:ii + block, j, k)
        end do
        call lines(direction, ny, a, b)
        do j = 1, ny
          to(ii + 1:ii + block, j, k) = a(1:block, j)
        end do
      end do
    end do
  end subroutine

  subroutine along_z(direction, from, to)
    integer, intent(in) :: direction
    complex(dp) :: from(nx, ny, nz), to(nx, ny, nz), a(pad, nz), b(pad, nz)
    integer :: j, k, ii
    do j = 1, ny
      do ii = 0, nx - block, block
        do k = 1, nz
          a(1:block, k) = from(ii + 1:ii + block, j, k)
        end do
        call lines(direction, nz, a, b)
        do k = 1, nz
          to(ii + 1:ii + block, j, k) = a(1:block, k)
        end do
      end do
    end do
  end subroutine

  ! Sixteen lines of n values, a, by way of b.
  subroutine lines(direction, n, a, b)
    integer, intent(in) :: direction, n
    complex(dp) :: a(pad, n), b(pad, n)
    integer :: half
    half = 1
    do while (half < n)
      call step(direction, n, half, a, b)
      half = 2 * half
      if (half == n) then
        a(1:block, :) = b(1:block, :)
        exit
      end if
      call step(direction, n, half, b, a)
      half = 2 * half
    end do
  end subroutine

  ! One step of Stockham's: spectra of length `half` become those of twice that.
  subroutine step(direction, n, half, x, y)
    integer, intent(in) :: direction, n, half
    complex(dp), intent(in) :: x(pad, n)
    complex(dp), intent(inout) :: y(pad, n)
    complex(dp) :: w, low, high
    integer :: groups, i, k, j
    groups = n / (2 * half)
    do k = 0, half - 1
      w = roots(half + k)
      if (direction < 0) w = conjg(w)
      do i = 1, groups
        do j = 1, block
          low = x(j, k * 2 * groups + i)
          high = w * x(j, k * 2 * groups + groups + i)
          y(j, k * groups + i) = low + high
          y(j, (k + half) * groups + i) = low - high
        end do
      end do
    end do
  end subroutine

  complex(dp) function checksum()
    integer :: j
    checksum = 0
    do j = 1, checked
      checksum = checksum + u1(mod(j, nx) + 1, mod(3 * j, ny) + 1, mod(5 * j, nz) + 1)
    end do
    checksum = checksum / (real(nx, dp) * ny * nz)
  end function
end program
