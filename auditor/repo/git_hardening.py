"""Everything that keeps git from obeying the audited repository or the person who runs us, in one place.

Children get an environment built from nothing: GitPython would pass on ours, so the command starts
with `env -i`. No value of it is secret; a token travels in a configuration file that only its owner
can read.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from auditor.child_process import limit_command

EMPTY_TREE = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

GIT_SETTINGS = (
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.hooksPath=/dev/null",
    "core.symlinks=false",
    "core.protectNTFS=true",
    "core.protectHFS=true",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.pager=cat",
    "core.quotePath=true",
    "core.bigFileThreshold=32m",
    "core.packedGitLimit=512m",
    "core.packedGitWindowSize=64m",
    "log.showSignature=false",
    "log.mailmap=false",
    "i18n.logOutputEncoding=UTF-8",
    "diff.renameLimit=1000",
    "diff.suppressBlankEmpty=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=no",
    "fetch.negotiationAlgorithm=noop",
    "fetch.fsckObjects=true",
    "fetch.fsck.badTimezone=ignore",
    "fetch.fsck.zeroPaddedFilemode=ignore",
    "transfer.bundleURI=false",
    "credential.helper=",
    "protocol.version=2",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.followRedirects=initial",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=30",
    "safe.directory=*",
    "advice.graftFileDeprecated=false",
)


def git_environment(home: Path, *, protocols: str, id_length: int = 40) -> dict[str, str]:
    """The environment variables of a git process.

    `protocols` lists the transports it may use, separated by colons; with none it cannot leave the
    machine and does not even see which remote there is: a missing object is then simply missing.
    """
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig") if protocols else os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_ATTR_SOURCE": EMPTY_TREE[id_length],
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "GIT_SSH_COMMAND": _ssh_command() if "ssh" in protocols.split(":") else "false",
        "GIT_ALLOW_PROTOCOL": protocols or "none",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_PAGER": "cat",
        "GIT_LITERAL_PATHSPECS": "1",
        **{name: os.environ[name] for name in ("NO_PROXY", "no_proxy") if protocols and name in os.environ},
        **{name: os.environ[name] for name in _GIT_SELECTION_VARIABLES if name in os.environ},
        **({"SSH_AUTH_SOCK": os.environ["SSH_AUTH_SOCK"]} if _uses_ssh_agent(protocols) else {}),
    }


_GIT_SELECTION_VARIABLES = ("DEVELOPER_DIR",)
"""On macOS `/usr/bin/git` only starts the git of the developer tools that this names, or of the selected ones."""


def _ssh_command() -> str:
    """How git calls ssh, as a shell reads it. In a value of ssh, blanks need quotes and a percent sign is doubled."""
    command = ["ssh", "-oBatchMode=yes", "-oConnectTimeout=20"]
    try:
        known = str(Path.home() / ".ssh/known_hosts").replace("%", "%%")
    except RuntimeError:  # a user without a home: ssh looks where it would look by itself
        return shlex.join(command)
    return shlex.join([*command, f'-oUserKnownHostsFile="{known}"'])


def _uses_ssh_agent(protocols: str) -> bool:
    return "ssh" in protocols.split(":") and "SSH_AUTH_SOCK" in os.environ


MEMORY_LIMIT_KB = 4 * 1024 * 1024
"""Address space of a git process. A tree of a few kilobytes can unfold into ten thousand million entries,
all of which git would collect before it prints the first."""


def git_command(
    variables: dict[str, str], git_dir: Path, arguments: tuple[str, ...], more: tuple[str, ...] = ()
) -> list[str]:
    """The whole argument list of one git process; `more` are settings that win over the usual ones."""
    settings = [part for setting in (*GIT_SETTINGS, *more) for part in ("-c", setting)]
    named = [f"{name}={value}" for name, value in variables.items()]
    git = ["git", "--no-pager", f"--git-dir={git_dir}", *settings, *arguments]
    return ["env", "-i", *named, *limit_command(git, memory_kb=MEMORY_LIMIT_KB)]
