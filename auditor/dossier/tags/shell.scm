; Definitions, calls and values of shell scripts.
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @value)
(command name: (command_name (word) @call))
