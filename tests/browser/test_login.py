"""People who sign in at a provider of OpenID Connect, in real Chromium: each finds their own
marks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from login_provider import USERS, login_provider, secrets_file
from marking import LINK, PATIENCE, SAMPLE, TEXT, opened
from playwright.sync_api import Page, expect
from waiting import wait_for_health

from chunking import Annotations, AnnotationStore, Span, parse


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The app, whose owner has set the provider up; its users have marked something before."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    where, secret, data = f"http://127.0.0.1:{port}", tmp_path / "secrets.toml", tmp_path / "data"
    command = [sys.executable, "-m", "chunking", "app", "--port", str(port), "--server.headless", "true"]
    with login_provider() as issuer:
        for user in USERS:
            marked(data / "owners" / sha256(f"login\0{issuer}\0{user}".encode()).hexdigest(), f"What did {user} ask?")
        secret.write_text(secrets_file(issuer, where), encoding="utf-8")
        server = subprocess.Popen(
            [*command, "--secrets.files", str(secret)],
            env=os.environ | {"CHUNKSCOPE_LOGIN": "on", "CHUNKSCOPE_DATA": str(data)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for_health(where, server)
        yield where
        server.terminate()
        server.wait(10)


def marked(folder: Path, question: str) -> None:
    document = parse(TEXT, SAMPLE.name)
    AnnotationStore(folder).save(document, Annotations(), Annotations().with_answer(document, question, Span(0, 9)))


@pytest.mark.long
def test_who_signs_in_at_the_provider_finds_their_own_marks_and_who_signs_out_takes_them_along(
    address: str, page: Page
) -> None:
    page.goto(address)
    for user in USERS:
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("link", name=user).click(timeout=PATIENCE)
        page.get_by_role("button", name="Sign out").wait_for(timeout=PATIENCE)

        questions = opened(page, f"{address}/{LINK}").locator(".marks .question")
        expect(questions).to_contain_text([f"What did {user} ask?"], timeout=PATIENCE)

        page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").wait_for(timeout=PATIENCE)
