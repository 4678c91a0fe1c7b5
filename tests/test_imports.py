"""Who may import whom (docs/ARCHITECTURE.md): read from the sources, so that a new file is held to
it as well."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from chunking import strategies

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = sorted((ROOT / "chunking").rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]

DOORS = {
    "tiktoken": (
        "chunking/tokens/registry",
        "chunking/tokens/index",
        "chunking/tokens/tiktoken_tables",
        "chunking/tokens/counters",
    ),
    "markdown_it": (
        "chunking/document/parser",
        "chunking/document/scanner",
        "chunking/document/headings",
        "pages/ui/components/reading_views/rendered_markdown",
    ),
    "mdit_py_plugins": ("chunking/document/parser", "chunking/document/scanner", "chunking/document/headings"),
    "daft": ("chunking/cli/daft_engine",),
    "jinja2": ("chunking/report/html",),
    "platformdirs": ("chunking/runtime/folders",),
    "ruamel": ("chunking/config/yaml_io",),
    "yaml": (),
    "sentencex": ("chunking/document/sentences",),
    "optuna": ("chunking/tuning/",),
    "xllamacpp": ("chunking/models/local_llm",),
    "httpx2": ("chunking/models/http_exchange",),
    "onnxruntime": ("chunking/models/local_embedder",),
    "tokenizers": ("chunking/tokens/tokenizer_files", "chunking/models/local_embedder"),
    "typer": ("chunking/cli/",),
    "streamlit": ("app", "pages/", "chunking/cli/app"),
    "plotly": ("app", "pages/"),
}
"""Outside libraries with one door each: which files, by the start of their path, may open it."""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def imports(path: Path) -> set[str]:
    """The modules a file imports, relative ones made absolute; without those under
    TYPE_CHECKING."""
    found: set[str] = set()
    package = module_of(path) if path.name == "__init__.py" else module_of(path).rpartition(".")[0]
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.update(_imported_from(node, package))
        waiting.extend(ast.iter_child_nodes(node))
    return found


def _imported_from(node: ast.ImportFrom, package: str) -> set[str]:
    parents = package.split(".")
    base = ".".join(parents[: len(parents) - node.level + 1]) if node.level else ""
    module = ".".join(part for part in (base, node.module or "") if part)
    # `from chunking import tools` imports a module, `from chunking.core.context import
    # SplitContext` a name.
    return {module, *(f"{module}.{alias.name}" for alias in node.names if _is_module(f"{module}.{alias.name}"))}


def _is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def roots(path: Path) -> set[str]:
    """The packages that a file imports from."""
    return {name.partition(".")[0] for name in imports(path)}


def test_each_outside_library_has_one_door() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {library}; only {', '.join(doors)} may"
        for path in (*LIBRARY, *PAGES)
        for library, doors in DOORS.items()
        if library in roots(path) and not path.relative_to(ROOT).as_posix().startswith(doors)
    ]
    assert wrong == []


def says_no_streamlit(path: Path) -> bool:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return "no streamlit" in " ".join(said.lower().split())


def test_choices_and_what_says_so_import_no_streamlit() -> None:
    choices = ROOT / "pages" / "ui" / "choices"
    without = [path for path in PAGES if path.is_relative_to(choices) or says_no_streamlit(path)]
    assert [str(path) for path in without if "streamlit" in roots(path)] == []


def test_nothing_imports_the_script_that_opens_the_app() -> None:
    assert [str(path) for path in (*LIBRARY, *PAGES) if "app" in imports(path)] == []


def test_imports_point_down_through_the_layers_of_pyproject() -> None:
    """Every module is in a layer, and imports within functions and for types count as well."""
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "path", sorted((ROOT / "chunking" / "strategies").rglob("*.py")), ids=lambda path: "/".join(path.parts[-2:])
)
def test_no_strategy_imports_another(path: Path) -> None:
    own = module_of(path).split(".")[:3]
    for name in imports(path):
        parts = name.split(".")
        assert parts[:2] != ["chunking", "strategies"] or parts[:3] in (own, own[:2]), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))], ids=lambda path: path.name)
def test_a_page_holds_no_session_state_and_no_html(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert "session_state" not in source
    assert "unsafe_allow_html" not in source


def test_only_the_state_file_touches_query_params_and_only_components_their_own_session_state() -> None:
    ui = ROOT / "pages" / "ui"
    for path in sorted(ui.rglob("*.py")):
        if path == ui / "state" / "session.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        # A v2 component, in a folder of its own, finds what its browser half said under its key in
        # the session.
        component = path.is_relative_to(ui / "components")
        forbidden = {"query_params"} if component else {"query_params", "session_state"}
        assert not names & forbidden, path.name


def test_importing_the_library_and_its_strategies_loads_nothing_heavy() -> None:
    program = (
        "import sys, chunking\n"
        "chunking.strategies.names(); chunking.Config; chunking.parse; chunking.run\n"
        "print(*sorted({'streamlit', 'pandas', 'plotly', 'torch', 'onnxruntime'} & set(sys.modules)))\n"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)

    assert loaded.stdout.split() == []


@pytest.mark.parametrize("name", ["run", "Config", "Document", "Run", "RunLimits", "Tools", "counter"])
def test_importing_what_a_program_begins_with_loads_only_python_and_our_own_modules(name: str) -> None:
    """numpy, pydantic, tiktoken and the rest are loaded by the first document, strategy or run."""
    program = (
        f"import sys; before = set(sys.modules); from chunking import {name}\n"
        "others = {each.partition('.')[0] for each in set(sys.modules) - before} - sys.stdlib_module_names\n"
        "print(*sorted(others - {'chunking'}))\n"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)

    assert loaded.stdout.split() == []


def test_a_run_of_a_light_import_says_what_it_takes_and_travels_to_other_processes() -> None:
    program = (
        "import pickle; from typing import get_type_hints; from chunking import Config, run\n"
        "print(pickle.loads(pickle.dumps(run)) is run, *get_type_hints(run), *get_type_hints(Config))\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)

    assert said.stdout.split() == [
        *("True", "document", "config", "tools", "limits", "return"),
        *("strategy", "counter", "overrides", "loader"),
    ]


def test_the_front_door_leads_to_every_name_it_lists() -> None:
    import chunking

    missing = [name for name in chunking.__all__ if not hasattr(chunking, name)]

    assert missing == []


FRONTS = [path for path in (ROOT / "chunking").glob("*/__init__.py") if "= front(" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", FRONTS, ids=lambda path: path.parent.name)
def test_the_front_of_a_package_leads_to_every_name_it_declares_and_hides_none_behind_a_module(path: Path) -> None:
    package = import_module(module_of(path))
    declared = next(node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.If))
    named = [alias.name for each in declared.body if isinstance(each, ast.ImportFrom) for alias in each.names]

    assert set(package.__all__) == set(named)
    assert [name for name in named if not hasattr(package, name)] == []
    assert {inside.stem for inside in path.parent.iterdir()} & set(named) == set()


def inner(path: Path) -> list[str]:
    """What a file imports from inside a package of the library. A strategy is a front of its
    own."""
    ours = [name.split(".") for name in imports(path) if name.split(".")[0] == "chunking"]
    return [".".join(parts) for parts in ours if len(parts) > (3 if parts[1:2] == ["strategies"] else 2)]


def test_the_app_imports_the_library_by_the_fronts_of_its_packages() -> None:
    """So that what is inside a package can be moved."""
    assert {str(path): inner(path) for path in PAGES if inner(path)} == {}


def test_no_module_has_the_name_of_a_front_door_function() -> None:
    # With lazy imports the second access would give the module.
    import chunking

    modules = {path.stem for path in (ROOT / "chunking").iterdir()}

    assert modules & (set(chunking.__all__) - {"strategies"}) == set()


def test_the_layers_of_the_architecture_page_are_the_folder_and_those_of_pyproject() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("ithin `chunking`, from")[2].partition("| layer | what it holds |")[2].partition("\n\n")[0]
    drawn = [re.findall(r"`(\w+)(?:\.py|/)`", row.split("|")[1]) for row in table.splitlines()[2:]]
    held = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    library = next(each for each in held["contracts"] if each.get("containers") == ["chunking"])
    layers = [re.split(r" [|:] ", layer) for layer in library["layers"]]
    folder = {path.name for path in (ROOT / "chunking").iterdir()} - {"__pycache__"}
    placed = {name.removesuffix(".py") for name in folder} - {"__init__", "data", "py.typed"}

    assert [sorted(row) for row in drawn] == [sorted(layer) for layer in layers]
    assert {name for layer in layers for name in layer} == placed
    assert len(folder) <= 28
    assert len(layers) <= 15


def test_a_strategy_that_is_asked_for_by_its_name_loads_no_other() -> None:
    code = (
        "import sys; from chunking import strategies\n"
        "print(strategies.is_name('fixed'), strategies.get('fixed').name)\n"
        "print(*sorted(each for each in sys.modules if each.startswith('chunking.strategies.')))\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert said.splitlines() == ["True fixed", "chunking.strategies.fixed"]


def test_every_strategy_is_in_the_module_that_is_called_as_it_is() -> None:
    assert [name for name in strategies.names() if strategies._in_own_module(name) is not strategies.get(name)] == []
    assert not strategies.is_name("heirarchical")
