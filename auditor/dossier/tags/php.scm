; Definitions, calls and values of PHP.
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @function
(class_declaration name: (name) @name) @type
(interface_declaration name: (name) @name) @type
(trait_declaration name: (name) @name) @type
(enum_declaration name: (name) @name) @type
(const_declaration (const_element . (name) @name)) @value
(property_declaration (property_element name: (variable_name (name) @name))) @value
(function_call_expression function: [(name) (qualified_name (name))] @call)
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression . [(name) (qualified_name (name))] @call)
((function_call_expression function: (name) @_framework
  arguments: (arguments . (argument (string (string_content) @name)) (argument [(anonymous_function) (arrow_function)]))) @function
  (#any-of? @_framework "it" "test"))
