import { z } from "zod";
import { Refusal } from "../code-host/host-answer.ts";
import type { HostedPull } from "../code-host/hosted-repository.ts";
import { type GitLabProject, setStatus } from "./gitlab-project.ts";
import { type GitLabRequest, type GitLabToken, NOTHING } from "./gitlab-server.ts";

type Request = GitLabRequest & { parts: string[]; token: GitLabToken };
type Answers = Record<
  string,
  (project: GitLabProject, request: Request, host: { url: string; projects: GitLabProject[] }) => unknown
>;

const MAINTAINER = 40;
const DEVELOPER = 30;

const noteBody = z.object({ body: z.string().min(1).max(1_000_000) });
const hookBody = z.object({
  url: z.url(),
  token: z.string(),
  merge_requests_events: z.boolean(),
  note_events: z.boolean(),
  deployment_events: z.boolean(),
});
const commitBody = z.object({
  branch: z.string(),
  start_sha: z.string(),
  commit_message: z.string(),
  actions: z.array(z.object({ action: z.literal("create"), file_path: z.string(), content: z.string() })),
});
const pullBody = z.object({
  title: z.string(),
  description: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
});

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Refusal(404, `404 ${what} Not Found`);
  return value;
}

function needs({ token }: Request, level: number): void {
  if (token.level < level) throw new Refusal(403, "403 Forbidden");
}

