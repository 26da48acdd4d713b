"""Original comics drawn by our own code, in the released PixelHumor format."""
