"""Images, comics, video, audio, OCR: files in, content out."""
