import type { OpenPull } from "../code-host.ts";
import { pullsContaining } from "../fork-pulls.ts";
import { inTime } from "../in-time.ts";
import { PER_PAGE, type RepositoryAccess } from "./github-app.ts";

/** Pull requests that changed earlier are not searched. */
const MAX_PULL_PAGES = 5;
/** GitHub lists at most 250 commits of a pull request. */
const MAX_COMMIT_PAGES = 3;

/** A pull request as GitHub lists it. */
interface HostPull {
  number: number;
  user: { login: string } | null;
  /** The repository is null after a fork was deleted, although the client's type does not say so. */
  head: { ref: string; sha: string; repo: { id: number | bigint } | null };
  base: { ref: string; repo: { id: number | bigint; default_branch: string } };
  updated_at: string;
}

/** Returns the open pull requests whose head is this commit. */
export async function openPullsAt(access: RepositoryAccess, sha: string): Promise<OpenPull[]> {
  const own = await ownPullsWith(access, sha);
  const found = own.length > 0 ? own : await latestPulls(access, sha);
  return found.filter(pull => pull.sha === sha);
}

/**
 * Returns the open pull requests that contain this commit. Pull requests of forks are not searched for a commit at the
 * head of the repository's own branches, or on its default branch.
 */
export async function openPullsWith(
  access: RepositoryAccess,
  sha: string,
  defaultBranch: () => Promise<string>,
): Promise<OpenPull[]> {
  const own = await ownPullsWith(access, sha);
  if (own.length > 0 || (await isHeadOfBranch(access, sha))) return own;
  if (await isOnBranch(access, sha, await defaultBranch())) return own;
  const latest = await latestPulls(access, sha);
  const found = latest.filter(pull => pull.sha === sha);
  if (found.length > 0) return found;
  return pullsContaining(
    latest,
    ({ fromFork }) => ({ isOfFork: fromFork, isAtCommit: false }),
    pull => hasCommit(access, pull, sha),
  );
}

/** Returns the open pull requests from the repository's own branches. GitHub's search doesn't find those from forks. */
async function ownPullsWith({ request, name }: RepositoryAccess, sha: string): Promise<OpenPull[]> {
  const { data } = await request("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", {
    ...name,
    commit_sha: sha,
  });
  return data.filter(({ state }) => state === "open").map(toOpenPull);
}

/** Returns the open pull requests, latest change first, up to the page that has one at this commit. */
async function latestPulls({ request, name }: RepositoryAccess, sha: string): Promise<OpenPull[]> {
  const all: OpenPull[] = [];
  for (let page = 1; page <= MAX_PULL_PAGES; page++) {
    const { data } = await request("GET /repos/{owner}/{repo}/pulls", {
      ...name,
      state: "open",
      sort: "updated",
      direction: "desc",
      per_page: PER_PAGE,
      page,
    });
    all.push(...data.map(toOpenPull));
    if (data.length < PER_PAGE || data.some(({ head }) => head.sha === sha)) break;
  }
  return all;
}

async function isHeadOfBranch({ request, name }: RepositoryAccess, sha: string): Promise<boolean> {
  const { data } = await request("GET /repos/{owner}/{repo}/commits/{commit_sha}/branches-where-head", {
    ...name,
    commit_sha: sha,
  });
  return data.length > 0;
}

async function isOnBranch(
  { request, name }: RepositoryAccess,
  sha: string,
  branch: string,
): Promise<boolean> {
  const compared = await inTime(
    request("GET /repos/{owner}/{repo}/compare/{basehead}", {
      ...name,
      basehead: `${branch}...${sha}`,
      per_page: 1,
    }),
  );
  return compared?.data.ahead_by === 0;
}

async function hasCommit(
  { request, name }: RepositoryAccess,
  { number }: OpenPull,
  sha: string,
): Promise<boolean> {
  for (let page = 1; page <= MAX_COMMIT_PAGES; page++) {
    const { data } = await request("GET /repos/{owner}/{repo}/pulls/{pull_number}/commits", {
      ...name,
      pull_number: number,
      per_page: PER_PAGE,
      page,
    });
    if (data.some(commit => commit.sha === sha)) return true;
    if (data.length < PER_PAGE) break;
  }
  return false;
}

function toOpenPull({ number, head, base, user, updated_at }: HostPull): OpenPull {
  return {
    number,
    sha: head.sha,
    branch: head.ref,
    base: base.ref,
    defaultBranch: base.repo.default_branch,
    author: user?.login ?? null,
    fromFork: head.repo?.id !== base.repo.id,
    updatedAt: updated_at,
  };
}
