; Definitions, calls and values of Python, as tree-sitter's tag queries name them.
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @type
(module (expression_statement (assignment left: (identifier) @name) @value))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @value)))
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
