"""Makes files of NetCDF as others do: compressed, with missing records, in the
classic format; argument: the folder."""
import sys

import netCDF4
import numpy as np

folder = sys.argv[1] + "/"
values = np.arange(1, 13, dtype="f8").reshape(3, 4)
for name, format in (("a.nc", "NETCDF4"), ("old.nc", "NETCDF3_CLASSIC")):
    with netCDF4.Dataset(folder + name, "w", format=format) as f:
        f.createDimension("lat", 3)
        f.createDimension("lon", 4)
        f.createDimension("time", None)
        zlib = {"zlib": True} if format == "NETCDF4" else {}
        f.createVariable("T", "f8", ("lat", "lon"), **zlib)[:] = values
        f.createVariable("lat", "f4", ("lat",))[:] = [1, 2, 3]
        f.createVariable("Q", "f8", ("time", "lat", "lon"))[:] = np.stack([values, 2 * values])
        f["T"].units = "K"
