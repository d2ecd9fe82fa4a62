//! The node kinds that the product names; all others are [`Kind::Other`].

macro_rules! kinds {
    ($($variant:ident $name:literal)*) => {
        /// What a node is, in the grammar's own words; a node's exact name is in `Node::name`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[expect(missing_docs, reason = "each variant is the grammar's name for it")]
        pub enum Kind { $($variant,)* Error, Token, Other }

        impl Kind {
            pub(super) fn of(name: &str, named: bool) -> Self {
                if !named {
                    return Self::Token;
                }
                match name {
                    $($name => Self::$variant,)*
                    "ERROR" => Self::Error,
                    _ => Self::Other,
                }
            }
        }
    };
}

kinds! {
    AliasedImport "aliased_import"
    ArgumentList "argument_list"
    AsPattern "as_pattern"
    AsPatternTarget "as_pattern_target"
    AssertStatement "assert_statement"
    Assignment "assignment"
    Attribute "attribute"
    AugmentedAssignment "augmented_assignment"
    Await "await"
    BinaryOperator "binary_operator"
    Block "block"
    BooleanOperator "boolean_operator"
    Call "call"
    CaseClause "case_clause"
    CasePattern "case_pattern"
    ClassDefinition "class_definition"
    ClassPattern "class_pattern"
    Comment "comment"
    ComparisonOperator "comparison_operator"
    ConcatenatedString "concatenated_string"
    ConditionalExpression "conditional_expression"
    DecoratedDefinition "decorated_definition"
    Decorator "decorator"
    DefaultParameter "default_parameter"
    DeleteStatement "delete_statement"
    DictPattern "dict_pattern"
    DictionaryComprehension "dictionary_comprehension"
    DictionarySplatPattern "dictionary_splat_pattern"
    DottedName "dotted_name"
    ElifClause "elif_clause"
    ExceptClause "except_clause"
    ExpressionList "expression_list"
    ExpressionStatement "expression_statement"
    False "false"
    Float "float"
    ForInClause "for_in_clause"
    ForStatement "for_statement"
    FunctionDefinition "function_definition"
    FutureImportStatement "future_import_statement"
    GeneratorExpression "generator_expression"
    GlobalStatement "global_statement"
    Identifier "identifier"
    IfClause "if_clause"
    IfStatement "if_statement"
    ImportFromStatement "import_from_statement"
    ImportStatement "import_statement"
    Integer "integer"
    Interpolation "interpolation"
    KeywordArgument "keyword_argument"
    KeywordPattern "keyword_pattern"
    KeywordSeparator "keyword_separator"
    Lambda "lambda"
    LambdaParameters "lambda_parameters"
    ListComprehension "list_comprehension"
    ListPattern "list_pattern"
    ListSplat "list_splat"
    ListSplatPattern "list_splat_pattern"
    MatchStatement "match_statement"
    Module "module"
    NamedExpression "named_expression"
    None "none"
    NonlocalStatement "nonlocal_statement"
    NotOperator "not_operator"
    Pair "pair"
    Parameters "parameters"
    ParenthesizedExpression "parenthesized_expression"
    PatternList "pattern_list"
    PositionalSeparator "positional_separator"
    RelativeImport "relative_import"
    ReturnStatement "return_statement"
    SetComprehension "set_comprehension"
    SplatPattern "splat_pattern"
    String "string"
    StringContent "string_content"
    Subscript "subscript"
    True "true"
    TuplePattern "tuple_pattern"
    Type "type"
    TypeAliasStatement "type_alias_statement"
    TypeParameter "type_parameter"
    TypedDefaultParameter "typed_default_parameter"
    TypedParameter "typed_parameter"
    UnaryOperator "unary_operator"
    UnionPattern "union_pattern"
    WhileStatement "while_statement"
    WildcardImport "wildcard_import"
    WithItem "with_item"
}
