import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { LocalServer, send } from "../../servers/local-server.ts";
import { Refusal } from "../code-host/host-answer.ts";
import { HostApi } from "../code-host/host-api.ts";
import { HostTraffic, jsonOf } from "../code-host/host-traffic.ts";
import type { HostedPull } from "../code-host/hosted-repository.ts";
import {
  Items,
  NOTHING,
  Raw,
  REPOSITORY_ANSWERS,
  viewOfPull,
  viewOfRepository,
} from "./bitbucket-answers.ts";
import type { BitbucketComment, BitbucketRepository, BitbucketUser } from "./bitbucket-repository.ts";

const API = "/2.0";
const MAX_PAGE_SIZE = 100;
const DESCRIPTION = new URL("bitbucket-api.json", import.meta.url);
const scopesOf = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ scopes: z.array(z.string()) }))),
});

/** An access token, which Bitbucket treats as a user. */
export interface BitbucketToken {
  user: BitbucketUser;
  scopes: string[];
  isRevoked: boolean;
}

interface Parsed {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  isForm: boolean;
}

/** A fake Bitbucket Cloud. It checks the method, path, scopes and body of every request. */
export class BitbucketServer {
  readonly #traffic = new HostTraffic();
  readonly #server = new LocalServer((req, res) => void this.#answer(req, res));
  readonly #api = new HostApi(DESCRIPTION);
  /** The scopes of each operation, with a pattern of its path. */
  readonly #scopes: { method: string; path: RegExp; scopes: string[] }[];
  readonly tokens = new Map<string, BitbucketToken>();
  readonly repositories: BitbucketRepository[] = [];
  readonly complaints = this.#traffic.complaints;
  readonly requests = this.#traffic.requests;
  readonly failures = this.#traffic.failures;
  maxPageSize = MAX_PAGE_SIZE;

