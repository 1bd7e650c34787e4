import assert from "node:assert/strict";
import { createHmac, createPublicKey, generateKeyPairSync, randomInt, randomUUID, verify } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { LocalServer, send } from "../../servers/local-server.ts";
import { CLIENT, HostAccounts } from "./host-accounts.ts";
import { APP_ID, Refusal, type RepositoryRequest } from "./host-answer.ts";
import { HostApi } from "./host-api.ts";
import { HostApps } from "./host-apps.ts";
import { CHECK_ANSWERS } from "./host-checks.ts";
import { REPOSITORY_ANSWERS, viewOf } from "./host-repositories.ts";
import type { HostedRepository } from "./hosted-repository.ts";

const API = "/api/v3";
const WEBHOOK_SECRET = "webhook-secret-of-the-tests";
const CALLBACK_SECRET = "callback-secret-of-the-tests";
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = privateKey.export({ type: "pkcs1", format: "pem" }).toString();

/** A failure that replaces a response. */
export interface HostFailure {
  /** Matches the method and path. */
  match: RegExp;
  times: number;
  status: number;
  headers?: Record<string, string>;
  message?: string;
  /** Handles the request, but loses the response. */
  afterwards?: boolean;
}

/** A fake code host for an app. Its repositories change, and it checks every request. */
export class CodeHostAppServer {
  readonly #server: LocalServer;
  readonly #api = new HostApi();
  /** The accounts that can sign in. */
  readonly accounts = new HostAccounts(() => this.url);
  /** The app's registration. */
  readonly apps = new HostApps(() => this.url, PEM, { webhook: WEBHOOK_SECRET, client: CLIENT });
  readonly #tokens = new Map<string, number>();
  /** The installations by number, with their repositories. */
  readonly installations = new Map<number, HostedRepository[]>();
  /** Descriptions of invalid requests. */
  readonly complaints: string[] = [];
  /** The method and path of every request, in order. */
  readonly requests: string[] = [];
  readonly failures: HostFailure[] = [];
  /** Delays of matching requests. */
  readonly slow: { match: RegExp; ms: number }[] = [];
  /** Whether the app has the permission to write workflows. */
  mayWriteWorkflows = true;
  tokensGiven = 0;
  /** The delay of each response. */
  answersAfterMs = 0;
  /** The current and the maximum number of concurrent requests. */
  atOnce = 0;
  mostAtOnce = 0;

  private constructor() {
    this.#server = new LocalServer((req, res) => {
      const pages = [this.accounts, this.apps].find(each => each.answers(req));
      if (!pages) return void this.#answer(req, res);
      pages.answer(req, res).catch(error => {
        this.complaints.push(String(error));
        res.writeHead(500).end();
      });
    });
  }

  static async start(): Promise<CodeHostAppServer> {
    const host = new CodeHostAppServer();
    await host.#server.listen();
    return host;
  }

  get url(): string {
    return this.#server.url;
  }

  /** The environment of a service with this host's app. */
  get env(): Record<string, string> {
    return {
      CODEHOST_APP_ID: String(APP_ID),
      // On one line, as some tools pass it on.
      CODEHOST_APP_PRIVATE_KEY: PEM.replaceAll("\n", "\\n"),
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

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Returns the headers of a webhook with this body. */
  static headers(event: string, body: string, id: string = randomUUID()): Record<string, string> {
    const signature = createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex");
    return {
      "Content-Type": "application/json",
      "x-github-event": event,
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${signature}`,
    };
  }

  /** Returns the part of a payload about a repository and its installation. */
  event(repository: HostedRepository): { repository: object; installation: { id: number } } {
    const [id] = [...this.installations].find(([, all]) => all.includes(repository)) ?? [0];
    return { repository: viewOf(this, repository), installation: { id } };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", this.url);
    const path = pathname.slice(API.length);
    const name = `${req.method} ${path}`;
    this.requests.push(name);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      const slowMs = this.slow.find(({ match }) => match.test(name))?.ms ?? this.answersAfterMs;
      if (slowMs > 0) await delay(slowMs);
      const raw = await text(req);
      const body: unknown = raw === "" ? undefined : JSON.parse(raw);
      const failure = this.failures.find(({ match, times }) => times > 0 && match.test(name));
      if (failure) failure.times -= 1;
      if (failure && !failure.afterwards) {
        const message = failure.message ?? "Told to fail";
        return send(res, failure.status, { message }, failure.headers);
      }
      const query = Object.fromEntries(searchParams);
      const request = { method: req.method ?? "", path, query, body };
      const complaint = pathname.startsWith(`${API}/`)
        ? this.#api.issueIn(request)
        : `${pathname} is not the API`;
      if (complaint !== null) throw new Error(complaint);
      const parts = path.split("/").slice(1).map(decodeURIComponent);
      const { status, content } = this.#do(req, { method: request.method, parts, query, body });
      if (failure) return void req.socket.destroy();
      send(res, status, content);
    } catch (error) {
      if (error instanceof Refusal) return send(res, error.status, { message: error.message });
      this.complaints.push(error instanceof Error ? error.message : String(error));
      send(res, 400, { message: "Complained" });
    } finally {
      this.atOnce -= 1;
    }
  }

  #do(req: IncomingMessage, requests: RepositoryRequest): { status: number; content: unknown } {
    const { method, parts } = requests;
    if (parts[0] === "app-manifests") {
      assert.equal(req.headers.authorization, undefined, "nothing speaks for an app that is being created");
      return { status: 201, content: this.apps.convert(parts[1] ?? "") };
    }
    if (parts[0] === "app" && parts.length === 1) {
      this.#checkJwt(req);
      return { status: 200, content: this.apps.view() };
    }
    if (parts[0] === "app" && parts[1] === "installations") {
      this.#checkJwt(req);
      return { status: 201, content: this.#giveToken(Number(parts[2])) };
    }
    if (parts[0] === "repos" && parts[3] === "installation") {
      this.#checkJwt(req);
      const [id] =
        [...this.installations].findLast(([, all]) =>
          all.some(({ owner, name }) => owner === parts[1] && name === parts[2]),
        ) ?? [];
      if (id === undefined) throw new Refusal(404, "Not Found");
      return { status: 200, content: { id } };
    }
    const installation = this.#installationOf(req);
    if (parts[0] === "installation" && parts[1] === "repositories") {
      const all = this.installations.get(installation) ?? [];
      const [size, page] = [Number(requests.query.per_page ?? 30), Number(requests.query.page ?? 1)];
      const repositories = all.slice((page - 1) * size, page * size).map(each => viewOf(this, each));
      return { status: 200, content: { total_count: all.length, repositories } };
    }
    assert.equal(parts[0], "repos", `nobody answers ${method} ${parts.join("/")}`);
    const repository = this.installations
      .get(installation)
      ?.find(({ owner, name, hidden }) => !hidden && owner === parts[1] && name === parts[2]);
    if (!repository) throw new Refusal(404, "Not Found");
    if (repository.archived && method !== "GET")
      throw new Refusal(403, "Repository was archived so is read-only.");
    const content = this.#inRepository(repository, { ...requests, parts: parts.slice(3) });
    return { status: method === "POST" ? 201 : 200, content };
  }

  #inRepository(repository: HostedRepository, requests: RepositoryRequest): unknown {
    const [what = "", which = ""] = requests.parts;
    const name = `${requests.method} ${what}${what === "git" ? `/${which}` : ""}`.trim();
    const answer = { ...REPOSITORY_ANSWERS, ...CHECK_ANSWERS }[name];
    if (!answer) throw new Error(`nobody answers ${name}`);
    return answer(repository, requests, this);
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