/** Returns the commit of a SHA, branch or full ref. */
function resolve(project: GitLabProject, ref: string): string {
  const name = ref.replace(/^refs\/heads\//, "");
  const sha = project.branches.get(name) ?? name;
  if (!project.commits.has(sha)) throw new Refusal(404, "404 Commit Not Found");
  return sha;
}

const commitOf = (project: GitLabProject, sha: string) => ({
  id: sha,
  short_id: sha.slice(0, 8),
  message: project.commits.get(sha)?.message ?? "",
});

function viewOfPull(project: GitLabProject, pull: HostedPull): object {
  return {
    iid: pull.number,
    state: pull.merged ? "merged" : pull.state === "open" ? "opened" : "closed",
    ...{ title: pull.title, description: pull.body, sha: pull.head.sha },
    ...{ source_branch: pull.head.ref, target_branch: pull.base.ref },
    ...{ source_project_id: pull.fork ? project.id + 1 : project.id, target_project_id: project.id },
    ...{ author: { username: pull.author }, updated_at: pull.updatedAt },
  };
}

/** Returns a project as events and the API have it. */
export function viewOfProject(host: { url: string }, project: GitLabProject): object {
  return {
    ...{ id: project.id, path_with_namespace: project.path, web_url: `${host.url}/${project.path}` },
    ...{ default_branch: project.defaultBranch, archived: project.archived },
    visibility: project.visibility,
    ...(project.fork && { forked_from_project: { id: project.id - 1 } }),
  };
}

function noteOf(project: GitLabProject, { parts, token }: Request) {
  const note = found(
    project.notes.find(({ id, pull }) => String(id) === parts[3] && String(pull) === parts[1]),
    "Note",
  );
  if (note.author.id !== token.userId) throw new Refusal(403, "403 Forbidden");
  return note;
}

const authorOf = ({ userId }: GitLabToken) => ({ id: userId, username: `project_1_bot_${userId}` });

/** Handlers of requests about a project, by method and the fixed parts of the path. */
export const PROJECT_ANSWERS: Answers = {
  GET: (project, { token }, host) => ({
    ...viewOfProject(host, project),
    permissions: { project_access: { access_level: token.level }, group_access: null },
  }),
  "POST hooks": (project, request) => {
    needs(request, MAINTAINER);
    const made = { id: project.hooks.length + 1, ...hookBody.parse(request.body) };
    project.hooks.push(made);
    return made;
  },
  "PUT hooks": (project, request) => {
    needs(request, MAINTAINER);
    const hook = found(
      project.hooks.find(({ id }) => String(id) === request.parts[1]),
      "Hook",
    );
    return Object.assign(hook, hookBody.parse(request.body));
  },
  "DELETE hooks": (project, request) => {
    needs(request, MAINTAINER);
    const at = project.hooks.findIndex(({ id }) => String(id) === request.parts[1]);
    if (at < 0) throw new Refusal(404, "404 Hook Not Found");
    project.hooks.splice(at, 1);
    return NOTHING;
  },
  "POST statuses": (project, request) => {
    needs(request, DEVELOPER);
    const set = setStatus(project, resolve(project, request.parts[1] ?? ""), request.body);
    if (typeof set === "string") throw new Refusal(400, set);
    return set;
  },
  "GET repository/commits/statuses": (project, { parts, query }) => {
    const sha = resolve(project, parts[2] ?? "");
    return project.statuses.filter(each => each.sha === sha && each.name === query.name).reverse();
  },
  "GET repository/commits/merge_requests": (project, { parts }) => {
    const sha = resolve(project, parts[2] ?? "");
    return project.pulls
      .filter(pull => pull.head.sha === sha || project.brings(pull, sha))
      .map(pull => viewOfPull(project, pull));
  },
  "GET repository/commits": (project, { parts, query }) => {
    if (parts[2] !== undefined) return commitOf(project, resolve(project, parts[2]));
    const [from = "", to = ""] = (query.ref_name ?? "").split("..");
    const { ahead = [] } = project.compare(resolve(project, from), resolve(project, to)) ?? {};
    const [size, page] = [Number(query.per_page), Number(query.page)];
    return [...ahead]
      .reverse()
      .slice((page - 1) * size, page * size)
      .map(sha => commitOf(project, sha));
  },
  "POST repository/commits": (project, request) => {
    needs(request, DEVELOPER);
    const { branch, start_sha, commit_message, actions } = commitBody.parse(request.body);
    if (project.branches.has(branch)) throw new Refusal(400, `A branch called '${branch}' already exists.`);
    const added = Object.fromEntries(actions.map(({ file_path, content }) => [file_path, content]));
    const tree = project.addTree({ ...project.filesAt(resolve(project, start_sha)), ...added });
    project.branches.set(branch, project.addCommit(tree, [start_sha], commit_message));
    return commitOf(project, project.branches.get(branch) ?? "");
  },
  "GET repository/merge_base": (project, { refs }) => {
    const [one = "", other = ""] = refs.map(ref => resolve(project, ref));
    return commitOf(project, found(project.compare(other, one)?.mergeBase, "Merge Base"));
  },
  "GET repository/compare": (project, { query }) => {
    const [from, to] = [resolve(project, query.from ?? ""), resolve(project, query.to ?? "")];
    const diffs = project.changedFiles(from, to).map(({ filename, content }) => ({
      ...{ old_path: filename, new_path: filename, diff: content },
    }));
    return { commit: commitOf(project, to), commits: [], diffs };
  },
  "GET repository/branches": (project, { parts }) => {
    const sha = found(project.branches.get(parts[2] ?? ""), "Branch");
    return { name: parts[2], commit: commitOf(project, sha) };
  },
  "GET repository/tags": (project, { parts }) => ({ name: found(project.tags.get(parts[2] ?? ""), "Tag") }),
  "GET repository/tree": (project, { query }) => {
    const names = Object.keys(project.filesAt(resolve(project, query.ref ?? ""))).map(
      path => path.split("/")[0],
    );
    return [...new Set(names)].map(name => ({ name }));
  },
  "GET repository/files": (project, { parts, query }) => {
    const files = project.filesAt(resolve(project, query.ref ?? ""));
    const content = found(files[parts[2] ?? ""], "File");
    const size = Buffer.byteLength(content);
    return {
      file_path: parts[2],
      size,
      encoding: "base64",
      content: Buffer.from(content).toString("base64"),
    };
  },
  "GET merge_requests": (project, { query }) =>
    project.pulls
      .filter(pull => pull.head.ref === query.source_branch)
      .map(pull => viewOfPull(project, pull)),
  "POST merge_requests": (project, request) => {
    needs(request, DEVELOPER);
    const {
      source_branch: head,
      target_branch: base,
      title,
      description: body,
    } = pullBody.parse(request.body);
    return viewOfPull(project, project.addPull({ head, base, title, body }));
  },
  "GET merge_requests/notes": (project, { parts, query }) => {
    const all = project.notes.filter(({ pull }) => String(pull) === parts[1]);
    return query.sort === "asc" ? all : all.toReversed();
  },
  "POST merge_requests/notes": (project, { parts, body, token }) => {
    const pull = Number(parts[1]);
    if (!project.pulls.some(({ number }) => number === pull)) throw new Refusal(404, "404 Not Found");
    return project.addNote(pull, { ...noteBody.parse(body), author: authorOf(token) });
  },
  "GET merge_requests/discussions": (project, { parts }) => {
    if (parts[3] !== undefined) return found(project.discussionOf(parts[3]) ?? undefined, "Discussion");
    const ids = new Set(
      project.notes.flatMap(each => (String(each.pull) === parts[1] ? each.discussion : [])),
    );
    return [...ids].map(id => project.discussionOf(id));
  },
  "POST merge_requests/discussions": (project, { parts, body, token }) => {
    const pull = Number(parts[1]);
    if (!project.pulls.some(({ number }) => number === pull)) throw new Refusal(404, "404 Not Found");
    const author = authorOf(token);
    const note = project.addNote(pull, { ...noteBody.parse(body), author, resolvable: true });
    return project.discussionOf(note.discussion);
  },
  "PUT merge_requests/discussions": (project, request) => {
    needs(request, DEVELOPER);
    const discussion = found(project.discussionOf(request.parts[3] ?? "") ?? undefined, "Discussion");
    const { resolved } = z.object({ resolved: z.boolean() }).parse(request.body);
    for (const note of discussion.notes)
      Object.assign(note, { resolved, resolved_by: resolved ? authorOf(request.token) : null });
    return discussion;
  },
  "PUT merge_requests/notes": (project, request) =>
    Object.assign(noteOf(project, request), noteBody.parse(request.body)),
  "DELETE merge_requests/notes": (project, request) => {
    project.notes.splice(project.notes.indexOf(noteOf(project, request)), 1);
    return NOTHING;
  },
};
