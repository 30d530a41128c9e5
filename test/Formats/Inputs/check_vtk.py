"""Prints what VTK's reader finds in files of image data, and makes some by its
writer; argument: the folder."""
import sys

import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy
import numpy as np

folder = sys.argv[1] + "/"
for name in ("mine.vti", "run_000001.vti"):
    reader = vtk.vtkXMLImageDataReader()
    reader.SetFileName(folder + name)
    reader.Update()
    image = reader.GetOutput()
    array = image.GetPointData().GetArray("T")
    print(name, image.GetDimensions(), image.GetOrigin(), image.GetSpacing(),
          image.GetPointData().GetNumberOfArrays(), vtk_to_numpy(array)[:5].tolist())
image = vtk.vtkImageData()
image.SetDimensions(4, 3, 1)
array = numpy_to_vtk(np.arange(1, 13, dtype="f8"), deep=True)
array.SetName("T")
image.GetPointData().AddArray(array)
for mode in ("Ascii", "Binary", "Appended", "Raw", "Zip"):
    writer = vtk.vtkXMLImageDataWriter()
    writer.SetInputData(image)
    writer.SetFileName(folder + mode + ".vti")
    writer.SetCompressorTypeToNone() if mode != "Zip" else None
    if mode in ("Ascii", "Binary"):
        getattr(writer, "SetDataModeTo" + mode)()
    if mode == "Raw":
        writer.EncodeAppendedDataOff()
    writer.Write()
