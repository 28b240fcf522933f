"""How rooms are reached: who is let in, what is refused in which words, and what a phone is given."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import config

from tests.messages import wording
from tests.waiting import run
from ui.components.phone import LABELS
from ui.lecture.rooms import SENTENCES, new_right
from ui.server.lecture import Lecture
from ui.server.page import own_page

STEP = {"page": "tokens", "title": "T", "say": "S", "attempt": "", "text": "", "query": "", "question": None}
CODE, SECRET = new_right().split(".")
RIGHT = {"Authorization": f"Bearer {SECRET}"}


@pytest.fixture
def lecture(monkeypatch: pytest.MonkeyPatch) -> Lecture:
    monkeypatch.delenv("EMBEDDING_EXPLORER_REDIS", raising=False)
    return Lecture()


@pytest.fixture
def client(lecture: Lecture) -> TestClient:
    return TestClient(Starlette(routes=lecture.routes(), middleware=[own_page()]))


@pytest.fixture
def follower(client: TestClient, lecture: Lecture) -> dict[str, str]:
    """The headers of a phone in the room, which is open."""
    assert client.post(f"/follow/{CODE}/step", json={"step": STEP}, headers=RIGHT).status_code == 200
    return {"X-Follower": run(lecture._rooms.join(CODE))}


def says(answer: Any, reason: str, **values: object) -> bool:
    """Tell whether an answer is one sentence, the one for a reason."""
    return bool(wording(SENTENCES[reason], **values).fullmatch(answer.text))


@pytest.mark.parametrize("code", [CODE, CODE.lower(), "ABC234", "<script>"], ids=["own", "typed", "other", "forged"])
def test_a_phone_gets_the_same_page_for_every_code_and_nothing_of_a_link_stands_in_it(
    client: TestClient, code: str
) -> None:
    answer = client.get(f"/follow/{code}?text=hello")
    assert answer.status_code == 200
    assert f"<title>{LABELS['title']}</title>" in answer.text  # not Streamlit's page
    assert answer.headers["cache-control"] == "no-store"
    assert code not in answer.text
    assert "hello" not in answer.text


@pytest.mark.parametrize(("query", "language"), [("", "fr"), ("?lang=zh", "zh-Hans"), ("?lang=en", "en")])
def test_a_phone_reads_the_language_of_the_link_else_of_its_browser(
    client: TestClient, query: str, language: str
) -> None:
    answer = client.get(f"/follow/{CODE}{query}", headers={"Accept-Language": "fr-CA,en;q=0.5"})
    assert f'lang="{language}"' in answer.text


def test_the_page_is_under_the_apps_own_path_too() -> None:
    old = config.get_option("server.baseUrlPath")
    config.set_option("server.baseUrlPath", "explorer")
    try:
        client = TestClient(Starlette(routes=Lecture().routes()))
        assert client.get(f"/explorer/follow/{CODE}").status_code == 200
        assert client.get(f"/follow/{CODE}").status_code == 200
    finally:
        config.set_option("server.baseUrlPath", old)


def test_only_the_secret_presents_and_it_is_in_no_answer(client: TestClient, follower: dict[str, str]) -> None:
    ways = {"step": {"step": STEP}, "judged": {"word": "x"}, "end": {}}
    for wrong in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {SECRET[::-1]}"}, follower):
        answers = [client.post(f"/follow/{CODE}/{way}", json=sent, headers=wrong) for way, sent in ways.items()]
        answers.append(client.get(f"/follow/{CODE}/room", headers=wrong))
        assert [answer.status_code for answer in answers] == [403] * 4
        assert all(says(answer, "right") for answer in answers)
    for way, sent in ways.items():
        answer = client.post(f"/follow/{CODE}/{way}", json=sent, headers=RIGHT)
        assert answer.is_success
        assert SECRET not in answer.text + str(answer.headers)


@pytest.mark.parametrize(
    ("way", "sent", "status", "reason"),
    [
        ("word", {"word": "x" * 41}, 400, "long"),
        ("word", {"word": "  "}, 400, "empty"),
        ("word", {"word": 7}, 400, "bad"),
        ("vote", {"question": "k", "answer": 1}, 409, "over"),
    ],
)
def test_what_a_phone_sends_and_is_wrong_comes_back_as_a_sentence(
    client: TestClient, follower: dict[str, str], way: str, sent: dict[str, object], status: int, reason: str
) -> None:
    answer = client.post(f"/follow/{CODE}/{way}", json=sent, headers=follower)
    assert (answer.status_code, says(answer, reason)) == (status, True), answer.text


def test_a_code_without_a_room_is_said_to_have_none(client: TestClient) -> None:
    for code in (CODE, "ABC234", "O0O0O0", "x" * 500):
        answer = client.post(f"/follow/{code}/word", json={"word": "x"})
        assert answer.status_code == 404
        assert says(answer, "unknown")


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Type": "text/plain"}, b'{"word": "x"}'),  # which a form of another site can send
        ({"Origin": "https://evil.example"}, b'{"word": "x"}'),
        ({"Sec-Fetch-Site": "cross-site"}, b'{"word": "x"}'),
        ({}, b'{"word": "' + b"x" * 2_000 + b'"}'),
        *(({}, body) for body in (b"", b"[]", b"{", b"[" * 1_900, b"\xff", b'{"word": "\\ud800"}')),
    ],
)
def test_other_sites_and_bodies_that_are_none_are_refused(
    client: TestClient, follower: dict[str, str], headers: dict[str, str], body: bytes
) -> None:
    known = follower | {"Content-Type": "application/json"}
    answer = client.post(f"/follow/{CODE}/word", content=body, headers=known | headers)
    assert answer.status_code == 400
    assert says(answer, "bad") or says(answer, "empty")


def test_a_flood_of_words_is_told_to_wait(client: TestClient, follower: dict[str, str]) -> None:
    answers = [client.post(f"/follow/{CODE}/word", json={"word": f"w{n}"}, headers=follower) for n in range(7)]
    assert [answer.status_code for answer in answers] == [204] * 5 + [429] * 2
    assert says(answers[-1], "fast")


@pytest.mark.usefixtures("follower")
def test_a_step_that_is_too_long_leaves_the_one_before(client: TestClient, lecture: Lecture) -> None:
    for wrong in ({"query": "x" * 20_001}, {"query": "x" * 200_000}, {"page": "https://evil.example"}):
        answer = client.post(f"/follow/{CODE}/step", json={"step": STEP | wrong}, headers=RIGHT)
        assert answer.status_code == 400
    assert run(lecture._rooms.follower_view(CODE))["step"] == STEP
