"""Questions that rules make of an English sentence, a list's entry, or a table's row, without a
model: what a condition leads to, how a purpose is reached, why, when, and what a thing is or does.

A sentence that no rule fits gives none, and neither does one whose subject is said elsewhere ("it",
"the former"): a missing question is cheap, a wrong one costs a reviewer's time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from chunking.document import Document
from chunking.document.language import document_seems_other
from chunking.drafting.english import (
    CLAUSE,
    ELSEWHERE,
    NO_SUBJECT,
    PREPOSITIONS,
    VERBS,
    is_request,
    plain_subject,
    words_of,
)
from chunking.drafting.quotes import Quote, cells, header_of
from chunking.drafting.wording import Wording

_LONGEST = 90
"""Characters of a part of a sentence that is taken into a question."""

_SAYS = {
    "contains": "contain",
    "includes": "include",
    "returns": "return",
    "requires": "require",
    "supports": "support",
    "provides": "provide",
    "accepts": "accept",
    "stores": "store",
    "causes": "cause",
    "prevents": "prevent",
    "describes": "describe",
    "defines": "define",
    "shows": "show",
    "specifies": "specify",
    "controls": "control",
    "determines": "determine",
    "means": "mean",
    "produces": "produce",
    "creates": "create",
    "generates": "generate",
    "removes": "remove",
    "replaces": "replace",
    "needs": "need",
    "measures": "measure",
    "represents": "represent",
    "consists of": "consist of",
    "depends on": "depend on",
    "defaults to": "default to",
    "refers to": "refer to",
}
_SAYS_SEVERAL = (
    "contain",
    "include",
    "require",
    "support",
    "need",
    "return",
    "provide",
    "cause",
    "consist of",
    "depend on",
)
_CONDITION = re.compile(
    rf"(?P<word>If|When|Whenever|Before|After|While)\s(?P<part>[^,;:]{{6,{_LONGEST}}}),\s(?:then\s)?(?P<then>.+)"
)
_PURPOSE = re.compile(rf"(?:In order to|To)\s(?P<verb>\w+)\s(?P<part>[^,;:]{{3,{_LONGEST}}}),\s(?P<then>.+)")
_REQUEST = re.compile(
    rf"(?P<first>[A-Z]\w+)\s(?P<how>[^;:]{{3,200}})\s(?:in order to|to)\s(?P<verb>\w+)\s"
    rf"(?P<part>[^,;:]{{3,{_LONGEST}}})[.!]"
)
_YOU_CAN = re.compile(
    rf"You\s(?:can|may)\s(?P<first>\w+)\s(?P<how>[^;:]{{3,200}})\s(?:in order to|to)\s(?P<verb>\w+)\s"
    rf"(?P<part>[^,;:]{{3,{_LONGEST}}})[.!]"
)
_LETS = re.compile(
    rf"(?P<how>.{{3,{_LONGEST}}}?)\s(?:lets?\syou|allows?\syou\sto|enables?\syou\sto|helps?\syou(?:\sto)?)\s(?P<verb>\w+)\s"
    rf"(?P<part>[^,;:]{{3,{_LONGEST}}})[.!]"
)
_REASON = re.compile(
    rf"(?P<subject>.{{3,60}}?)\s(?P<verb>is|are|was|were|can|must|should|will|may)\s(?P<rest>[^,;:]{{3,{_LONGEST}}}?),?\s"
    r"(?:because|since)\s(?!\d).{8,}"
)
_YEAR = re.compile(
    r"(?P<subject>.{3,60}?)\s(?P<verb>was|were)\s(?P<rest>(?:first\s)?\w+(?:ed|en|wn|lt|de|ght|ld|und)\b(?:\s(?!in\s)[^,;:]{2,50}?)?)\s"
    r"(?:in|on)\s(?:\w+\s)?(?:\d{1,2},?\s)?(?:1\d|20)\d\d\b"
)
_USED = re.compile(r"(?P<subject>.{3,60}?)\s(?P<verb>is|are)\s(?:often\s|mainly\s|also\s)?used\s(?:to|for|as)\s.{8,}")
_CALLED = re.compile(r"(?P<subject>.{3,60}?)\s(?P<verb>is|are)\s(?P<rest>called|named|known as)\s.{3,}")
_TAKES = re.compile(
    r"(?P<subject>.{3,60}?)\s(?P<verb>takes?|lasts?)\s"
    r"(?:about\s|around\s|at most\s|at least\s|up to\s|only\s|roughly\s)?"
    r"(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|a few)(?:\sto\s\w+)?\s"
    r"(?:millisecond|second|minute|hour|day|week|month|year)s?\b"
)
_DEFAULT = re.compile(r"[Tt]he\sdefault(?:\svalue)?\s(?:of|for)\s(?P<subject>.{2,60}?)\s(?:is|are)\s.+")
_SUBJECT_SAYS = re.compile(
    rf"(?P<subject>.{{3,60}}?)\s(?P<verb>{'|'.join([*_SAYS, *_SAYS_SEVERAL])})\s(?P<rest>.{{8,}})"
)
_DEFINED = re.compile(
    r"(?P<subject>(?!the\s)[^\s,;:.][^,;:.]{1,60}?)\s(?P<verb>is|are)\s(?:an?|the|any|each|one\sof)\s(?P<rest>.{6,})",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|had|did|came|went|fell|began|broke|saw|took|left|\w{3,}ed)\b")
_PRESENT = re.compile(r"\b(?:is|are|has|have|be|been|being|can|will|may|\w+ing)\b")
_ENTRY = re.compile(r"(?:`(?P<code>[^`\n]{2,60})`|\*\*(?P<term>[^*`\n]{2,40})\*\*)\s*(?::|—|–|-)\s*(?P<rest>\S+)")

_WISHES = re.compile(
    r"\b(?:like|want|wants|need|needs|able|have|has|had|going|used|likely|sure|how|where|what|when|whether|due|according|"
    r"related|similar|equal|close|prior|refer|refers|up)$"
)
"""What stands before a "to" that is no purpose."""
_NAMED_PART = re.compile(r"(?:\*\*|__)[^*_]+(?:\*\*|__):?\s+[A-Z]")
_LINK = re.compile(r"!?\[(?P<text>[^\]\[]*)\](?:\([^)\s]*(?:\s\"[^\"]*\")?\)|\[[^\]]*\])")
_NOTE = re.compile(r"\[\^[^\]]*\]|\s*\{[.#][^}]*\}")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""What is not seen, or turns the direction of what is read."""
_MARKUP = re.compile(r"[<>{}|\\]|\$|https?://|\[|\]")
_NEXT_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_YES_OR_NO = re.compile(r"(?:yes|no|true|false|y|n|x|✓|✔|✗|✘|✅|❌|-|–|—)\W*", re.IGNORECASE)
"""A cell that says whether, and not what."""
_ADJECTIVE = re.compile(r"\w(?:able|ible|ful|less|ous)$")
"""How words end that are mostly adjectives."""
_NOUNS = words_of("table variable cable vegetable executable deliverable timetable")
_ADJECTIVES = words_of(
    "optional required mandatory deprecated unique recursive public private free open safe static mutable immutable "
    "async active enabled disabled supported recommended allowed built-in experimental new old fast slow available"
)
"""Adjectives that head the columns of tables; nobody asks for the required of a thing."""
_MEANING = words_of("meaning description purpose effect what explanation definition usage notes")
_SOLE = words_of("name field option code key parameter property flag setting argument term variable command")


