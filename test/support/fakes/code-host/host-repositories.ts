import { z } from "zod";
import { type HostAnswers, Refusal } from "./host-answer.ts";
import { type ChangedFile, type HostedRepository, shaOf } from "./hosted-repository.ts";

const treeBody = z.object({
  base_tree: z.string(),
  tree: z.array(z.object({ path: z.string(), content: z.string() })),
});

/** The real API lists at most so many files of a comparison. */
const MAX_FILES = 300;

/** Returns a file of a comparison, as the real API describes it. */
function diffEntry({ filename, status, content }: ChangedFile): object {
  const additions = status === "removed" ? 0 : content.split("\n").length;
  const url = `https://host.example/${filename}`;
  return {
    ...{ filename, status, additions, deletions: 0, changes: additions },
    ...{ sha: shaOf(content), blob_url: url, raw_url: url, contents_url: url, patch: content.slice(0, 200) },
  };
}

/** Handlers for branches, files, commits, and pull requests. */
export const REPOSITORY_ANSWERS: HostAnswers = {
  GET: (repository, _asked, host) => viewOf(host, repository),
  "GET contents": (repository, request) => {
    const path = request.parts.slice(1).join("/");
    if (repository.branches.size === 0) throw new Refusal(404, "This repository is empty.");
    const content = repository.filesAt(
      (request.query.ref ?? repository.defaultBranch).replace("refs/heads/", ""),
    )[path];
    if (content === undefined) throw new Refusal(404, "Not Found");
    const size = Buffer.byteLength(content);
    // The host omits larger contents.
    if (size > 1024 * 1024) return { type: "file", encoding: "none", path, size, content: "" };
    return {
      type: "file",
      encoding: "base64",
      path,
      size,
      content: Buffer.from(content).toString("base64"),
    };
  },
  "GET git/ref": (repository, request) => {
    if (repository.branches.size === 0) throw new Refusal(409, "Git Repository is empty.");
    const ref = request.parts.slice(2).join("/");
    const [, kind, name = ""] = /^(heads|tags)\/(.+)$/.exec(ref) ?? [];
    const sha = (kind === "tags" ? repository.tags : repository.branches).get(name);
    if (sha === undefined) throw new Refusal(404, "Not Found");
    return { ref: `refs/${ref}`, object: { type: "commit", sha } };
  },
  "GET git/trees": (repository, request) => {
    const sha = request.parts[2] ?? "";
    if (!repository.commits.has(sha)) throw new Refusal(404, "Not Found");
    const files = Object.keys(repository.filesAt(sha));
    const top = new Map(files.map(path => [path.split("/")[0] ?? "", path.includes("/") ? "tree" : "blob"]));
    return { sha, tree: [...top].map(([path, type]) => ({ path, type })), truncated: false };
  },
  "GET git/commits": (repository, request) => {
    const commit = repository.commits.get(request.parts[2] ?? "");
    if (!commit) throw new Refusal(404, "Not Found");
    return { sha: request.parts[2], tree: { sha: commit.tree } };
  },
  "GET compare": (repository, request) => {
    const [base = "", head = ""] = request.parts.slice(1).join("/").split("...");
    const found = repository.compare(base, head);
    if (!found) throw new Refusal(404, "Not Found");
    const { mergeBase, ahead, behind } = found;
    const [size, page] = [Number(request.query.per_page ?? 30), Number(request.query.page ?? 1)];
    return {
      ahead_by: ahead.length,
      behind_by: behind,
      total_commits: ahead.length,
      base_commit: {
        sha: base,
        commit: { message: repository.commits.get(base)?.message ?? "" },
      },
      merge_base_commit: { sha: mergeBase },
      commits: ahead.slice((page - 1) * size, page * size).map(sha => ({ sha })),
      // Only the first page has the files, of all commits together.
      ...(page === 1 && {
        files: repository.changedFiles(mergeBase, head).slice(0, MAX_FILES).map(diffEntry),
      }),
    };
  },
  "POST git/trees": (repository, request, host) => {
    const { base_tree, tree } = treeBody.parse(request.body);
    if (!host.mayWriteWorkflows && tree.some(({ path }) => path.startsWith(".github/workflows/")))
      throw new Refusal(403, "Resource not accessible by integration");
    const files = Object.fromEntries(tree.map(({ path, content }) => [path, content]));
    return { sha: repository.addTree({ ...repository.trees.get(base_tree), ...files }) };
  },
  "POST git/commits": (repository, request) => {
    const { tree, parents, message } = z
      .object({ tree: z.string(), parents: z.array(z.string()), message: z.string() })
      .parse(request.body);
    return { sha: repository.addCommit(tree, parents, message) };
  },
  "POST git/refs": (repository, request) => {
    const { ref, sha } = z.object({ ref: z.string(), sha: z.string() }).parse(request.body);
    const branch = ref.slice("refs/heads/".length);
    if (repository.branches.has(branch)) throw new Refusal(422, "Reference already exists");
    repository.branches.set(branch, sha);
    return { ref, object: { sha } };
  },
  "GET pulls": (repository, request) => {
    const { state = "open", head: source, per_page = 30, page = 1 } = request.query;
    const branch = source?.split(":")[1];
    const ofPage = <T>(all: T[]) =>
      all.slice((Number(page) - 1) * Number(per_page)).slice(0, Number(per_page));
    if (request.parts[2] === "commits") {
      const pull = repository.pulls.find(({ number }) => number === Number(request.parts[1]));
      if (!pull) throw new Refusal(404, "Not Found");
      return ofPage(repository.compare(pull.base.ref, pull.head.sha)?.ahead ?? []).map(sha => ({ sha }));
    }
    const found = repository.pulls.filter(
      pull => (state === "all" || pull.state === state) && (branch === undefined || pull.head.ref === branch),
    );
    return ofPage(found.toReversed()).map(pull => viewOfPull(repository, pull));
  },
  "POST pulls": (repository, request) => {
    const body = z
      .object({ head: z.string(), base: z.string(), title: z.string(), body: z.string() })
      .parse(request.body);
    if (repository.pulls.some(({ state, head }) => state === "open" && head.ref === body.head))
      throw new Refusal(422, "A pull request already exists");
    return viewOfPull(repository, repository.addPull(body));
  },
  "GET commits": (repository, request) => {
    const [, which = ""] = request.parts;
    const sha = which;
    if (request.parts[2] === "branches-where-head")
      return repository
        .ownBranchesAt(sha)
        .map(branch => ({ name: branch, commit: { sha }, protected: false }));
    if (request.parts[2] === "pulls")
      return (
        repository.pulls
          // A fork's commits are in another repository.
          .filter(pull => !pull.fork && repository.brings(pull, sha))
          .map(pull => viewOfPull(repository, pull))
      );
    const check_runs = repository.checks.filter(
      check => check.head_sha === sha && check.name === (request.query.check_name ?? check.name),
    );
    return { total_count: check_runs.length, check_runs };
  },
};

/** Returns a repository as the host's API does. */
export function viewOf(
  host: { url: string },
  { id, name, owner, defaultBranch, archived, fork, isPrivate }: HostedRepository,
): object {
  return {
    id,
    name,
    full_name: `${owner}/${name}`,
    owner: { login: owner },
    html_url: `${host.url}/${owner}/${name}`,
    default_branch: defaultBranch,
    archived,
    fork,
    private: isPrivate,
    disabled: false,
  };
}

function viewOfPull(
  { id, defaultBranch }: HostedRepository,
  { number, state, head, base, fork, author, updatedAt }: HostedRepository["pulls"][number],
): object {
  return {
    number,
    state,
    user: { login: author },
    updated_at: updatedAt,
    head: { ref: head.ref, sha: head.sha, repo: { id: fork ? id + 1 : id } },
    base: { ref: base.ref, repo: { id, default_branch: defaultBranch } },
  };
}
