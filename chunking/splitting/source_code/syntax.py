"""What the strategy knows of each grammar: which nodes hold statements, which are definitions.

The names are those of the node types in each grammar's `node-types.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chunking.document.source_files import Language


@dataclass(frozen=True)
class Syntax:
    """The node types of a grammar that matter for cutting."""

    package: str
    """The distribution that carries the grammar."""
    sequences: frozenset[str]
    """Nodes whose children follow each other as statements, members or cases do."""
    definitions: frozenset[str]
    """Nodes with a name under which chunks are found."""
    clauses: frozenset[str] = frozenset()
    """Parts of a statement that begin something, but are no child of a sequence: `else`."""
    attached: frozenset[str] = frozenset()
    """Siblings in front of what they belong to, beside comments: attributes."""
    function: str = "language"
    """The function of the package's module that gives the grammar."""

    @property
    def module(self) -> str:
        return self.package.replace("-", "_")


def _types(names: str) -> frozenset[str]:
    return frozenset(names.split())


_JAVASCRIPT = Syntax(
    "tree-sitter-javascript",
    _types("statement_block class_body switch_body switch_case switch_default object class_static_block"),
    _types(
        "function_declaration generator_function_declaration class_declaration method_definition variable_declarator "
        "assignment_expression pair field_definition"
    ),
    _types("else_clause catch_clause finally_clause"),
    _types("decorator"),
)
_TYPESCRIPT_SEQUENCES = _JAVASCRIPT.sequences | _types("interface_body object_type enum_body")
_TYPESCRIPT_DEFINITIONS = _JAVASCRIPT.definitions | _types(
    "abstract_class_declaration interface_declaration enum_declaration internal_module module type_alias_declaration "
    "public_field_definition"
)
_C = Syntax(
    "tree-sitter-c",
    _types(
        "compound_statement field_declaration_list declaration_list enumerator_list case_statement preproc_if "
        "preproc_ifdef preproc_else preproc_elif"
    ),
    _types("function_definition struct_specifier union_specifier enum_specifier"),
    _types("else_clause"),
)

SYNTAXES: Mapping[Language, Syntax] = {
    "bash": Syntax(
        "tree-sitter-bash",
        _types("compound_statement do_group subshell if_statement elif_clause else_clause case_statement case_item"),
        _types("function_definition"),
    ),
    "c": _C,
    "c-sharp": Syntax(
        "tree-sitter-c-sharp",
        _types(
            "declaration_list block switch_body switch_section enum_member_declaration_list accessor_list "
            "file_scoped_namespace_declaration"
        ),
        _types(
            "namespace_declaration class_declaration struct_declaration interface_declaration enum_declaration "
            "record_declaration method_declaration constructor_declaration destructor_declaration "
            "property_declaration local_function_statement"
        ),
        _types("catch_clause finally_clause"),
    ),
    "cpp": Syntax(
        "tree-sitter-cpp",
        _C.sequences,
        _C.definitions | _types("class_specifier namespace_definition"),
        _C.clauses | _types("catch_clause"),
        _types("access_specifier"),
    ),
    "go": Syntax(
        "tree-sitter-go",
        _types(
            "block statement_list field_declaration_list interface_type const_declaration var_declaration "
            "expression_switch_statement type_switch_statement select_statement expression_case type_case "
            "default_case communication_case"
        ),
        _types("function_declaration method_declaration type_spec"),
    ),
    "java": Syntax(
        "tree-sitter-java",
        _types(
            "class_body interface_body enum_body enum_body_declarations annotation_type_body block constructor_body "
            "switch_block switch_block_statement_group"
        ),
        _types(
            "class_declaration interface_declaration enum_declaration record_declaration "
            "annotation_type_declaration method_declaration constructor_declaration compact_constructor_declaration"
        ),
        _types("catch_clause finally_clause"),
    ),
    "javascript": _JAVASCRIPT,
    "php": Syntax(
        "tree-sitter-php",
        _types(
            "compound_statement declaration_list enum_declaration_list switch_block case_statement default_statement"
        ),
        _types(
            "function_definition method_declaration class_declaration interface_declaration trait_declaration "
            "enum_declaration namespace_definition"
        ),
        _types("else_clause else_if_clause catch_clause finally_clause"),
        function="language_php",
    ),
    "python": Syntax(
        "tree-sitter-python",
        _types("block"),
        _types("function_definition class_definition"),
        _types("elif_clause else_clause except_clause finally_clause"),
    ),
    "ruby": Syntax(
        "tree-sitter-ruby",
        _types("body_statement block_body then do begin"),
        _types("method singleton_method class module"),
        _types("else elsif when rescue ensure"),
    ),
    "rust": Syntax(
        "tree-sitter-rust",
        _types("block declaration_list match_block enum_variant_list field_declaration_list"),
        _types("function_item struct_item enum_item union_item trait_item impl_item mod_item macro_definition"),
        _types("else_clause"),
        _types("attribute_item inner_attribute_item"),
    ),
    "tsx": Syntax(
        "tree-sitter-typescript",
        _TYPESCRIPT_SEQUENCES,
        _TYPESCRIPT_DEFINITIONS,
        _JAVASCRIPT.clauses,
        _JAVASCRIPT.attached,
        function="language_tsx",
    ),
    "typescript": Syntax(
        "tree-sitter-typescript",
        _TYPESCRIPT_SEQUENCES,
        _TYPESCRIPT_DEFINITIONS,
        _JAVASCRIPT.clauses,
        _JAVASCRIPT.attached,
        function="language_typescript",
    ),
}

ONLY_WITH_A_FUNCTION = frozenset(
    {"variable_declarator", "assignment_expression", "pair", "field_definition", "public_field_definition"}
)
"""Definitions only where their value is a function or a class."""
FUNCTIONS = frozenset({"arrow_function", "function_expression", "function", "generator_function", "class"})
"""The values that make those definitions."""
COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