class Rules:
    """No model: rules that turn a statement into the question that it answers."""

    is_model = False

    def wordings(self, quote: Quote) -> Sequence[Wording]:
        """As of Worder: those of the rules that fit, the most telling first; none where the
        document seems not to be English."""
        if document_seems_other(quote.document.text) or _UNSEEN.search(quote.text):
            return []
        return [Wording(text, f"rule: {name}") for name, text in _found(quote)]


def _found(quote: Quote) -> Iterator[tuple[str, str]]:
    if quote.block == "table":
        if text := _cell(quote):
            yield "table", text
        return
    if quote.block == "list" and (entry := _ENTRY.match(quote.text)):
        if text := _entry(entry, quote):
            yield "entry", text
        return
    if quote.block not in ("paragraph", "list"):
        return
    text_of = readable(quote.text)
    if text_of is None:
        return
    sentence = _NEXT_SENTENCE.split(text_of, 1)[0]
    for name, rule in _RULES:
        text = rule(sentence, quote.document)
        if text:
            yield name, f"{text}?"


def _entry(found: re.Match[str], quote: Quote) -> str:
    """What an entry of a list of names means; a bold one only where its definition follows."""
    if found["term"] and found["rest"].lower() not in ("a", "an", "the"):
        return ""
    term = (found["code"] or found["term"]).strip()
    title = quote.titles[-1].replace("`", "").rstrip("?") if quote.titles else ""
    within = f', in "{title}"' if title and title != term else ""
    return f"What is {term}{within}?"


def readable(source: str) -> str | None:
    """A sentence without its Markdown, on one line; None where more than that is in it."""
    text = _NOTE.sub("", _LINK.sub(lambda link: link["text"], source))
    text = _EMPHASIS.sub(lambda found: found[2], text).replace("`", "")
    text = " ".join(text.split())
    return None if not text or _MARKUP.search(text) or _NAMED_PART.match(source) else text


def _condition(sentence: str, _of: Document) -> str:
    found = _CONDITION.match(sentence)
    if found is None or ELSEWHERE.search(found["part"]):
        return ""
    word, part, then = found["word"].lower(), _ended(found["part"]), found["then"]
    word = "when" if word == "whenever" else word
    begins = part.split()[0]
    if begins.endswith("ed") or (begins.endswith("ing") and not is_request(then)):
        return ""  # it has no subject
    if is_request(then) or re.match(r"you\s(?:should|must|can|need|have to|may)\b", then):
        return f"What should you do {word} {part}"
    if word == "when" and _PAST.search(part) and _PAST.search(then) and not _PRESENT.search(part):
        return f"What happened when {part}"
    is_plain = re.match(r"(?:the|an?|it|they|there|all|each|no|its|their|every|any|only|your)\s", then)
    return f"What happens {word} {part}" if is_plain and word in ("if", "when") else ""


