"""What the author's description of a change claims, compared with what the change does.

Never judges the wording, and says nothing where the facts do not decide.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["change_contents", "claim_registry", "claim_sentences"]
