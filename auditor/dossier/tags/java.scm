; Definitions, calls and values of Java.
(method_declaration name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @function
(class_declaration name: (identifier) @name) @type
(interface_declaration name: (identifier) @name) @type
(enum_declaration name: (identifier) @name) @type
(record_declaration name: (identifier) @name) @type
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @value
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
