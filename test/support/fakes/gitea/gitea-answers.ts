import { z } from "zod";
import { Refusal } from "../code-host/host-answer.ts";
import type { HostedPull } from "../code-host/hosted-repository.ts";
import type { GiteaComment, GiteaRepository } from "./gitea-repository.ts";

/** A request about a repository. */
interface GiteaRequest {
  method: string;
  /** The parts of the path after the repository. */
  parts: string[];
  query: Record<string, string>;
  body: unknown;
  user: { id: number; login: string; canWrite: boolean; isAdmin: boolean };
  url: string;
  /** The instance's own limit. */
  maxPageSize: number;
  /** Sends the number of items on all pages. */
  setTotal(total: number): void;
}
type Answers = Record<string, (repository: GiteaRepository, request: GiteaRequest) => unknown>;

/** An answer without content. */
export const NOTHING = Symbol("nothing");

const statusBody = z.object({
  state: z.enum(["pending", "success", "error", "failure"]),
  context: z.string(),
  description: z.string(),
  target_url: z.string().default(""),
});
const hookBody = z.object({
  type: z.literal("gitea").optional(),
  config: z.object({ url: z.url(), content_type: z.literal("json"), secret: z.string() }),
  events: z.array(z.string()),
  active: z.literal(true),
});
const filesBody = z.object({
  new_branch: z.string(),
  message: z.string(),
  files: z.array(z.object({ operation: z.literal("create"), path: z.string(), content: z.base64() })),
});
const pullBody = z.object({ title: z.string(), body: z.string(), head: z.string(), base: z.string() });
const commentBody = z.object({ body: z.string().min(1) });

function found<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Refusal(404, `${what} does not exist`);
  return value;
}

function commitOf(repository: GiteaRepository, sha: string): object {
  const { message, parents } = found(repository.commits.get(sha), "commit");
  const [parent] = parents;
  const files = parent === undefined ? [] : repository.changedFiles(parent, sha);
  return {
    ...{ sha, commit: { message }, parents: parents.map(each => ({ sha: each })) },
    files: files.map(({ filename }) => ({ filename, status: "modified" })),
  };
}

function page<T>(all: T[], { query, maxPageSize, setTotal }: GiteaRequest): T[] {
  setTotal(all.length);
  const [size, at] = [Math.min(Number(query.limit), maxPageSize), Number(query.page)];
  return all.slice((at - 1) * size, at * size);
}

/** Returns a pull request as events and the API have it. */
export function viewOfPull(repository: GiteaRepository, pull: HostedPull): object {
  const { id } = repository;
  const base = repository.branches.get(pull.base.ref) ?? "";
  return {
    ...{ number: pull.number, state: pull.state, title: pull.title, body: pull.body, merged: pull.merged },
    ...{ merge_commit_sha: pull.mergeSha, updated_at: pull.updatedAt, user: { id: 5, login: pull.author } },
    merge_base: repository.compare(base, pull.head.sha)?.mergeBase ?? "",
    head: { ref: pull.head.ref, sha: pull.head.sha, repo_id: pull.fork ? id + 1 : id },
    base: { ref: pull.base.ref, sha: base, repo_id: id },
  };
}

/** Returns a repository as events and the API have it. */
export function viewOfRepository(url: string, repository: GiteaRepository): object {
  const { id, name, owner, path, defaultBranch, archived, isPrivate, fork } = repository;
  return {
    ...{ id, name, full_name: path, owner: { login: owner }, html_url: `${url}/${path}` },
    ...{ default_branch: defaultBranch, archived, fork, private: isPrivate, internal: false, has_code: true },
  };
}

function viewOfComment(repository: GiteaRepository, { url }: GiteaRequest, comment: GiteaComment): object {
  const { pull, ...rest } = comment;
  return { ...rest, html_url: `${url}/${repository.path}/pulls/${pull}#issuecomment-${comment.id}` };
}

function ownComment(repository: GiteaRepository, { parts, user }: GiteaRequest): GiteaComment {
  const comment = found(
    repository.notes.find(({ id }) => String(id) === parts[2]),
    "comment",
  );
  if (comment.user.id !== user.id && !user.isAdmin) throw new Refusal(403, "Forbidden");
  return comment;
}

function hookOf(repository: GiteaRepository, { parts, user }: GiteaRequest) {
  if (!user.isAdmin) throw new Refusal(403, "Must be an owner of the repository");
  return found(
    repository.hooks.find(({ id }) => String(id) === parts[1]),
    "hook",
  );
}

