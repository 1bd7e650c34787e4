import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { type SubmitRun, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { teamView } from "../../../shared/contracts/teams/people.ts";
import { LocalServer, send } from "../servers/local-server.ts";

/** A response that replaces the usual one. "hang up" closes the connection. */
type Failure = ((res: ServerResponse) => void | Promise<void>) | "hang up";

/** A fake Cloud API that accepts only valid requests of `/v1`. Equal idempotency keys return the same run. */
export class CloudApi {
  readonly key = "vrs_key_of_the_integration";
  readonly #server: LocalServer;
  readonly #teamKeys = new Set<string>();
  readonly #byKey = new Map<string, string>();
  /** The accepted runs, in order. */
  readonly runs: SubmitRun[] = [];
  /** The number of requests for runs, including repeats. */
  requestCount = 0;
  /** Descriptions of invalid requests. */
  readonly invalidRequests: string[] = [];
  /** The names of the key's teams. */
  teams: string[] = ["Team"];
  /** The responses to the next requests, one each. */
  readonly fail: Failure[] = [];
  /** Runs are accepted after this resolves. */
  gate: Promise<unknown> = Promise.resolve();

  private constructor() {
    this.#server = new LocalServer((req, res) => {
      this.#answer(req, res).catch(error => {
        this.invalidRequests.push(String(error));
        problem(res, 422, "invalid_request", String(error));
      });
    });
  }

  static async start(): Promise<CloudApi> {
    const api = new CloudApi();
    await api.#server.listen();
    return api;
  }

  get url(): string {
    return this.#server.url;
  }

  /** The environment of an integration that uses it. */
  get env(): Record<string, string> {
    return { SERVICE_API_URL: this.url, SERVICE_API_KEY: this.key };
  }

  reset(): void {
    this.runs.length = 0;
    this.invalidRequests.length = 0;
    this.fail.length = 0;
    this.requestCount = 0;
    this.gate = Promise.resolve();
    this.#byKey.clear();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const key = req.headers.authorization?.replace(/^Bearer /, "") ?? "";
    assert.ok(key === this.key || this.#teamKeys.has(key), "a key that was given out");
    const body = req.method === "POST" ? await json(req) : undefined;
    const issue = this.fail.shift();
    if (issue === "hang up") return void req.socket.destroy();
    if (issue) return issue(res);
    switch (`${req.method} ${req.url}`) {
      case "POST /v1/run":
        return this.#run(req, res, body);
      case "GET /v1/teams":
        return send(res, 200, { data: this.teams.map(teamNamed), nextCursor: null });
      case "POST /v1/teams": {
        assert.ok(typeof body === "object" && body !== null && "name" in body);
        const name = String(body.name);
        this.teams.push(name);
        const first = `vrs_first_key_${this.teams.length}`;
        this.#teamKeys.add(first);
        return send(res, 201, { ...teamNamed(name), key: first });
      }
      default:
        this.invalidRequests.push(`${req.method} ${req.url}`);
        return problem(res, 404, "not_found", "There is no such thing.");
    }
  }

  async #run({ headers }: IncomingMessage, res: ServerResponse, body: unknown): Promise<void> {
    this.requestCount += 1;
    const run = submitRunBody.parse(body);
    await this.gate;
    const key = typeof headers["idempotency-key"] === "string" ? headers["idempotency-key"] : randomUUID();
    const before = this.#byKey.get(key);
    const id = before ?? `run_${this.runs.length + 1}`;
    if (before === undefined) this.runs.push(run);
    this.#byKey.set(key, id);
    const links = { self: `${this.url}/v1/runs/${id}`, report: `${this.url}/v1/reports/${id}` };
    send(res, before === undefined ? 202 : 200, { id, status: "queued", project: "p", links });
  }
}

/** Returns a team as the API does. */
export function teamNamed(name: string): object {
  const settings = { requiredApprovals: 1, allowSelfApproval: false, linkDays: 90, publicLinks: true };
  const times = { createdAt: new Date(0).toISOString(), deletesAt: null };
  return teamView.parse({
    id: `team_${name}`,
    name,
    role: "admin",
    readOnlyBecause: null,
    ...times,
    ...settings,
  });
}

/** Sends an error like `/v1`. */
export function problem(
  res: ServerResponse,
  status: number,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): void {
  const body = { type: `/docs#${code}`, title: "A problem", status, detail, code, requestId: "request-1" };
  res.writeHead(status, { "Content-Type": "application/problem+json", ...headers }).end(JSON.stringify(body));
}
