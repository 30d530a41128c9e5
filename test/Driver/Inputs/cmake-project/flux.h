int flux(int x, int y);
