import { randomBytes, randomInt } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LocalServer, send } from "../../servers/local-server.ts";
import { Refusal } from "../code-host/host-answer.ts";
import { HostApi } from "../code-host/host-api.ts";
import { HostTraffic, jsonOf } from "../code-host/host-traffic.ts";
import type { HostedPull } from "../code-host/hosted-repository.ts";
import { NOTHING, REPOSITORY_ANSWERS, viewOfPull, viewOfRepository } from "./gitea-answers.ts";
import type { GiteaComment, GiteaRepository } from "./gitea-repository.ts";

const API = "/api/v1";

/** An access token and its user. */
export interface GiteaToken {
  id: number;
  login: string;
  canWrite: boolean;
  isAdmin: boolean;
  /** Whether it has the scope `read:user`. */
  canReadUser: boolean;
  isRevoked: boolean;
}

/** A fake Gitea or Forgejo instance. It checks the method, path, token and body of every request. */
export class GiteaServer {
  readonly #traffic = new HostTraffic();
  readonly #server = new LocalServer((req, res) => void this.#answer(req, res));
  readonly #api = new HostApi(new URL("gitea-api.json", import.meta.url));
  readonly tokens = new Map<string, GiteaToken>();
  readonly repositories: GiteaRepository[] = [];
  readonly complaints = this.#traffic.complaints;
  readonly requests = this.#traffic.requests;
  readonly failures = this.#traffic.failures;
  maxPageSize = 50;
  /** The targets of redirects, by the path of a repository. */
  readonly moved = new Map<string, string>();

  static async start(): Promise<GiteaServer> {
    const made = new GiteaServer();
    await made.#server.listen();
    return made;
  }

  get url(): string {
    return this.#server.url;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  reset(): void {
    this.#traffic.reset();
    this.repositories.length = 0;
    this.moved.clear();
  }

  addRepository(repository: GiteaRepository): GiteaRepository {
    this.repositories.push(repository);
    return repository;
  }

  /** Creates an access token. By default, its user administers every repository. */
  addToken(more: Partial<GiteaToken> = {}): string {
    const token = randomBytes(20).toString("hex");
    const rights = { canWrite: true, isAdmin: true, canReadUser: true, isRevoked: false };
    this.tokens.set(token, { id: randomInt(1_000, 1_000_000), login: "vrs-bot", ...rights, ...more });
    return token;
  }

  /** Returns the payload of a pull request's event. */
  pullEvent(repository: GiteaRepository, pull: HostedPull, action: string, more: object = {}): object {
    return {
      ...{ action, number: pull.number, pull_request: viewOfPull(repository, pull) },
      ...{ repository: viewOfRepository(this.url, repository), sender: { id: 5, login: pull.author } },
      ...more,
    };
  }

  /** Returns the payload of a comment's event. */
  commentEvent(repository: GiteaRepository, comment: GiteaComment, action: string, isPull = true): object {
    const { pull, ...rest } = comment;
    const html_url = `${this.url}/${repository.path}/pulls/${pull}#issuecomment-${comment.id}`;
    return {
      ...{ action, is_pull: isPull, issue: { number: pull }, comment: { ...rest, html_url } },
      repository: viewOfRepository(this.url, repository),
    };
  }

  /** Returns the payload of a commit status's event. */
  statusEvent(repository: GiteaRepository, sha: string, context: string, more: object = {}): object {
    const repositoryView = viewOfRepository(this.url, repository);
    const id = randomInt(2 ** 40);
    return { id, sha, context, state: "success", description: "", repository: repositoryView, ...more };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams, search } = new URL(req.url ?? "/", this.url);
    const path = pathname.slice(API.length);
    await this.#traffic.answer(req, `${req.method} ${decodeURIComponent(path)}`, {
      refuse: (status, message, headers) => send(res, status, { message }, headers),
      handle: text => {
        const [query, body] = [Object.fromEntries(searchParams), jsonOf(text)];
        const complaint = pathname.startsWith(`${API}/`)
          ? this.#api.issueIn({ method: req.method ?? "", path, query, body })
          : `${pathname} is not the API`;
        if (complaint !== null) throw new Error(complaint);
        const [, start = "", of = "", rest = ""] = /^(\/repos\/)([^/]+\/[^/]+)(.*)$/.exec(path) ?? [];
        const target = this.moved.get(of);
        if (target !== undefined) {
          const base = URL.canParse(target) ? target : `${API}${start}${target}`;
          return () => res.writeHead(307, { Location: `${base}${rest}${search}` }).end();
        }
        const [status, content] = this.#do(req, res, path, query, body);
        return () => (content === NOTHING ? res.writeHead(204).end() : send(res, status, content));
      },
    });
  }

  #do(
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    query: Record<string, string>,
    body: unknown,
  ): [status: number, content: unknown] {
    const method = req.method ?? "";
    const [, value = ""] = /^token (.+)$/.exec(req.headers.authorization ?? "") ?? [];
    const user = this.tokens.get(value);
    if (!user || user.isRevoked) throw new Refusal(401, "invalid username, password or token");
    const [first, owner, repo, ...parts] = path.split("/").slice(1).map(decodeURIComponent);
    if (first === "user") {
      if (!user.canReadUser) throw new Refusal(403, "token does not have at least one of required scope(s)");
      return [200, { id: user.id, login: user.login }];
    }
    const repository = this.repositories.find(each => each.path === `${owner}/${repo}`);
    if (!repository || repository.isHidden) throw new Refusal(404, "The target couldn't be found.");
    const key = `${method} ${fixedParts(parts).join("/")}`;
    const answer = REPOSITORY_ANSWERS[key];
    if (!answer) throw new Error(`nobody answers ${key}`);
    const setTotal = (total: number) => void res.setHeader("X-Total-Count", String(total));
    const { url, maxPageSize } = this;
    const content = answer(repository, { method, parts, query, body, user, url, maxPageSize, setTotal });
    return [method === "POST" ? 201 : 200, content];
  }
}

/** Returns the parts of a path that are no values. */
function fixedParts([what = "", one, two]: string[]): string[] {
  const isNested = what === "git" || (what === "issues" && one === "comments");
  const second = isNested ? one : two;
  return second === undefined || (what !== "git" && what !== "issues" && what !== "pulls")
    ? [what]
    : [what, second];
}
