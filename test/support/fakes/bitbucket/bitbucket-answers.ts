import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Refusal } from "../code-host/host-answer.ts";
import type { HostedPull } from "../code-host/hosted-repository.ts";
import {
  type BitbucketComment,
  type BitbucketRepository,
  type BitbucketUser,
  shortOf,
} from "./bitbucket-repository.ts";

/** A request about a repository. */
interface BitbucketRequest {
  /** The parts of the path after the repository. */
  parts: string[];
  query: URLSearchParams;
  /** JSON, or the fields of a form. */
  body: unknown;
  user: BitbucketUser;
  /** The website. */
  url: string;
}
type Answer = (repository: BitbucketRepository, request: BitbucketRequest) => unknown;

/** An answer without content. */
export const NOTHING = Symbol("nothing");

/** The items of a list, of which the server sends pages. */
export class Items {
  readonly all: object[];
  constructor(all: object[]) {
    this.all = all;
  }
}

/** The content of a file. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const statusBody = z.object({
  key: z.string().max(40),
  state: z.string(),
  name: z.string().max(255),
  description: z.string().max(255),
  url: z.url().max(450),
  refname: z.string().optional(),
});
const hookBody = z.object({
  description: z.string(),
  url: z.url(),
  active: z.literal(true),
  secret: z.string().min(1),
  events: z.array(z.string()).min(1),
});
const formBody = z.object({ branch: z.string(), parents: z.string(), message: z.string() });
const pullBody = z.object({
  title: z.string(),
  description: z.string(),
  source: z.object({ branch: z.object({ name: z.string() }) }),
  destination: z.object({ branch: z.object({ name: z.string() }) }),
});
const commentBody = z.object({ content: z.object({ raw: z.string().min(1).max(32_768) }) });
/** `source.branch.name = "…"`, the only filter of the service. */
const BRANCH_FILTER = /^source\.branch\.name = (".*")$/;

function found<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Refusal(404, `${what} not found`);
  return value;
}

function commitOf(repository: BitbucketRepository, start: string): { hash: string; message: string } {
  const hash = found(repository.shaOf(start), "Commit");
  return { hash, message: repository.commits.get(hash)?.message ?? "" };
}

const STATES = { open: "OPEN", closed: "DECLINED" };

/** Returns a pull request as events and the API have it. */
export function viewOfPull(repository: BitbucketRepository, pull: HostedPull): object {
  const base = repository.branches.get(pull.base.ref) ?? "";
  const { uuid } = repository;
  const author = { type: "user", uuid: "{author}", nickname: pull.author, display_name: pull.author };
  return {
    ...{ id: pull.number, title: pull.title, description: pull.body, author, updated_on: pull.updatedAt },
    state: pull.merged ? "MERGED" : STATES[pull.state],
    merge_commit: pull.mergeSha === null ? null : { hash: shortOf(pull.mergeSha) },
    source: {
      ...{ branch: { name: pull.head.ref }, commit: { hash: shortOf(pull.head.sha) } },
      repository: { uuid: pull.fork ? "{f0f0f0f0-0000-4000-8000-000000000000}" : uuid },
    },
    destination: {
      ...{ branch: { name: pull.base.ref }, commit: { hash: shortOf(base) }, repository: { uuid } },
    },
  };
}

/** Returns a repository as events have it. */
export function viewOfRepository(url: string, { uuid, path, name, isPrivate }: BitbucketRepository): object {
  return {
    ...{ type: "repository", uuid, full_name: path, name, is_private: isPrivate },
    links: { html: { href: `${url}/${path}` } },
  };
}

function viewOfComment(
  repository: BitbucketRepository,
  { url }: BitbucketRequest,
  comment: BitbucketComment,
) {
  const { pull, ...rest } = comment;
  const href = `${url}/${repository.path}/pull-requests/${pull}/_/diff#comment-${comment.id}`;
  return { ...rest, links: { html: { href } } };
}

