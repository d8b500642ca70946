"""The fake's answers in GitHub's shapes."""

from __future__ import annotations

from typing import Any

from tests.fake_github.state import APPS, Pull, StoredComment, StoredReview, StoredRun

_WHEN = "2026-11-21T08:00:00Z"


def user(login: str) -> dict[str, Any]:
    """An account."""
    at = f"https://api.github.com/users/{login}"
    return {
        "login": login,
        "id": sum(login.encode()),
        "node_id": "U_1",
        "avatar_url": "https://avatars.githubusercontent.com/u/1",
        "gravatar_id": "",
        "url": at,
        "html_url": f"https://github.com/{login}",
        "followers_url": f"{at}/followers",
        "following_url": f"{at}/following{{/other_user}}",
        "gists_url": f"{at}/gists{{/gist_id}}",
        "starred_url": f"{at}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{at}/subscriptions",
        "organizations_url": f"{at}/orgs",
        "repos_url": f"{at}/repos",
        "events_url": f"{at}/events{{/privacy}}",
        "received_events_url": f"{at}/received_events",
        "type": "Bot" if login.endswith("[bot]") else "User",
        "site_admin": False,
    }


def app(slug: str) -> dict[str, Any]:
    """A GitHub App."""
    return {
        "id": APPS[slug],
        "slug": slug,
        "node_id": "A_1",
        "owner": user("github"),
        "name": slug,
        "description": None,
        "external_url": "https://example.com",
        "html_url": f"https://github.com/apps/{slug}",
        "created_at": _WHEN,
        "updated_at": _WHEN,
        "permissions": {"checks": "write"},
        "events": [],
    }


def comment(stored: StoredComment, site: str, api: str, repository: str) -> dict[str, Any]:
    """A comment."""
    return {
        "id": stored.id,
        "node_id": "IC_1",
        "url": f"{api}/repos/{repository}/issues/comments/{stored.id}",
        "html_url": f"{site}/{repository}/pull/{stored.pull}#issuecomment-{stored.id}",
        "issue_url": f"{api}/repos/{repository}/issues/{stored.pull}",
        "body": stored.body,
        "user": user(stored.author),
        "created_at": _WHEN,
        "updated_at": _WHEN,
        "author_association": "CONTRIBUTOR",
        "performed_via_github_app": None,
    }


def review(stored: StoredReview, site: str, api: str, repository: str) -> dict[str, Any]:
    """A review."""
    return {
        "id": stored.id,
        "node_id": "PRR_1",
        "user": user(stored.author),
        "body": "",
        "state": stored.state,
        "html_url": f"{site}/{repository}/pull/{stored.pull}#pullrequestreview-{stored.id}",
        "pull_request_url": f"{api}/repos/{repository}/pulls/{stored.pull}",
        "submitted_at": _WHEN,
        "commit_id": stored.commit,
        "author_association": "NONE" if stored.author.startswith("crowd-") else "MEMBER",
        "_links": {
            "html": {"href": f"{site}/{repository}/pull/{stored.pull}"},
            "pull_request": {"href": f"{api}/repos/{repository}/pulls/{stored.pull}"},
        },
    }


def permission(login: str, level: str) -> dict[str, Any]:
    """What somebody may do in the repository."""
    return {"permission": level, "role_name": level, "user": None}


def check_run(stored: StoredRun, site: str, api: str, repository: str) -> dict[str, Any]:
    """A check run."""
    url = f"{api}/repos/{repository}/check-runs/{stored.id}"
    return {
        "id": stored.id,
        "node_id": "CR_1",
        "name": stored.name,
        "head_sha": stored.head_sha,
        "external_id": stored.external_id,
        "url": url,
        "html_url": f"{site}/{repository}/runs/{stored.id}",
        "details_url": stored.details_url or "https://example.com",
        "status": stored.status,
        "conclusion": stored.conclusion,
        "started_at": stored.started_at,
        "completed_at": stored.completed_at,
        "output": {
            "title": stored.output.get("title"),
            "summary": stored.output.get("summary"),
            "text": stored.output.get("text"),
            "annotations_count": len(stored.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": stored.suite},
        "app": app(stored.app),
        "pull_requests": [],
    }


def annotation(stored: dict[str, Any], site: str) -> dict[str, Any]:
    """An annotation."""
    return {
        "path": stored["path"],
        "blob_href": f"{site}/blob",
        "start_line": stored["start_line"],
        "end_line": stored["end_line"],
        "start_column": stored.get("start_column"),
        "end_column": stored.get("end_column"),
        "annotation_level": stored["annotation_level"],
        "title": stored.get("title"),
        "message": stored["message"],
        "raw_details": stored.get("raw_details"),
    }


def pull(stored: Pull, site: str, api: str, repository: str, *, alone: bool) -> dict[str, Any]:
    """A pull request; in lists without what GitHub works out late."""
    shown: dict[str, Any] = {
        "id": 9_000 + stored.number,
        "number": stored.number,
        "url": f"{api}/repos/{repository}/pulls/{stored.number}",
        "html_url": f"{site}/{repository}/pull/{stored.number}",
        "state": stored.state,
        "draft": stored.draft,
        "title": stored.title,
        "body": stored.body,
        "user": user(stored.author),
        "labels": [{"id": number, "name": name} for number, name in enumerate(stored.labels)],
        "merged_at": _WHEN if stored.merged else None,
        "merge_commit_sha": stored.merge_commit_sha,
        "head": {
            "ref": stored.head_ref,
            "sha": stored.head_sha,
            "label": f"{(stored.head_repository or 'unknown/x').partition('/')[0]}:{stored.head_ref}",
            "repo": {"full_name": stored.head_repository, "fork": stored.head_repository != repository}
            if stored.head_repository
            else None,
        },
        "base": {"ref": stored.base_ref, "sha": stored.base_sha, "repo": {"full_name": repository, "fork": False}},
    }
    return {**shown, "merged": stored.merged, "mergeable": stored.mergeable} if alone else shown
