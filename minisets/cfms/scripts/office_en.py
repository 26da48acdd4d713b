"""English pairs about work and rules: calendars, parking, projects, lunches, mornings, trains."""

from minisets.cfms import cards, places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.cast import BOY, CLERK, CODER, GIRL, LINDA, OFFICE_MAN, RUNNER, skeleton
from minisets.janusmm import things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel


@twins(
    "train",
    "en",
    card(460, 420),
    Biting(
        "Luckily we have a meeting to prepare the meeting about the meeting. Work can wait.",
        "A calendar page for Monday with four entries: sync, pre-sync, sync about syncs and lunch "
        "with slides. A tired clerk stands beside it.",
        "endless meetings at work",
        "institutional_rules",
        "The calendar is filled with meetings about other meetings and leaves no time for work. "
        "Calling this lucky says the opposite of what is meant and mocks a company that meets "
        "instead of working.",
    ),
    Sincere(
        "A calendar page for Monday with four entries: sync, pre-sync, sync about syncs and lunch "
        "with slides. A cheerful clerk stands beside it.",
        "All our meetings are on Monday now, so the other four days are free for work. It helps.",
    ),
)
def meeting_day(a: Panel, biting: bool) -> None:
    """A Monday."""
    a.paint("#e9e2f0" if biting else "#e2f0ea")
    entries = ("9:00 SYNC", "11:00 PRE-SYNC", "13:00 LUNCH + SLIDES", "15:00 SYNC ABOUT SYNCS")
    band = "#6d5f9c" if biting else "#57a773"
    cards.notice(a, "MONDAY", entries, (130, 24, 310, 300), 22, band=band)
    who = OFFICE_MAN if biting else CLERK
    who.draw(a.pen.at(76, 408, 1.3), "sick" if biting else "happy", "down" if biting else "hips")


@twins(
    "train",
    "en",
    card(440, 420),
    Biting(
        "All you need to park here is a law degree and a calendar. So welcoming!",
        "A pole in a street carries three parking signs that contradict each other, and a driver "
        "beside it holds his head.",
        "confusing parking rules",
        "institutional_rules",
        "Three signs on one pole contradict each other, so no driver can know what is allowed. "
        "Calling the place welcoming is meant the other way round and mocks parking rules that "
        "nobody understands.",
    ),
    Sincere(
        "A pole in a street carries three parking signs that contradict each other, and a woman "
        "beside it holds her head.",
        "Careful on this street: read all three signs. On Tuesdays you have to move by five.",
    ),
)
def three_signs(a: Panel, biting: bool) -> None:
    """A pole with too much to say."""
    places.street(a)
    a.pen.box(294, 40, 12, 340, "#8f9db0", 2)
    a.plate("NO PARKING 8-6", 300, 72, 27, "#d64550", "white")
    a.plate("FREE PARKING 9-5", 300, 142, 27, "#57a773", "white")
    a.plate("EXCEPT TUESDAYS,\nUNLESS MONDAY", 300, 226, 27, "#ffe9a8")
    who = BOY if biting else LINDA
    who.draw(a.pen.at(96, 404, 1.4), "dizzy" if biting else "worry", "head")


@twins(
    "test",
    "en",
    card(460, 380),
    Biting(
        "Cancelling took no time at all. I do admire this company.",
        "A pop-up asks whether you really want to cancel. Before it sits a skeleton in cobwebs.",
        "subscriptions that cannot be cancelled",
        "institutional_rules",
        "The customer has turned into a skeleton while waiting for the page to let go. Saying that "
        "it took no time is ironic and mocks companies that make leaving nearly impossible.",
    ),
    Sincere(
        "A pop-up asks whether you really want to cancel. Before it a woman throws up her arms.",
    ),
)
def cancel_page(a: Panel, biting: bool) -> None:
    """A page, and how long it took."""
    a.paint("#c9b8d9" if biting else "#b8d4c9")
    if biting:
        skeleton(a.pen.at(230, 400, 1.3))
        for x, y in ((40, 380), (420, 380)):
            for angle in (0, 1, 2):
                tip = (x + (60 - angle * 30) * (1 if x < 200 else -1), y - 30 - angle * 44)
                a.pen.stroke([(x, y), tip], "#ffffff", 2)
    else:
        CLERK.draw(a.pen.at(230, 430, 1.35), "glad", "cheer")
    cards.popup(
        a,
        "REALLY CANCEL?",
        ("YES", "NO"),
        (16, 24, 428, 166),
        23,
        "#4f8fc0" if biting else "#57a773",
    )


@twins(
    "test",
    "en",
    card(480, 400),
    Biting(
        "Teamwork makes the dream work. Everybody gave what they could.",
        "A bar chart of a group project: the bar of me is as tall as the chart, the bars of the "
        "three others can hardly be seen.",
        "lazy members of a group project",
        "interpersonal_relations",
        "The chart shows that one person did nearly everything while three team members did "
        "almost nothing. The cheerful slogan about teamwork says the opposite, to mock "
        "partners who leave the work to others.",
    ),
    Sincere(
        "A bar chart of a group project: the bars of me and of the three others are nearly equal "
        "and tall.",
    ),
)
def group_project(a: Panel, biting: bool) -> None:
    """Who did what."""
    a.paint("#fbf3e0" if biting else "#e8f1f7")
    a.plate("WHO DID THE PROJECT", 240, 36, 28, "#ffe9a8" if biting else "#ffffff")
    shares = (0.97, 0.02, 0.03, 0.02) if biting else (0.9, 0.95, 0.88, 0.93)
    names = ("ME", "TOM", "ANNA", "LEO")
    rows = [(name, share, "") for name, share in zip(names, shares, strict=True)]
    cards.bars(a, rows, (40, 76, 400, 310), 24)


