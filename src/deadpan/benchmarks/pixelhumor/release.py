"""Where PixelHumor's data is released."""

from deadpan.core.release import Release, RepositoryData

_FILES = {
    "annotation.csv": "d2b6576c251a64d4212402451d31105737b18d3d0044e1dec74fd35a2ecaac0d",
    "comic_url.csv": "073fc04cbd08af8528c5142456d37c44b68d99dc34206b41489487275944d4d0",
    "full_label.csv": "cd10974f3c9794feac8b9dab3e41f756241def56f6f6c862d7ff4953a8b16a20",
    "harm_annotation.csv": "ef2e2e958487456215472910fd666bd78a94f447c0ca17c85f3104af205adecb",
    "human_explanation.csv": "f0b58b386f7fadcfd3681ac4d542a2ad40feb571c6a0562067b2986e588e04dd",
    "metadata.csv": "9ef5c0aef0907f23ab8287a3f4c6a26f702cf3ad9554bf203ce4e59382d39dd6",
    "objective_label.csv": "976aa0a5abf8f406bb39315b6c9be40ccd570eb87bbb6d5b55fff457d0d5bc08",
    "subjective_label.csv": "f821267f37af8203f4a971634a1e8de25ac0f28c63f9eab8ec1083c81ad72b95",
}
RELEASE = Release(
    licence="not stated",
    source=RepositoryData(
        "Social-AI-Studio/PixelHumor",
        "PixelHumor",
        _FILES,
        "cbf9f3da531a7993710c48ef302a3e9f2d197435",
    ),
    where="GitHub repository Social-AI-Studio/PixelHumor; comics from the seven sites it names",
    note="the comics belong to their owners, and are fetched from their sites for research only",
    tried="released annotations: read, verified, gold made anew from the votes, a file of answers "
    "scored; the comics themselves, and asking about them: mini-set only",
)
