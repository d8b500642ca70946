"""Text that speaks to an automated reviewer: the words it is made of, in ten languages, and the rules that join them.

Never asks a model, and never judges by a path or by who wrote the text.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["message_search"]
