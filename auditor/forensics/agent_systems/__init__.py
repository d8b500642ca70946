"""What an agent system is by its code: topology, state, models, clones, judges and synthesis.

Reading it takes the whole repository at once: names are followed across files, builders through the
functions that make and fill them, prompts into the files that hold them. `interpreter` evaluates the code
symbolically, without running a line of it and within bounds; the other modules ask questions of what it saw.
Everything runs in a child process with limits (`confined`), and only `findings` comes back.
"""
