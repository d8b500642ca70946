"""Records of files, kept on disk from one audit to the next, by content and by the version of what read them.

Never serves what an untrusted user may have written.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["disk_cache", "installed_engines"]
