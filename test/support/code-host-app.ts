import assert from "node:assert/strict";
import { createHmac, createPublicKey, generateKeyPairSync, randomInt, randomUUID, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { HostApi } from "./host-api.ts";
import type { HostedRepository } from "./hosted-repository.ts";

const API = "/api/v3";
const APP_ID = 4711;
const WEBHOOK_SECRET = "webhook-secret-of-the-tests";
const CALLBACK_SECRET = "callback-secret-of-the-tests";
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** What the host answers instead of what was asked for. */
export interface HostFault {
  /** Of method and path. */
  match: RegExp;
  times: number;
  status: number;
  headers?: Record<string, string>;
  message?: string;
  /** Does what was asked for all the same, and loses the answer. */
  afterwards?: boolean;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Asked {
  method: string;
  parts: string[];
  query: Record<string, string>;
  body: unknown;
}

const treeBody = z.object({
  base_tree: z.string(),
  tree: z.array(z.object({ path: z.string(), content: z.string() })),
});
const checkBody = z.looseObject({
  name: z.string().optional(),
  head_sha: z.string().optional(),
  status: z.string(),
  conclusion: z.string().optional(),
  external_id: z.string().optional(),
  details_url: z.string().optional(),
  output: z.object({
    title: z.string().max(255),
    summary: z.string().max(65_535),
    annotations: z.array(z.looseObject({})).max(50).optional(),
  }),
  actions: z
    .array(
      z.object({
        label: z.string().max(20),
        description: z.string().max(40),
        identifier: z.string().max(20),
      }),
    )
    .max(3)
    .default([]),
});
const commentBody = z.object({ body: z.string().max(65_536) });

/** Stands for the code host as an app meets it: with repositories that change, and strict about what it is asked. */
export class CodeHostAppServer {
  readonly #server: Server;
  readonly #api = new HostApi();
  readonly #tokens = new Map<string, number>();
  /** Installations by their numbers, and what they may see. */
  readonly installations = new Map<number, HostedRepository[]>();
  /** What it was asked that it should not be, in words. */
  readonly complaints: string[] = [];
  /** Method and path of every request, in order. */
  readonly asked: string[] = [];
  readonly faults: HostFault[] = [];
  /** Whether the app may write workflows. */
  mayWriteWorkflows = true;
  tokensGiven = 0;
  /** How long it takes over each answer. */
  answersAfterMs = 0;
  /** Requests that are being answered, and the most that ever were at once. */
  atOnce = 0;
  mostAtOnce = 0;

  private constructor() {
    this.#server = createServer((req, res) => void this.#answer(req, res));
  }

  static async start(): Promise<CodeHostAppServer> {
    const host = new CodeHostAppServer();
    host.#server.listen(0, "127.0.0.1");
    await once(host.#server, "listening");
    return host;
  }

  get url(): string {
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === "object");
    return `http://127.0.0.1:${address.port}`;
  }

  /** What makes the service this host's app. */
  get env(): Record<string, string> {
    return {
      CODEHOST_APP_ID: String(APP_ID),
      // As tools pass it on that know one line only.
      CODEHOST_APP_PRIVATE_KEY: privateKey
        .export({ type: "pkcs1", format: "pem" })
        .toString()
        .replaceAll("\n", "\\n"),
      CODEHOST_WEBHOOK_SECRET: WEBHOOK_SECRET,
      SERVICE_CALLBACK_SECRET: CALLBACK_SECRET,
      CODEHOST_API_URL: `${this.url}${API}`,
    };
  }

  /** Installs the app on these repositories. @returns the installation's number */
  install(...repositories: HostedRepository[]): number {
    const id = randomInt(1_000, 1_000_000);
    this.installations.set(id, repositories);
    return id;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Headers of a webhook with this body. */
  static headers(event: string, body: string, id: string = randomUUID()): Record<string, string> {
    const signature = createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex");
    return {
      "Content-Type": "application/json",
      "x-github-event": event,
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${signature}`,
    };
  }

  /** What a payload says of a repository, and of who sees it. */
  event(repository: HostedRepository): { repository: object; installation: { id: number } } {
    const [id] = [...this.installations].find(([, all]) => all.includes(repository)) ?? [0];
    return { repository: this.#viewOf(repository), installation: { id } };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", this.url);
    const path = pathname.slice(API.length);
    const name = `${req.method} ${path}`;
    this.asked.push(name);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      if (this.answersAfterMs > 0) await delay(this.answersAfterMs);
      const raw = await text(req);
      const body: unknown = raw === "" ? undefined : JSON.parse(raw);
      const fault = this.faults.find(({ match, times }) => times > 0 && match.test(name));
      if (fault) fault.times -= 1;
      if (fault && !fault.afterwards) {
        const message = fault.message ?? "Told to fail";
        return send(res, fault.status, { message }, fault.headers);
      }
      const query = Object.fromEntries(searchParams);
      const request = { method: req.method ?? "", path, query, body };
      const complaint = pathname.startsWith(`${API}/`)
        ? this.#api.fault(request)
        : `${pathname} is not the API`;
      if (complaint !== null) throw new Error(complaint);
      const parts = path.split("/").slice(1).map(decodeURIComponent);
      const { status, content } = this.#do(req, { method: request.method, parts, query, body });
      if (fault) return void req.socket.destroy();
      send(res, status, content);
    } catch (error) {
      if (error instanceof Refusal) return send(res, error.status, { message: error.message });
      this.complaints.push(error instanceof Error ? error.message : String(error));
      send(res, 400, { message: "Complained" });
    } finally {
      this.atOnce -= 1;
    }
  }

  #do(req: IncomingMessage, asked: Asked): { status: number; content: unknown } {
    const { method, parts } = asked;
    if (parts[0] === "app" && parts[1] === "installations") {
      this.#checkJwt(req);
      return { status: 201, content: this.#giveToken(Number(parts[2])) };
    }
    if (parts[0] === "repos" && parts[3] === "installation") {
      this.#checkJwt(req);
      const [id] =
        [...this.installations].find(([, all]) =>
          all.some(({ owner, name }) => owner === parts[1] && name === parts[2]),
        ) ?? [];
      if (id === undefined) throw new Refusal(404, "Not Found");
      return { status: 200, content: { id } };
    }
    const installation = this.#installationOf(req);
    if (parts[0] === "installation" && parts[1] === "repositories") {
      const all = this.installations.get(installation) ?? [];
      const [size, page] = [Number(asked.query.per_page ?? 30), Number(asked.query.page ?? 1)];
      const repositories = all.slice((page - 1) * size, page * size).map(each => this.#viewOf(each));
      return { status: 200, content: { total_count: all.length, repositories } };
    }
    assert.equal(parts[0], "repos", `nobody answers ${method} ${parts.join("/")}`);
    const repository = this.installations
      .get(installation)
      ?.find(({ owner, name, hidden }) => !hidden && owner === parts[1] && name === parts[2]);
    if (!repository) throw new Refusal(404, "Not Found");
    if (repository.archived && method !== "GET")
      throw new Refusal(403, "Repository was archived so is read-only.");
    const content = this.#inRepository(repository, { ...asked, parts: parts.slice(3) });
    return { status: method === "POST" ? 201 : 200, content };
  }

  #inRepository(repository: HostedRepository, asked: Asked): unknown {
    const [what = "", which = ""] = asked.parts;
    const name = `${asked.method} ${what}${what === "git" ? `/${which}` : ""}`;
    switch (name) {
      case "GET ":
        return this.#viewOf(repository);
      case "GET contents": {
        const path = asked.parts.slice(1).join("/");
        if (repository.branches.size === 0) throw new Refusal(404, "This repository is empty.");
        const content = repository.filesAt(
          (asked.query.ref ?? repository.defaultBranch).replace("refs/heads/", ""),
        )[path];
        if (content === undefined) throw new Refusal(404, "Not Found");
        const size = Buffer.byteLength(content);
        // It leaves out what is longer.
        if (size > 1024 * 1024) return { type: "file", encoding: "none", path, size, content: "" };
        return {
          type: "file",
          encoding: "base64",
          path,
          size,
          content: Buffer.from(content).toString("base64"),
        };
      }
      case "GET git/ref": {
        if (repository.branches.size === 0) throw new Refusal(409, "Git Repository is empty.");
        const sha = repository.branches.get(asked.parts.slice(2).join("/").replace("heads/", ""));
        if (sha === undefined) throw new Refusal(404, "Not Found");
        return { ref: `refs/${asked.parts.slice(2).join("/")}`, object: { type: "commit", sha } };
      }
      case "GET git/commits": {
        const commit = repository.commits.get(asked.parts[2] ?? "");
        if (!commit) throw new Refusal(404, "Not Found");
        return { sha: asked.parts[2], tree: { sha: commit.tree } };
      }
      case "POST git/trees": {
        const { base_tree, tree } = treeBody.parse(asked.body);
        if (!this.mayWriteWorkflows && tree.some(({ path }) => path.startsWith(".github/workflows/")))
          throw new Refusal(403, "Resource not accessible by integration");
        const files = Object.fromEntries(tree.map(({ path, content }) => [path, content]));
        return { sha: repository.addTree({ ...repository.trees.get(base_tree), ...files }) };
      }
      case "POST git/commits": {
        const { tree, parents, message } = z
          .object({ tree: z.string(), parents: z.array(z.string()), message: z.string() })
          .parse(asked.body);
        return { sha: repository.addCommit(tree, parents, message) };
      }
      case "POST git/refs": {
        const { ref, sha } = z.object({ ref: z.string(), sha: z.string() }).parse(asked.body);
        const branch = ref.slice("refs/heads/".length);
        if (repository.branches.has(branch)) throw new Refusal(422, "Reference already exists");
        repository.branches.set(branch, sha);
        return { ref, object: { sha } };
      }
      case "GET pulls": {
        const branch = asked.query.head?.split(":")[1];
        const found = repository.pulls.filter(({ head }) => branch === undefined || head.ref === branch);
        return found.map(pull => this.#viewOfPull(repository, pull)).reverse();
      }
      case "POST pulls": {
        const body = z
          .object({ head: z.string(), base: z.string(), title: z.string(), body: z.string() })
          .parse(asked.body);
        if (repository.pulls.some(({ state, head }) => state === "open" && head.ref === body.head))
          throw new Refusal(422, "A pull request already exists");
        return this.#viewOfPull(repository, repository.addPull(body));
      }
      case "GET commits": {
        const sha = which;
        if (asked.parts[2] === "pulls")
          return repository.pulls
            .filter(({ head }) => head.sha === sha)
            .map(pull => this.#viewOfPull(repository, pull));
        const check_runs = repository.checks.filter(
          check => check.head_sha === sha && check.name === (asked.query.check_name ?? check.name),
        );
        return { total_count: check_runs.length, check_runs };
      }
      case "POST check-runs": {
        const {
          actions,
          conclusion = null,
          external_id = null,
          details_url = null,
          output,
          ...body
        } = checkBody.parse(asked.body);
        const head_sha = body.head_sha ?? "";
        if (!repository.commits.has(head_sha)) throw new Refusal(422, `No commit found for SHA: ${head_sha}`);
        const { name = "", status } = body;
        const check = {
          id: randomInt(1, 2 ** 40),
          head_sha,
          name,
          status,
          conclusion,
          external_id,
          details_url,
          output,
          actions,
        };
        repository.checks.push(check);
        return check;
      }
      case "PATCH check-runs": {
        const check = repository.checks.find(({ id }) => id === Number(which));
        if (!check) throw new Refusal(404, "Not Found");
        const {
          status,
          conclusion = null,
          details_url = check.details_url,
          output,
          actions,
        } = checkBody.parse(asked.body);
        return Object.assign(check, { status, conclusion, details_url, output, actions });
      }
      case "GET issues":
        return repository.comments
          .filter(({ pull }) => pull === Number(which))
          .map(({ id, body, app }) => ({
            id,
            body,
            performed_via_github_app: app === null ? null : { id: app },
          }));
      case "POST issues": {
        const comment = {
          id: randomInt(1, 2 ** 40),
          pull: Number(which),
          app: APP_ID,
          ...commentBody.parse(asked.body),
        };
        repository.comments.push(comment);
        return comment;
      }
      case "PATCH issues": {
        const comment = repository.comments.find(({ id }) => id === Number(asked.parts[2]));
        if (!comment) throw new Refusal(404, "Not Found");
        return Object.assign(comment, commentBody.parse(asked.body));
      }
      default:
        throw new Error(`nobody answers ${name}`);
    }
  }

  #viewOf({ id, name, owner, defaultBranch, archived, fork }: HostedRepository): object {
    return {
      id,
      name,
      full_name: `${owner}/${name}`,
      owner: { login: owner },
      html_url: `${this.url}/${owner}/${name}`,
      default_branch: defaultBranch,
      archived,
      fork,
      disabled: false,
    };
  }

  #viewOfPull(
    { id }: HostedRepository,
    { number, state, head, base, fork }: HostedRepository["pulls"][number],
  ): object {
    return {
      number,
      state,
      head: { ref: head.ref, sha: head.sha, repo: { id: fork ? id + 1 : id } },
      base: { ref: base.ref, repo: { id } },
    };
  }

  #checkJwt(req: IncomingMessage): void {
    const [head = "", claims = "", signature = ""] =
      /^bearer (\S+)$/i.exec(req.headers.authorization ?? "")?.[1]?.split(".") ?? [];
    const isOurs = verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      createPublicKey(privateKey),
      Buffer.from(signature, "base64url"),
    );
    assert.ok(isOurs, "a token that the app signed");
    const { iss, exp } = z
      .object({ iss: z.union([z.string(), z.number()]), exp: z.number() })
      .parse(JSON.parse(Buffer.from(claims, "base64url").toString()));
    assert.equal(String(iss), String(APP_ID));
    assert.ok(exp * 1_000 > Date.now() && exp * 1_000 < Date.now() + 600_000, "for ten minutes at most");
  }

  #giveToken(installation: number): object {
    if (!this.installations.has(installation)) throw new Refusal(404, "Not Found");
    const token = `ghs_${randomUUID()}`;
    this.#tokens.set(token, installation);
    this.tokensGiven += 1;
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    return { token, expires_at, permissions: {}, repository_selection: "selected" };
  }

  #installationOf(req: IncomingMessage): number {
    const token = /^(?:token|bearer) (\S+)$/i.exec(req.headers.authorization ?? "")?.[1];
    const id = this.#tokens.get(token ?? "");
    if (id === undefined || !this.installations.has(id)) throw new Refusal(401, "Bad credentials");
    return id;
  }
}

function send(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}