def _purpose(sentence: str, _of: Document) -> str:
    found = _PURPOSE.match(sentence) or _YOU_CAN.match(sentence) or _LETS.match(sentence)
    if found is None and (asked := _REQUEST.match(sentence)) and is_request(asked["first"].lower()):
        found = asked
    if found is None or found["verb"].lower() not in VERBS:
        return ""
    how = found.groupdict().get("how") or ""
    if how.startswith(("for ", "of ")) or _WISHES.search(how) or re.search(r"\b(?:that|which)\s", how):
        return ""
    part = _ended(found["part"])
    return "" if ELSEWHERE.search(part) else f"How do you {found['verb'].lower()} {part}"


def _reason(sentence: str, of: Document) -> str:
    found = _REASON.match(sentence)
    subject = plain_subject(found["subject"], of) if found else ""
    if not found or not subject or ELSEWHERE.search(found["rest"]):
        return ""
    return f"Why {found['verb']} {subject} {found['rest']}"


def _year(sentence: str, of: Document) -> str:
    found = _YEAR.match(sentence)
    subject = plain_subject(found["subject"], of) if found else ""
    return f"When {found['verb']} {subject} {found['rest']}" if found and subject else ""


def _used(sentence: str, of: Document) -> str:
    found = _USED.match(sentence)
    subject = plain_subject(found["subject"], of) if found else ""
    return f"What {found['verb']} {subject} used for" if found and subject else ""


def _called(sentence: str, of: Document) -> str:
    found = _CALLED.match(sentence)
    subject = plain_subject(found["subject"], of) if found else ""
    return f"What {found['verb']} {subject} {found['rest'].replace('known as', 'called')}" if found and subject else ""


def _takes(sentence: str, of: Document) -> str:
    found = _TAKES.match(sentence)
    subject = plain_subject(found["subject"], of) if found else ""
    if not found or not subject:
        return ""
    verb = found["verb"]
    return f"How long does {subject} {verb[:-1]}" if verb.endswith("s") else f"How long do {subject} {verb}"


def _default(sentence: str, of: Document) -> str:
    found = _DEFAULT.match(sentence)
    subject = plain_subject(found["subject"], of) if found else ""
    return f"What is the default of {subject}" if subject else ""


def _says(sentence: str, of: Document) -> str:
    found = _SUBJECT_SAYS.match(sentence)
    subject = plain_subject(found["subject"], of) if found else ""
    if not found or not subject:
        return ""
    verb = found["verb"]
    if verb in _SAYS:
        return f"What does {subject} {_SAYS[verb]}"
    is_several = re.search(r"(?<!s)s$", subject) and not subject.startswith(("a ", "an ", "each ", "every "))
    return f"What do {subject} {verb}" if is_several else ""


def _defined(sentence: str, of: Document) -> str:
    found = _DEFINED.match(sentence)
    subject = plain_subject(found["subject"], of) if found else ""
    return f"What {found['verb']} {subject}" if found and subject else ""


_RULES: Sequence[tuple[str, Callable[[str, Document], str]]] = (
    ("reason", _reason),
    ("condition", _condition),
    ("purpose", _purpose),
    ("date", _year),
    ("time", _takes),
    ("default", _default),
    ("use", _used),
    ("name", _called),
    ("definition", _defined),
    ("statement", _says),
)
"""By name, in the order of how much they ask."""


def _cell(quote: Quote) -> str:
    """The column with the longest cell, asked for the row that the first cell names."""
    header, row = ([readable(each) for each in some] for some in (header_of(quote), cells(quote.text)))
    if len(header) != len(row) or not row[0] or not header[0]:
        return ""
    named_columns = [
        number
        for number in range(1, len(row))
        if row[number] and not _YES_OR_NO.fullmatch(row[number] or "") and _is_name(header[number] or "")
    ]
    if not named_columns or ELSEWHERE.search(row[0]):
        return ""
    at = max(named_columns, key=lambda number: len(row[number] or ""))
    column, first = header[at] or "", header[0].lower()
    named = f"the {first} {row[0]}" if first in _SOLE and first != "name" else row[0]
    if column.lower() in _MEANING:
        return f"What does {named} mean?"
    column = column[0].lower() + column[1:] if re.match(r"[A-Z][a-z]+(?: [a-z]+)*$", column) else column
    return f"What is the {column} of {named}?"


def _is_name(column: str) -> bool:
    """Whether a column is called as a thing is, and not as a question, a request or a quality."""
    words = column.lower().split()
    if not 0 < len(words) <= 4 or words[-1] in _ADJECTIVES:
        return False
    if _ADJECTIVE.search(words[-1]) and words[-1] not in _NOUNS:
        return False
    return words[0] not in VERBS | NO_SUBJECT | PREPOSITIONS and not CLAUSE.search(column)


def _ended(text: str) -> str:
    return text.strip().rstrip(".!?")
