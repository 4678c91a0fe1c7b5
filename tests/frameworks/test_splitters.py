"""A config as the splitter of LangChain, LlamaIndex and Haystack, in pipelines of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from chunking import Config, parse, run
from chunking.core.records import WrittenChunk
from chunking.errors import ConfigError
from chunking.frameworks.cutting import Cutter, config_of
from chunking.frameworks.snippets import FRAMEWORKS, snippet

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "sample_docs" / "10-an-api-reference.md").read_text(encoding="utf-8")
CONFIG = Config.of("heading-window", {"minTokens": 100, "maxTokens": 300})
MODULES = {
    "Python": "pandas",
    "LangChain": "langchain_text_splitters",
    "LlamaIndex": "llama_index.core",
    "Haystack": "haystack",
}


@pytest.fixture
def chunks() -> list[WrittenChunk]:
    return run(parse(TEXT, "api.md"), CONFIG).written()


def test_a_config_is_taken_as_it_is_as_a_text_and_as_a_path(tmp_path: Path) -> None:
    path = tmp_path / "chunks.yaml"
    path.write_text(CONFIG.to_yaml(), encoding="utf-8")

    assert config_of(CONFIG) == config_of(CONFIG.to_yaml()) == config_of(path) == config_of(str(path)) == CONFIG
    with pytest.raises(ConfigError, match="cannot be read"):
        config_of(tmp_path / "none.yaml")


def test_langchain_gets_the_chunks_that_the_command_writes(chunks: list[WrittenChunk]) -> None:
    pytest.importorskip("langchain_text_splitters", reason="langchain-text-splitters is not installed")
    from langchain_core.documents import Document

    from chunking.frameworks.langchain import ChunkscopeTextSplitter

    splitter = ChunkscopeTextSplitter(CONFIG.to_yaml())
    made = splitter.transform_documents([Document(TEXT, metadata={"source": "api.md", "team": "docs"})])

    assert [(each.id, each.page_content) for each in made] == [(each["id"], each["text"]) for each in chunks]
    assert all(each.metadata["team"] == "docs" and each.metadata["source"] == "api.md" for each in made)
    assert [each.metadata["start_index"] for each in made] == [each["start"] for each in chunks]
    assert splitter.split_text(TEXT) == [each["text"] for each in chunks]


def test_llama_index_s_pipeline_gets_the_chunks_linked_and_without_text_before_them(chunks: list[WrittenChunk]) -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    from llama_index.core import Document
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.schema import MetadataMode

    from chunking.frameworks.llama_index import ChunkscopeNodeParser

    parser = ChunkscopeNodeParser.of(CONFIG)
    document = Document(text=TEXT, metadata={"file_name": "api.md"})
    nodes = IngestionPipeline(transformations=[parser]).run(documents=[document])

    assert [(node.node_id, node.text) for node in nodes] == [(each["uuid"], each["text"]) for each in chunks]
    assert all(node.get_content(MetadataMode.EMBED) == node.text for node in nodes)
    assert all(node.ref_doc_id == document.node_id for node in nodes)
    assert [node.start_char_idx for node in nodes] == [each["start"] for each in chunks]
    assert [node.next_node.node_id for node in nodes[:-1]] == [node.node_id for node in nodes[1:]]


def test_haystack_s_pipeline_gets_the_chunks_also_after_it_was_saved(chunks: list[WrittenChunk]) -> None:
    pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from haystack import Document, Pipeline

    from chunking.frameworks.haystack import ChunkscopeSplitter

    pipeline = Pipeline()
    pipeline.add_component("splitter", ChunkscopeSplitter(CONFIG))
    document = Document(content=TEXT, meta={"file_name": "api.md"})
    made = Pipeline.loads(pipeline.dumps()).run({"splitter": {"documents": [document]}})["splitter"]["documents"]

    assert [(each.id, each.content) for each in made] == [(each["id"], each["text"]) for each in chunks]
    assert all(each.meta["source_id"] == document.id for each in made)


def test_documents_of_one_name_as_of_the_pages_of_a_file_have_no_two_chunks_of_one_id() -> None:
    cutter = Cutter(CONFIG)
    first, second = cutter.chunks_of(TEXT, "api.md"), cutter.chunks_of(TEXT, "api.md")

    assert [each["id"] for each in first] == [each["id"] for each in run(parse(TEXT, "api.md"), CONFIG).written()]
    assert not {each["id"] for each in first} & {each["id"] for each in second}
    assert not {each["uuid"] for each in first} & {each["uuid"] for each in second}
    assert [each["next_id"] for each in second[:-1]] == [each["id"] for each in second[1:]]
    assert [each["previous_id"] for each in second[1:]] == [each["id"] for each in second[:-1]]
    assert [each["text"] for each in second] == [each["text"] for each in first]


def test_what_is_no_config_is_named() -> None:
    with pytest.raises(TypeError, match="a config is a Config, the text of a YAML or its path, not NoneType"):
        config_of(None)  # type: ignore[arg-type]


def test_llama_index_s_own_switches_are_followed() -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    from llama_index.core import Document
    from llama_index.core.schema import NodeRelationship

    from chunking.frameworks.llama_index import ChunkscopeNodeParser

    parser = ChunkscopeNodeParser.of(CONFIG, include_metadata=False, include_prev_next_rel=False)
    nodes = parser.get_nodes_from_documents([Document(text=TEXT, metadata={"team": "docs"})])

    assert len(nodes) > 1
    assert all("team" not in node.metadata and {*node.relationships} == {NodeRelationship.SOURCE} for node in nodes)


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_program_of_the_export_tab_runs_as_it_stands(tmp_path: Path, framework: str) -> None:
    pytest.importorskip(MODULES[framework], reason=f"{framework} is not installed")
    (tmp_path / "chunks.yaml").write_text(CONFIG.to_yaml(), encoding="utf-8")
    (tmp_path / "it's.md").write_text(TEXT, encoding="utf-8")

    program = snippet(framework, "chunks.yaml", "it's.md")
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120)

    assert ran.returncode == 0, ran.stderr
    assert str(len(run(parse(TEXT, "api.md"), CONFIG).chunks)) in ran.stdout
