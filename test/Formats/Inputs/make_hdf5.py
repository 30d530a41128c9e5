"""Makes files of HDF5 as others do: in chunks, compressed, in the other byte
order, of small types, with a user block; argument: the folder."""
import sys

import h5py
import numpy as np

folder = sys.argv[1] + "/"
values = np.arange(1, 13, dtype="f8").reshape(3, 4)
with h5py.File(folder + "a.h5", "w") as f:
    f["plain"] = values
    f.create_dataset("g/zip", data=values, chunks=(2, 3), compression="gzip", shuffle=True)
    f.create_dataset("chunks", data=values, chunks=(2, 2))
    f["big"] = values.astype(">f8")
    f["half"] = values.astype("f2")
    f["int"] = values.astype(">i2")
    f["bits"] = values > 6
    f["text"] = np.array(["a", "b"], dtype=object)
    f["deep"] = np.stack([values, values * 2])
    f.create_dataset("rows", data=np.stack([values, values * 2]), maxshape=(None, 3, 4),
                     chunks=(1, 3, 4))
    f["flat"] = values.ravel()
    f["huge"] = values * 1e300
    f["soft"] = h5py.SoftLink("/g/zip")
    f["plain"].attrs["range"] = np.array([1.5, 12.5])
    f["plain"].attrs["fixed"] = np.bytes_("metre")
with h5py.File(folder + "block.h5", "w", userblock_size=1024) as f:
    f["data"] = values