function commentOf(repository: BitbucketRepository, { parts, user }: BitbucketRequest): BitbucketComment {
  const comment = found(
    repository.notes.find(({ id, deleted }) => String(id) === parts[3] && !deleted),
    "Comment",
  );
  if (comment.user.uuid !== user.uuid) throw new Refusal(403, "You are not the author of this comment.");
  return comment;
}

function pullOf(repository: BitbucketRepository, { parts }: BitbucketRequest): HostedPull {
  return found(
    repository.pulls.find(({ number }) => String(number) === parts[1]),
    "Pull request",
  );
}

function setStatus(repository: BitbucketRepository, start: string, body: unknown): object {
  const { hash: sha } = commitOf(repository, start);
  const status = { sha, ...statusBody.parse(body) };
  const at = repository.statuses.findIndex(each => each.sha === sha && each.key === status.key);
  repository.statuses.splice(at === -1 ? repository.statuses.length : at, at === -1 ? 0 : 1, status);
  repository.states.push([status.state, status.url]);
  return status;
}

function fileAt(repository: BitbucketRepository, { parts, query }: BitbucketRequest): unknown {
  const [, sha = "", ...names] = parts;
  commitOf(repository, sha);
  const files = repository.filesAt(sha);
  const path = names.join("/");
  if (path === "") {
    const all = new Set(Object.keys(files).map(name => name.split("/")[0] ?? ""));
    return new Items(
      [...all].map(name => ({ path: name, type: name in files ? "commit_file" : "commit_directory" })),
    );
  }
  const isFolder = Object.keys(files).some(name => name.startsWith(`${path}/`));
  if (query.get("format") !== "meta") return new Raw(found(files[path], "File"));
  if (isFolder) return { path, type: "commit_directory" };
  return { path, type: "commit_file", size: Buffer.byteLength(found(files[path], "File")) };
}

function addCommit(repository: BitbucketRepository, body: unknown): void {
  const { branch, parents, message } = formBody.parse(body);
  const head = repository.branches.get(branch);
  if (head !== undefined && head !== parents) throw new Refusal(409, "The parent is not the branch's head.");
  const added = Object.entries(z.record(z.string(), z.string()).parse(body)).flatMap(([name, text]) =>
    name.startsWith("/") ? [[name.slice(1), text]] : [],
  );
  const tree = repository.addTree({ ...repository.filesAt(parents), ...Object.fromEntries(added) });
  repository.branches.set(branch, repository.addCommit(tree, [parents], message));
}

/** The two commits of a range such as `a..b`. */
function rangeOf(parts: string[]): [first: string, second: string] {
  const [first = "", second = ""] = (parts[1] ?? "").split("..");
  return [first, second];
}

