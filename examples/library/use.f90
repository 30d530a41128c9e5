! Calls the library of kernel.z.
!
!   zplc --library kernel.z -o libkernel.so
!   gfortran kernel.f90 use.f90 -L. -lkernel -Wl,-rpath,. -o use && ./use
!
! A[i, j] of ZPL is A(j, i) here.
program use
  use kernel
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), pointer :: A(:, :)
  real(c_double) :: x(6, 3), least, change
  integer(c_long_long) :: calls
  call kernel_init(['-sn=3'])
  call kernel_view_A(A)
  print '(a,2i4,2f7.3)', 'rim', shape(A), A(1, 1), A(2, 3)
  change = kernel_step(5)
  print '(a,f9.6,l2)', 'change', change, A(2, 3) > 0
  x = 1
  x(6, 3) = 5
  calls = 4
  call kernel_smooth(x, 2.0d0, calls, least)
  print '(a,i4,3f7.3)', 'smooth', calls, least, x(1, 3), x(6, 3)
  print '(a)', kernel_greet('Fortran')
  call kernel_smooth(x(:, 1:2), 2.0d0, calls, least)
  print '(i0,2a)', kernel_status(), ' ', kernel_error()
  print '(i0)', kernel_check(9)
  print '(i0,2a)', kernel_status(), ' ', kernel_error()
  call kernel_finish()
end program
