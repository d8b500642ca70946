; Definitions, calls and values of Rust.
(function_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @type
(enum_item name: (type_identifier) @name) @type
(trait_item name: (type_identifier) @name) @type
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]) @type
(macro_definition name: (identifier) @name) @function
(const_item name: (identifier) @name) @value
(static_item name: (identifier) @name) @value
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (scoped_identifier name: (identifier) @call))
(macro_invocation macro: (identifier) @call)
(token_tree (identifier) @call)
