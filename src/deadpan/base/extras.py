"""The extras of the package, and by which modules each is known to be there."""

from __future__ import annotations

EXTRAS = {
    "ocr": ("rapidocr", "onnxruntime"),
    "text": ("jieba", "sacrebleu", "textblob"),
    "video": ("av", "faster_whisper"),
    "data": ("huggingface_hub",),
    "neural": ("torch", "transformers", "sentence_transformers"),
    "learn": ("torch", "transformers", "peft", "accelerate"),
    "diffusion": ("torch", "diffusers"),
    "pandas": ("pandas",),
    "ray": ("ray", "pyarrow"),
    "notebook": ("ipywidgets",),
    "calibrate": ("ppi_py",),
    "curate": ("daft", "mlcroissant", "cv2", "av", "rapidocr", "jieba", "sqlalchemy"),
    "studies": ("fastapi", "uvicorn", "sqlalchemy", "alembic", "argon2", "psycopg"),
    "web": ("fastapi", "uvicorn"),
    "vllm": ("vllm",),
    "wandb": ("wandb",),
}
