"""A curation's file to begin with."""

from __future__ import annotations

from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_there, write_text
from deadpan.core.benchmark import Benchmark
from deadpan.curate.configuration import building_of
from deadpan.studies.making.catalogue import find_template

_FILE = """\
# deadpan curate run {file}
# From raw posts to a benchmark of the kind of {title}. What is left out is as shown behind #.

name: {name}                        # of the data set
title: {name}
benchmark: {benchmark}                     # whose format, drafting protocol and study
# out: {name}                       # the work folder: everything that was done, and the release
# languages: [en, zh]               # posts in others are dropped
# seed: 0

collect:
- name: posts                        # stands before the ids of its posts
  path: posts.jsonl                  # JSONL, CSV, Parquet; a folder of {media}s; a folder of chats
  # fields: {{id: id, text: text, pictures: image, videos: video,
  #          comments: comments, url: url, language: language}}
  # language: en                     # of posts that do not say; else told by their script
  licence: not stated
  # fetch: true                      # addresses are fetched, politely
  # contact: me@example.org
  # kind: chats                      # with consent: consent.csv (participant,signed)

# keywords:
#   lists: [{slang}]                 # `deadpan curate keywords` prints them
#   words: []
#   without: []
#   tags: strip                      # hashtags that tell the answer go out of captions; or keep

# open: {{most_megapixels: 40, most_megabytes: 64, most_seconds: 600, anonymise: true,
#        faces: flag, screenshots: flag, personal: flag}}          # drop, flag or keep
# read: {{ocr: true, confidence: 0.5, several: join}}               # or first, split
# purify: {{shortest_side: 200, flattest: 6, mark_area: 0.02, repeated: 10,
#          marks: drop, contacts: drop, adverts: drop, slurs: flag}}
# deduplicate: {{bits: 4, captions: compare, caption_agreement: 0.8}}

# draft:                              # a model goes first
#   model: openai/gpt-4o
#   validator: anthropic/claude-sonnet-4-0
#   rounds: 3
#   on_failure: wait                 # or skip: go on without posts that it could not be asked about
#   max_tokens: 2048                 # and more: `deadpan curate schema` lists every option

people:                              # leave it out, and drafts are what is released
  # template: {benchmark}/{template}
  set: {{{people}}}                   # its options: {options}

# split: {{shares: {{{shares}}}, by: [{strata}]}}

release:
  version: 1.0.0
  licence: CC-BY-4.0                 # of the annotations
  media: files                       # or addresses
  creators: [{{name: Your name}}]
  description: What is in it, in two or three sentences.
"""


_FEW = {"people": 2, "teams": 1, "passes": 1}
"""For two people to begin with."""


def start_curation(path: Path, benchmark: Benchmark) -> None:  # type: ignore[type-arg]
    """Writes a file to begin with; one that is there already raises."""
    if is_there(path):
        raise InputError(path, "is there already", "Name another file, or edit this one.")
    building = building_of(benchmark)
    _, template = find_template(f"{benchmark.name}/{building.template}")
    options = {one.name: one.default for one in template.options}
    name = "".join(one if one.isalnum() else "-" for one in path.stem.casefold()).strip("-")
    text = _FILE.format(
        file=path.name,
        title=benchmark.title.partition(":")[0],
        name=name if name.isascii() and name else "my-posts",
        benchmark=benchmark.name,
        media=building.media,
        slang=", ".join(building.slang),
        template=building.template,
        people=", ".join(f"{name}: {few}" for name, few in _FEW.items() if name in options),
        options=", ".join(f"{name} ({value})" for name, value in options.items()),
        shares=", ".join(f"{split}: {share:g}" for split, share in building.splits.items()),
        strata=", ".join(building.strata),
    )
    write_text(path, text)