  private constructor() {
    const { paths } = scopesOf.parse(JSON.parse(readFileSync(DESCRIPTION, "utf8")));
    this.#scopes = Object.entries(paths).flatMap(([template, methods]) => {
      const pattern = template.replace(/\{path\}$/, ".*").replaceAll(/\{\w+\}/g, "[^/]+");
      const path = new RegExp(`^${pattern}$`);
      return Object.entries(methods).map(([method, { scopes }]) => ({
        method: method.toUpperCase(),
        path,
        scopes,
      }));
    });
  }

  static async start(): Promise<BitbucketServer> {
    const made = new BitbucketServer();
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
    this.maxPageSize = MAX_PAGE_SIZE;
  }

  addRepository(repository: BitbucketRepository): BitbucketRepository {
    this.repositories.push(repository);
    return repository;
  }

  /** Creates an access token. By default, it has every scope that the service can use. */
  addToken(scopes = ["repository:write", "pullrequest:write", "webhook"]): string {
    const token = `ATCTT3${randomBytes(20).toString("hex")}`;
    const user: BitbucketUser = { type: "app_user", uuid: `{${randomUUID()}}`, display_name: "vrs" };
    this.tokens.set(token, { user, scopes, isRevoked: false });
    return token;
  }

  /** Returns the payload of a pull request's event. */
  pullEvent(repository: BitbucketRepository, pull: HostedPull, more: object = {}): object {
    const actor = { type: "user", uuid: "{author}", nickname: pull.author };
    return {
      ...{ actor, repository: viewOfRepository(this.url, repository) },
      ...{ pullrequest: viewOfPull(repository, pull), ...more },
    };
  }

  /** Returns the payload of a comment's event. */
  commentEvent(repository: BitbucketRepository, { pull, ...comment }: BitbucketComment): object {
    const of = repository.pulls.find(({ number }) => number === pull);
    return {
      ...{ actor: comment.user, repository: viewOfRepository(this.url, repository), comment },
      pullrequest: of && viewOfPull(repository, of),
    };
  }

  /** Returns the payload of a build status's event. It has the commit only in a link. */
  statusEvent(repository: BitbucketRepository, sha: string, key: string, more: object = {}): object {
    const commit = { href: `${this.url}${API}/repositories/${repository.path}/commit/${sha}` };
    return {
      repository: viewOfRepository(this.url, repository),
      commit_status: {
        ...{
          type: "build",
          key,
          name: key,
          description: "",
          state: "SUCCESSFUL",
          links: { commit },
          ...more,
        },
        updated_on: new Date().toISOString(),
      },
    };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(req.url ?? "/", this.url);
    const [method, path] = [req.method ?? "", pathname.slice(API.length)];
    await this.#traffic.answer(req, `${method} ${decodeURIComponent(path)}`, {
      refuse: (status, message, headers) => send(res, status, { type: "error", error: { message } }, headers),
      handle: text => {
        const isForm = req.headers["content-type"] === "application/x-www-form-urlencoded";
        const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : jsonOf(text);
        const parsed = { method, path, query, body, isForm };
        const complaint = pathname.startsWith(`${API}/`)
          ? this.#issueIn(parsed)
          : `${pathname} is not the API`;
        if (complaint !== null) throw new Error(complaint);
        const content = this.#do(req, parsed);
        return () => this.#send(res, parsed, content);
      },
    });
  }

  /** Returns what the description says against a request, or null. */
  #issueIn({ method, path, query, body, isForm }: Parsed): string | null {
    // The path of the root folder is empty, and a form's fields that are no files are described as parameters.
    const described = path.endsWith("/") ? `${path}.` : path;
    const fields = isForm ? Object.entries(z.record(z.string(), z.string()).parse(body)) : [...query];
    const named = Object.fromEntries(fields.filter(([field]) => !field.startsWith("/")));
    return this.#api.issueIn({ method, path: described, query: named, body: isForm ? undefined : body });
  }

  #do(req: IncomingMessage, { method, path, query, body }: Parsed): unknown {
    const [, value = ""] = /^Bearer (.+)$/.exec(req.headers.authorization ?? "") ?? [];
    const token = this.tokens.get(value);
    if (!token || token.isRevoked) throw new Refusal(401, "Token is invalid, expired, or not supported.");
    const needed = this.#scopes.find(each => each.method === method && each.path.test(path))?.scopes ?? [];
    const lacking = needed.filter(
      scope => !token.scopes.some(has => has === scope || has === `${scope}:write`),
    );
    if (lacking.length > 0)
      throw new Refusal(403, "Your credentials lack one or more required privilege scopes.");
    const [, owner, id, ...parts] = path.split("/").slice(1).map(decodeURIComponent);
    const repository = this.repositories.find(
      each => each.owner === owner && [each.name, each.uuid].includes(id ?? ""),
    );
    if (!repository || repository.isHidden) throw new Refusal(404, "Repository not found");
    const answer = REPOSITORY_ANSWERS[`${method} ${fixedParts(parts)}`];
    if (!answer) throw new Error(`nobody answers ${method} ${fixedParts(parts)}`);
    return answer(repository, { parts, query, body, user: token.user, url: this.url });
  }

  #send(res: ServerResponse, { method, path, query }: Parsed, content: unknown): void {
    if (content === NOTHING) return void res.writeHead(204).end();
    if (content instanceof Raw)
      return void res.writeHead(200, { "Content-Type": "text/plain" }).end(content.text);
    if (content instanceof Items) this.#sendPage(res, path, query, content);
    else send(res, method === "POST" ? 201 : 200, content);
  }

  #sendPage(res: ServerResponse, path: string, query: URLSearchParams, { all }: Items): void {
    const [size, page] = [Number(query.get("pagelen") ?? 10), Number(query.get("page") ?? 1)];
    const pagelen = Math.min(size, this.maxPageSize);
    const values = all.slice((page - 1) * pagelen, page * pagelen);
    const later = new URLSearchParams([...query].filter(([name]) => name !== "page"));
    later.set("page", String(page + 1));
    const next = page * pagelen < all.length ? `${this.url}${API}${path}?${later}` : undefined;
    send(res, 200, { values, pagelen, page, size: all.length, next });
  }
}

/** Returns the parts of a path that are no values. */
function fixedParts([what = "", one, two]: string[]): string {
  const second = what === "refs" ? one : two;
  const isNested = ["refs", "commit", "pullrequests"].includes(what) && second !== undefined;
  return isNested ? `${what}/${second}` : what;
}
