"""Just enough English to ask about a sentence: what begins a request, what is a plain subject, and
what points to another sentence."""

from __future__ import annotations

import re

from chunking.document import Document


def words_of(text: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(text.split())


VERBS = words_of("""
add adjust aim allow apply ask assign attach avoid bake boil bring build buy call change check choose clean clear
click close collect combine commit compare compile compute configure connect contact convert cook copy count cover
create cut deal debug declare decrease define delete deploy describe detect determine disable display divide download
draw drop dry edit embed enable encode ensure enter exclude execute exit expand export expose extend extract fetch
file fill filter find fix fold follow force format generate get give grant group grow guard handle heat help hide hold
ignore implement import improve include increase index indicate inspect install invoke join keep launch lay leave let
limit link list load locate log look maintain make manage map mark match measure melt merge mix modify monitor mount
move name obtain omit open order override pack parse pass paste pause perform pick place plan plant play pour prepare
press prevent print protect prove provide publish pull push put raise reach read rebuild receive record recover
redirect reduce refer reference refresh register reject release reload remember remove rename render repair repeat
replace report reproduce request require reset resolve restart restore restrict retain retrieve retry return reuse
revert review rinse rotate run save scale scan search see select send separate serve set sharpen shift show sign skip
slice solve sort specify split spread start stir stop store submit supply support suppress switch take tell terminate
test tie track train transfer treat trigger try tune turn type undo unlock update upgrade upload use validate verify
view visit wait warm wash watch water wipe work wrap write
""")
"""Verbs that a person can be told to do; a sentence that begins with another is not taken as a
request."""
ELSEWHERE = re.compile(
    r"\b(?:it|its|itself|this|that|these|those|they|them|their|he|him|his|she|her|such|here|there|former|latter|"
    r"above|below|following|previous|same|other|others|another|one|ones|which|who|whose|where|then|so|too|also|"
    r"mentioned|however|therefore|thus|again|we|us|our|i|my|me)\b",
    re.IGNORECASE,
)
"""Words that point to another sentence, or to whoever wrote it."""
CLAUSE = re.compile(
    r"\b(?:when|if|because|unless|while|as|is|are|was|were|be|been|has|have|had|will|would|can|could|may|might|must|"
    r"should|do|does|did|not|but|than|how|what|why|to|whereas|though|although|makes|sometimes|often|always|never|just|"
    r"\w{2,}ly)\b|[,;:()?!]|\w\.\s",
    re.IGNORECASE,
)
"""What is in no plain subject."""
NO_SUBJECT = words_of("what how all both few many most more some none nothing everything each either you your only")

PREPOSITIONS = words_of("""
in on at by for with from after before under over among between of without during within until since
through like about against along around behind beside beyond despite into near off onto per than via
""")
_COUNTED = re.compile(
    r"\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty)\b", re.IGNORECASE
)

_EMPTY = words_of("term rest result example point idea reason problem answer")
"""Subjects that name nothing, after an article."""


def plain_subject(text: str, of: Document) -> str:
    """What a sentence is about, as it stands within a question; "" where it isn't said, or is more
    than a name."""
    words = text.split()
    if not words or len(words) > 7 or words[0].lower() in NO_SUBJECT | PREPOSITIONS or _COUNTED.match(text):
        return ""
    if ELSEWHERE.search(text) or CLAUSE.search(text) or re.match(r"[A-Z]\w+ing\s", text):
        return ""
    if words[-1] in ("first", "last", "only", "alone"):
        return ""
    subject = _lowered(text, of)
    return "" if re.sub(r"^(?:the|an?) ", "", subject) in _EMPTY else subject


def _lowered(text: str, of: Document) -> str:
    """The text with a small first letter, where the document mostly writes its first word so within
    sentences."""
    first = re.match(r"[A-Z][a-z]*(?=\s|$|-[a-z]|\()", text)
    if first is None:
        return text
    small = first[0].lower()
    if small not in ("the", "a", "an", "each", "every"):
        within = r"(?<=[a-z,] )%s(?!\w)"
        if len(re.findall(within % small, of.text)) <= len(re.findall(within % first[0], of.text)):
            return text
    return small + text[len(small) :]


def is_request(text: str) -> bool:
    """Whether a sentence, or its main clause, tells somebody to do something."""
    first = re.match(r"(?:do not|don't|please|never|always)?\s*(\w+)", text, re.IGNORECASE)
    return first is not None and first[1].lower() in VERBS
