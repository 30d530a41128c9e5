"""Prints what Pillow and NumPy find in the files of film.z."""
import numpy as np
from PIL import Image

film = Image.open("f.apng")
print(film.n_frames, film.size, film.info["duration"])
pixels = []
for k in range(3):
    film.seek(k)
    pixels.append(film.convert("L").getpixel((0, 0)))
print(pixels)
print(Image.open("g.apng").n_frames)
array = np.load("a.npy")
print(array.shape, array.flags.f_contiguous, float(array[1, 2]))
table = np.genfromtxt("a.csv", delimiter=",", names=True)
print(table.dtype.names, table["b"].tolist())
