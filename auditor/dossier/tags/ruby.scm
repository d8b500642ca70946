; Definitions, calls and values of Ruby.
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(class name: (_) @name) @type
(module name: (_) @name) @type
(assignment left: (constant) @name) @value
((call method: (identifier) @_framework arguments: (argument_list . (string (string_content) @name)) block: (_)) @function
  (#any-of? @_framework "it" "specify" "test"))
(call method: (identifier) @call)