/** Handlers of requests about a repository, by method and the fixed parts of the path. */
export const REPOSITORY_ANSWERS: Answers = {
  "GET ": (repository, { url, user }) => ({
    ...viewOfRepository(url, repository),
    permissions: { admin: user.isAdmin, push: user.canWrite, pull: true },
  }),
  "POST hooks": (repository, { user, body }) => {
    if (!user.isAdmin) throw new Refusal(403, "Must be an owner of the repository");
    const { config, events } = hookBody.parse(body);
    const made = { id: repository.hooks.length + 1, url: config.url, secret: config.secret, events };
    repository.hooks.push(made);
    return made;
  },
  "PATCH hooks": (repository, request) => {
    const { config, events } = hookBody.parse(request.body);
    return Object.assign(hookOf(repository, request), { url: config.url, secret: config.secret, events });
  },
  "DELETE hooks": (repository, request) => {
    repository.hooks.splice(repository.hooks.indexOf(hookOf(repository, request)), 1);
    return NOTHING;
  },
  "POST statuses": (repository, { parts, user, body }) => {
    if (!user.canWrite) throw new Refusal(403, "Forbidden");
    const sha = parts[1] ?? "";
    found(repository.commits.get(sha), "commit");
    const { state, ...rest } = statusBody.parse(body);
    const made = { id: repository.statuses.length + 1, sha, status: state, ...rest };
    repository.statuses.push(made);
    return made;
  },
  "GET statuses": (repository, request) => {
    const ofCommit = repository.statuses.filter(({ sha }) => sha === request.parts[1]);
    return page(ofCommit.toReversed(), request);
  },
  "GET branches": (repository, { parts }) => ({
    name: parts[1],
    commit: { id: found(repository.branches.get(parts[1] ?? ""), "branch") },
  }),
  "GET tags": (repository, { parts }) => ({
    name: parts[1],
    id: found(repository.tags.get(parts[1] ?? ""), "tag"),
  }),
  "GET git/commits": (repository, { parts }) => commitOf(repository, parts[2] ?? ""),
  "GET compare": (repository, { parts }) => {
    const [base = "", head = ""] = (parts[1] ?? "").split("...");
    const { ahead } = found(repository.compare(base, head), "common ancestor");
    const commits = ahead.map(sha => commitOf(repository, sha));
    return { total_commits: commits.length, commits: commits.length === 0 ? null : commits };
  },
  "GET contents": (repository, { parts, query }) => {
    const files = repository.filesAt(query.ref ?? repository.defaultBranch);
    if (parts[1] === undefined) {
      const names = new Set(Object.keys(files).map(path => path.split("/")[0] ?? ""));
      return [...names].map(name => ({ name, path: name }));
    }
    const content = Buffer.from(found(files[parts[1]], "object"));
    return {
      ...{ name: parts[1], type: "file", size: content.length },
      ...{ encoding: "base64", content: content.toString("base64") },
    };
  },
  "POST contents": (repository, { user, body }) => {
    if (!user.canWrite) throw new Refusal(403, "Forbidden");
    const { new_branch, message, files } = filesBody.parse(body);
    if (repository.branches.has(new_branch))
      throw new Refusal(422, `branch already exists [name: ${new_branch}]`);
    const base = found(repository.branches.get(repository.defaultBranch), "branch");
    const added = Object.fromEntries(
      files.map(({ path, content }) => [path, Buffer.from(content, "base64").toString()]),
    );
    const tree = repository.addTree({ ...repository.filesAt(base), ...added });
    repository.branches.set(new_branch, repository.addCommit(tree, [base], message));
    return { commit: { sha: repository.branches.get(new_branch) } };
  },
  "GET pulls": (repository, request) => {
    const { state } = request.query;
    const all = repository.pulls.filter(pull => state === "all" || pull.state === state);
    return page(
      all.toReversed().map(pull => viewOfPull(repository, pull)),
      request,
    );
  },
  "GET pulls/commits": (repository, request) => {
    const pull = found(
      repository.pulls.find(({ number }) => String(number) === request.parts[1]),
      "pull request",
    );
    const base = repository.branches.get(pull.base.ref) ?? "";
    const { ahead } = found(repository.compare(base, pull.head.sha), "common ancestor");
    return page(
      ahead.map(sha => ({ sha })),
      request,
    );
  },
  "POST pulls": (repository, { user, body }) => {
    if (!user.canWrite) throw new Refusal(403, "Forbidden");
    return viewOfPull(repository, repository.addPull(pullBody.parse(body)));
  },
  "GET issues/comments": (repository, request) =>
    repository.notes
      .filter(({ pull }) => String(pull) === request.parts[1])
      .map(comment => viewOfComment(repository, request, comment)),
  "POST issues/comments": (repository, request) => {
    const pull = Number(request.parts[1]);
    if (!repository.pulls.some(({ number }) => number === pull))
      throw new Refusal(404, "issue does not exist");
    const { id, login } = request.user;
    const { body } = commentBody.parse(request.body);
    return viewOfComment(repository, request, repository.addComment(pull, body, { id, login }));
  },
  "PATCH issues/comments": (repository, request) => {
    const { body } = commentBody.parse(request.body);
    return viewOfComment(repository, request, Object.assign(ownComment(repository, request), { body }));
  },
  "DELETE issues/comments": (repository, request) => {
    repository.notes.splice(repository.notes.indexOf(ownComment(repository, request)), 1);
    return NOTHING;
  },
};
