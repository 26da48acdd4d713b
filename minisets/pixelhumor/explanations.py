"""Explanations of some of the jokes, in the language of the comic."""

EXPLANATIONS: dict[str, str] = {
    "deadpan_1": (
        "Linda claims that she watered the plant on Monday, but the plant is brown and limp, so "
        "it cannot have been last Monday. The plant answers like a lawyer who questions a "
        "witness, and by asking for the month it says, without saying it, that she has "
        "forgotten it for ages. The humour lies in the talking plant and in its dry sarcasm."
    ),
    "deadpan_3": (
        "A child disguised as a ghost meets what looks like a bigger ghost, and shows that "
        "there is only a boy under the sheet. We expect that the other one is a real ghost, but "
        "it is three cats on each other's shoulders. Nothing is said: the surprise is all in "
        "the picture."
    ),
    "deadpan_8": (
        "Therapists like to ask about parents, and the robot answers with things of a computer: "
        "its mother is a motherboard, its father a screen saver. The second pun reads saver as "
        "somebody who does not spend money, so the program becomes a stingy father."
    ),
    "deadpan_10": (
        "People often complain that a meeting could have been an email. Here the meeting lasts "
        "forty years, the colleagues have become skeletons, and only then does the boss notice. "
        "The exaggeration makes a familiar complaint literal, with a dark touch."
    ),
    "deadpan_11": (
        "The vampire gives his title, Count, as in Count Dracula. The clerk hears the verb and "
        "starts to count, while the vampire looks at her in doubt. By sunrise, which is deadly "
        "for vampires, he has left. The joke is a pun on count."
    ),
    "deadpan_16": (
        "The little snowman does not know that snowmen melt in spring, and its father finds a "
        "gentle lie: a family swim. In the last panel they are puddles, so the lie turned out "
        "to be true. It is dark humour because the cheerful words hide their end."
    ),
    "deadpanzh_7": (
        "中医说的“上火”是指身体有热症，并不是真的着火。第一格里病人的头真的烧了起来，医生却"
        "淡定地说“你这是上火了”。笑点在于把“上火”按字面意思画了出来。"
    ),
    "deadpanzh_8": (
        "“请甲”和“请假”同音，经理以为乌龟想休息几天。其实乌龟的壳穿不下了，它要的是龟甲的"
        "“甲”，而且要大号的。这是一个谐音笑话，没有壳的乌龟也很滑稽。"
    ),
    "deadpanzh_11": (
        "死神来带走程序员，程序员却要先改完一个错。三年过去了，死神不但没有带走他，反而帮他找"
        "到了少写的分号。可怕的死神变成了同事，这是轻松的黑色幽默。"
    ),
}