/** Handlers of requests about a repository, by method and the fixed parts of the path. */
export const REPOSITORY_ANSWERS: Record<string, Answer> = {
  "GET ": (repository, { url }) => ({
    ...viewOfRepository(url, repository),
    mainbranch: { name: repository.defaultBranch },
    parent: repository.fork ? { type: "repository" } : null,
  }),
  "POST hooks": (repository, { body }) => {
    const { url, secret, events } = hookBody.parse(body);
    const made = { uuid: `{${randomUUID()}}`, url, secret, events };
    repository.hooks.push(made);
    return made;
  },
  "PUT hooks": (repository, { parts, body }) => {
    const { url, secret, events } = hookBody.parse(body);
    const hook = repository.hooks.find(({ uuid }) => uuid === parts[1]);
    return Object.assign(found(hook, "Webhook"), { url, secret, events });
  },
  "DELETE hooks": (repository, { parts }) => {
    const at = repository.hooks.findIndex(({ uuid }) => uuid === parts[1]);
    if (at === -1) throw new Refusal(404, "Webhook not found");
    repository.hooks.splice(at, 1);
    return NOTHING;
  },
  "GET refs/branches": (repository, { parts }) => ({
    name: parts[2],
    target: commitOf(repository, found(repository.branches.get(parts[2] ?? ""), "Branch")),
  }),
  "GET refs/tags": (repository, { parts }) => ({
    name: parts[2],
    target: commitOf(repository, found(repository.tags.get(parts[2] ?? ""), "Tag")),
  }),
  "GET src": fileAt,
  "POST src": (repository, { body }) => {
    addCommit(repository, body);
    return NOTHING;
  },
  "GET commit": (repository, { parts }) => commitOf(repository, parts[1] ?? ""),
  "POST commit/statuses": (repository, { parts, body }) => setStatus(repository, parts[1] ?? "", body),
  "PUT commit/statuses": (repository, { parts, body }) => {
    const { hash } = commitOf(repository, parts[1] ?? "");
    found(
      repository.statuses.find(({ sha, key }) => sha === hash && key === parts[4]),
      "Build status",
    );
    return setStatus(repository, hash, body);
  },
  "GET commit/statuses": (repository, { parts }) =>
    found(
      repository.statuses.find(({ sha, key }) => sha === parts[1] && key === parts[4]),
      "Build status",
    ),
  "GET commits": (repository, { parts, query }) => {
    const { ahead } = found(repository.compare(query.get("exclude") ?? "", parts[1] ?? ""), "Ancestor");
    return new Items(ahead.toReversed().map(sha => commitOf(repository, sha)));
  },
  "GET merge-base": (repository, { parts }) => {
    const [first, second] = rangeOf(parts);
    return commitOf(repository, found(repository.compare(first, second), "Ancestor").mergeBase);
  },
  "GET diffstat": (repository, { parts }) => {
    const [changed, base] = rangeOf(parts);
    return new Items(
      repository.changedFiles(base, changed).map(({ filename, status }) => ({
        status,
        old: status === "added" ? null : { path: filename },
        new: status === "removed" ? null : { path: filename },
      })),
    );
  },
  "GET pullrequests": (repository, { query }) => {
    const states = query.has("state") ? query.getAll("state") : ["OPEN"];
    const q = query.get("q");
    const branch = q === null ? null : JSON.parse(BRANCH_FILTER.exec(q)?.[1] ?? "");
    const all = repository.pulls.filter(
      pull =>
        states.includes(pull.merged ? "MERGED" : STATES[pull.state]) &&
        pull.head.ref === (branch ?? pull.head.ref),
    );
    return new Items(all.toReversed().map(pull => viewOfPull(repository, pull)));
  },
  "POST pullrequests": (repository, { body }) => {
    const { title, description, source, destination } = pullBody.parse(body);
    const of = { title, body: description, head: source.branch.name, base: destination.branch.name };
    return viewOfPull(repository, repository.addPull(of));
  },
  "GET pullrequests/commits": (repository, request) => {
    const pull = pullOf(repository, request);
    const base = repository.branches.get(pull.base.ref) ?? "";
    const { ahead } = found(repository.compare(base, pull.head.sha), "Ancestor");
    return new Items(ahead.toReversed().map(hash => ({ hash })));
  },
  "GET pullrequests/comments": (repository, request) => {
    const { number } = pullOf(repository, request);
    const all = repository.notes
      .filter(({ pull }) => pull === number)
      .map(comment => viewOfComment(repository, request, comment));
    const { parts, query } = request;
    if (parts[3] !== undefined)
      return found(
        all.find(({ id }) => String(id) === parts[3]),
        "Comment",
      );
    return new Items(query.get("sort") === "-created_on" ? all.toReversed() : all);
  },
  "POST pullrequests/comments": (repository, request) => {
    const { number } = pullOf(repository, request);
    const { content } = commentBody.parse(request.body);
    return viewOfComment(repository, request, repository.addComment(number, content.raw, request.user));
  },
  "PUT pullrequests/comments": (repository, request) => {
    const { content } = commentBody.parse(request.body);
    const changed = { content, updated_on: new Date().toISOString() };
    return viewOfComment(repository, request, Object.assign(commentOf(repository, request), changed));
  },
  "DELETE pullrequests/comments": (repository, request) => {
    Object.assign(commentOf(repository, request), { deleted: true, content: { raw: "" } });
    return NOTHING;
  },
};
