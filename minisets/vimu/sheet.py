"""Makes docs/films.jpg, frames of twelve films: `python -m minisets.vimu.sheet`."""

from pathlib import Path

from PIL import Image

from minisets.vimu.scripts import FILMS

SHEET = Path(__file__).resolve().parents[2] / "docs/films.jpg"
CELL, GAP, ACROSS = (400, 225), 10, 4
SHOWN = {
    "vimu_900001": 0.9, "vimu_900002": 0.85, "vimu_900004": 0.8, "vimu_900010": 0.9,
    "vimu_900011": 0.8, "vimu_900014": 0.9, "vimu_900017": 0.78, "vimu_900101": 0.9,
    "vimu_900103": 0.8, "vimu_900105": 0.9, "vimu_900111": 0.9, "vimu_900109": 0.8,
}  # fmt: skip
"""By film, which share of it has passed in the frame that is shown."""


def main() -> None:
    """Draws the sheet into docs/."""
    films = {film.video_id: film for film in FILMS}
    wide, tall = CELL[0] + GAP, CELL[1] + GAP
    rows = -(-len(SHOWN) // ACROSS)
    sheet = Image.new("RGB", (ACROSS * wide + GAP, rows * tall + GAP), "white")
    for i, (video_id, share) in enumerate(SHOWN.items()):
        film = films[video_id]
        frame = film.frame(film.seconds * share).resize(CELL, Image.Resampling.LANCZOS)
        sheet.paste(frame, (GAP + i % ACROSS * wide, GAP + i // ACROSS * tall))
    sheet.save(SHEET, quality=88)


if __name__ == "__main__":
    main()
