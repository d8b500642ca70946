"""Read-only access to a repository by object id: the only package that runs git.

It never checks anything out and never obeys the configuration of what it reads. Others use `repository` (`Repo`,
`open_repository`) and the blobs of `git_objects`.
"""
