"""No lasting release of CFMS's data is known."""

from deadpan.core.release import Release

RELEASE = Release(
    licence="not stated",
    tried="released data: none is known; everything: mini-set only",
    instead="its paper names an anonymous copy for reviewers "
    "(https://anonymous.4open.science/r/CFMS-E8F9), which was not looked into. `deadpan run cfms` "
    "uses the embedded mini-set; data of your own goes with --data DIR, a folder with pairs.jsonl "
    "(a line a post: id, image, text, ocr_text, language, split, sarcastic, target, target_type, "
    "explanation, metaphor) and its images, a format of Deadpan's own. The benchmark's README "
    "explains each field, and `deadpan data verify cfms --data DIR` checks them",
)
