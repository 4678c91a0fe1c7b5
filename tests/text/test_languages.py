"""A text that is not English is noticed, and one that is, or may be, is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_material import shared_dir

from chunking import Config, parse, run
from chunking.text import languages
from chunking.text.languages import english_warning, seems_other_than_english

SAMPLES = Path(__file__).parents[2] / "sample_docs"
OTHERS = {
    "German": "Ein Zug gilt als pünktlich, wenn er weniger als sechs Minuten nach der Zeit im Fahrplan ankommt. ",
    "French": "Un train est à l'heure quand il arrive moins de six minutes après l'horaire qui est dans la table. ",
    "Spanish": "Un tren es puntual cuando llega menos de seis minutos después de la hora que se indica en el horario. ",
    "Portuguese": "Um trem é pontual quando não chega mais de seis minutos depois da hora que está no horário. ",
    "Dutch": "Een trein is op tijd als hij niet meer dan zes minuten na de tijd van het spoorboekje aankomt. ",
    "Polish": "Pociąg jest punktualny, jeżeli nie jest spóźniony więcej niż o sześć minut od czasu. ",
    "Vietnamese": "Tàu được coi là đúng giờ khi đến muộn chưa đầy sáu phút so với giờ ghi trong bảng giờ tàu. ",
    "Russian": "Поезд считается пунктуальным, если он прибывает менее чем через шесть минут после расписания. ",
    "Greek": "Ένα τρένο θεωρείται ακριβές όταν φτάνει λιγότερο από έξι λεπτά μετά την ώρα του δρομολογίου. ",
    "Arabic": "يعتبر القطار في موعده إذا وصل بعد أقل من ست دقائق من الوقت المحدد في جدول المواعيد. ",
    "Hindi": "ट्रेन समय पर मानी जाती है यदि वह समय सारणी के छह मिनट के भीतर पहुँच जाए। ",
    "Japanese": "列車は時刻表の時刻から六分以内に到着すれば定刻とみなされる。",
    "Korean": "기차는 시간표의 시각에서 육 분 이내에 도착하면 정시로 간주된다. ",
    "Thai": "รถไฟถือว่าตรงเวลาเมื่อมาถึงภายในหกนาทีหลังเวลาในตาราง ",
}


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_are_noticed(language: str) -> None:
    assert seems_other_than_english([OTHERS[language] * 20])


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("[0-9]*.md")), ids=lambda path: path.stem)
def test_of_the_samples_only_the_one_that_is_not_english_is_noticed(path: Path) -> None:
    assert seems_other_than_english([path.read_text(encoding="utf-8")]) == path.stem.startswith("09")


def test_code_addresses_and_names_tell_nothing() -> None:
    fence = "```python\nfür = [não for das in het]\n" + "der_die_das = une(que, los)\n" * 200 + "```\n"

    assert not seems_other_than_english([fence])
    assert not seems_other_than_english(["https://example.com/der/die/das/und " * 100])
    assert not seems_other_than_english(["- Ada Lovelace\n- Émile Zola\n- José Saramago\n" * 3])
    assert not seems_other_than_english(["α β γ in x"])
    assert not seems_other_than_english([""])


def test_a_little_of_another_language_in_english_text_is_no_matter() -> None:
    english = "The train is late when it arrives more than six minutes after the time in the table. " * 20

    assert not seems_other_than_english([english, OTHERS["German"], OTHERS["Japanese"]])


def test_pieces_of_one_document_count_together() -> None:
    words = OTHERS["German"].split(" ")

    assert seems_other_than_english([f"{word} " * 8 for word in words])


def test_a_line_names_the_documents() -> None:
    assert english_warning("local/m", (), 3) == ""
    assert english_warning("local/m", ("a.md",), 3).startswith("a.md seems not to be English; local/m was trained")
    many = english_warning("local/m", ("a", "b", "c", "d", "e"), 9)
    assert many.startswith("5 of 9 documents seem not to be English (a, b, c and 2 more)")


def test_semantic_says_that_the_local_embedder_is_english() -> None:
    german = parse(OTHERS["German"] * 8, name="zug.md")
    english = parse("The train is late. It has been so for a while, and nobody knows why. " * 6, name="a.md")

    assert any("seems not to be English" in warning for warning in run(german, Config.of("semantic", {})).warnings)
    assert not run(english, Config.of("semantic", {})).warnings


def test_of_the_corpus_the_translated_pages_are_noticed_and_hardly_another() -> None:
    corpus = shared_dir() / "corpus"
    pages = [path for path in sorted(corpus.glob("fastapi/docs/*/docs/**/*.md")) if path.stat().st_size > 1500]
    noticed = {path: seems_other_than_english([path.read_text(encoding="utf-8")]) for path in pages}
    wrong = [path for path in pages if noticed[path] == (path.relative_to(corpus).parts[2] == "en")]

    assert len(wrong) <= len(pages) // 50


MANY = 4_000_000


@pytest.mark.parametrize("opening", ["[ (](", "<", "`", "](", "```\n~~~\n", "http://"])
def test_a_text_full_of_openings_is_looked_through_in_time_that_grows_with_it(
    opening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "_MAX_CHARACTERS", MANY)  # the square of as many would never end

    assert not seems_other_than_english([opening * (MANY // len(opening))])
