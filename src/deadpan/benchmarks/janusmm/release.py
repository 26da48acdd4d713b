"""No release of JanusMM's data is known."""

from deadpan.core.release import Release

RELEASE = Release(
    licence="not stated",
    tried="released data: none is known; everything: mini-set only",
    instead="its paper promises one upon acceptance. `deadpan run janusmm` uses the embedded "
    "mini-set; data of your own goes with --data DIR, a folder with memes.jsonl (a line a meme: "
    "meme_id, image, language, source, self_deprecating, text, dialogue, emotion, thinking, "
    "sender_reasoning, receiver_reasoning, receiver_reply) and its images, a format of Deadpan's "
    "own. The benchmark's README explains each field, and `deadpan data verify janusmm --data DIR` "
    "checks them",
)