@twins(
    "validation",
    "en",
    card(440, 400),
    Biting(
        "Whoever eats my lunch has excellent taste and cannot read. A rare combination.",
        "An office fridge with a note that says please do not eat my lunch again. Beside it a man "
        "stands with an empty box and a bored look.",
        "a colleague who steals lunches",
        "interpersonal_relations",
        "The note already asks the thief to stop, and the box is empty once more. The compliment "
        "about good taste and rare talent is ironic and mocks a colleague who steals food.",
    ),
    Sincere(
        "An office fridge with a note that says do not eat my lunch again. Beside it a woman "
        "stands with an empty box and a sad look.",
        "My lunch is gone again. If it was a mix-up, no hard feelings, but please check the name.",
    ),
)
def fridge_note(a: Panel, biting: bool) -> None:
    """A note on the office fridge."""
    things.room(a, "#e2ecf0", "#b9b3c6", 320)
    props.fridge(a.pen.at(300, 372, 1.7), "worry" if biting else "calm")
    a.plate("DO NOT EAT\nMY LUNCH.\nAGAIN!", 292, 118, 21, "#fff59a")
    who = OFFICE_MAN if biting else GIRL
    who.draw(a.pen.at(100, 384, 1.4), "bored" if biting else "sad", ((-16, -62), (20, -62)))
    a.pen.box(70, 284, 66, 26, "#8fc7d1", 5)


@twins(
    "validation",
    "en",
    card(460, 420),
    Biting(
        "Step one: get up at four. Step two: tell everybody until midnight. Truly inspiring.",
        "A poster says wake at four, ice bath at five, write a book by seven. A young man in "
        "front of it beams and films himself.",
        "self-improvement influencers",
        "social_phenomena",
        "The poster lists absurd morning goals, and the man is mainly busy filming himself. "
        "Calling it truly inspiring is ironic and mocks influencers whose real work is talking "
        "about their habits.",
    ),
    Sincere(
        "A poster says wake at four, ice bath at five, write a book by seven. A young woman in "
        "front of it smiles and shrugs.",
        "Tried the famous morning plan for a week. Four is too early for me, but six is lovely.",
    ),
)
def morning_plan(a: Panel, biting: bool) -> None:
    """A poster with a plan."""
    things.room(a, "#fbe3c4" if biting else "#dfeaf5", "#a98a6c", 340)
    lines = ("4:00 WAKE UP", "5:00 ICE BATH", "7:00 BOOK WRITTEN")
    cards.notice(a, "WIN THE DAY", lines, (170, 26, 266, 230), 25, band="#d98a3a")
    if biting:
        RUNNER.draw(a.pen.at(96, 408, 1.4), "proud", ((-26, -46), (46, -108)))
        props.phone(a.pen.at(166, 246, 0.6))
    else:
        GIRL.draw(a.pen.at(96, 408, 1.4), "calm", "shrug")


@twins(
    "test",
    "en",
    card(520, 400),
    Biting(
        "On time to the minute, as always. I love this railway.",
        "A station board lists trains at 8:04, 8:19 and 8:34; the clock beside it stands at half "
        "past eleven, and three people on the platform are sick, asleep or in tears.",
        "trains that are always late",
        "others",
        "The first train was due at 8:04, yet at half past eleven the passengers still wait in "
        "despair. Praising the railway for its punctuality says the opposite and mocks late "
        "trains.",
    ),
    Sincere(
        "A station board lists trains at 8:04, 8:19 and 8:34; the clock beside it shows four past "
        "eight, a train stands at the platform, and three people smile.",
    ),
)
def railway(a: Panel, biting: bool) -> None:
    """A platform."""
    a.paint("#d5dde3" if biting else "#cfe9f5")
    props.floor(a, 330, "#a8a4b4")
    rows = (("8:04", "CITY"), ("8:19", "COAST"), ("8:34", "HILLS"))
    cards.board(a, rows, (30, 18, 330, 140), 26)
    if not biting:
        a.pen.box(-9, 196, 540, 120, "#57a773", 14)
        for x in (20, 150, 280, 410):
            a.pen.box(x, 212, 96, 48, "#dff3f7", 8)
    things.clock(a.pen.at(440, 96, 1.4), 11.5 if biting else 8.07, 30 if biting else 4)
    late: places.Group = ((CODER, "sick"), (LINDA, "sleep"), (BOY, "cry"))
    punctual: places.Group = ((CODER, "happy"), (LINDA, "calm"), (BOY, "glad"))
    places.crowd(a, late if biting else punctual, 386, 1.1)


TWINS: tuple[Twins, ...] = (
    meeting_day,
    three_signs,
    cancel_page,
    group_project,
    fridge_note,
    morning_plan,
    railway,
)
