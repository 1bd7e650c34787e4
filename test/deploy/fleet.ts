import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { CommandOptions } from "./commands.ts";
import type { Engine } from "./engine.ts";

const runSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  conclusion: z.string().nullable().optional(),
  counts: z.record(z.string(), z.number()),
  progress: z.object({ total: z.number(), captured: z.number(), compared: z.number() }),
});
const screenshotSchema = z.looseObject({
  id: z.string(),
  route: z.string(),
  viewport: z.number(),
  status: z.enum(["changed", "new", "removed", "failed", "pending", "unchanged"]),
  regions: z.array(z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
  images: z.record(z.string(), z.string().nullable()),
});
const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), nextCursor: z.string().nullable() });

export type Run = z.infer<typeof runSchema>;
export type Screenshot = z.infer<typeof screenshotSchema>;

/** Everything that an installation keeps, to compare it with what a backup brings back. */
export interface Contents {
  runs: Record<string, { conclusion: unknown; counts: unknown; screenshots: unknown[] }>;
  /** SHA-256 of each image, by its link. */
  images: Record<string, string>;
}

const RUN_TIMEOUT_MS = 10 * 60_000;
const POLL_MS = 200;

/** An installation of docker/compose.yml, and a client of its API that knows both releases. */
export class Fleet {
  readonly #engine: Engine;
  readonly folder: string;
  readonly #project: string;
  readonly baseUrl: string;
  #image: string;
  #apiKey: string;

  constructor(engine: Engine, options: { folder: string; project: string; baseUrl: string; image: string }) {
    this.#engine = engine;
    this.folder = options.folder;
    this.#project = options.project;
    this.baseUrl = options.baseUrl;
    this.#image = options.image;
    this.#apiKey = "";
  }

  /** Uses another image from the next start on. */
  use(image: string): void {
    this.#image = image;
  }

  signIn(apiKey: string): void {
    this.#apiKey = apiKey;
  }

  /** Runs a `docker compose` command in the installation's folder. */
  compose(args: string[], options: CommandOptions = {}): Promise<string> {
    const env = {
      COMPOSE_PROJECT_NAME: this.#project,
      COMPOSE_PROFILES: "renderers-4",
      VRS_IMAGE: this.#image,
    };
    return this.#engine.docker(["compose", ...args], { cwd: this.folder, env, ...options });
  }

  /** Returns the id of a service's container. */
  async container(service: string): Promise<string> {
    return (await this.compose(["ps", "--all", "--quiet", service])).trim();
  }

  /** Kills a service's process as the kernel would. Docker then restarts it. */
  async kill(service: string): Promise<void> {
    const pid = await this.#engine.docker([
      "inspect",
      "--format",
      "{{ .State.Pid }}",
      await this.container(service),
    ]);
    process.kill(Number(pid), "SIGKILL");
  }

  /** Returns how often Docker has restarted a service's container. */
  async restarts(service: string): Promise<number> {
    const id = await this.container(service);
    return Number(await this.#engine.docker(["inspect", "--format", "{{ .RestartCount }}", id]));
  }

  async request(path: string, body?: unknown): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#apiKey}`, "content-type": "application/json" };
    const settings =
      body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.baseUrl}${path}`, settings);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  /** Submits a run, and returns its id. */
  async submit(body: object): Promise<string> {
    return z.object({ id: z.string() }).parse(await this.request("/v1/run", body)).id;
  }

  async run(id: string): Promise<Run> {
    return runSchema.parse(await this.request(`/v1/runs/${id}`));
  }

  /** Waits until a run fulfills a condition. Reads again while nodes restart. */
  async waitFor(id: string, condition: (run: Run) => boolean, timeoutMs = RUN_TIMEOUT_MS): Promise<Run> {
    const deadline = Date.now() + timeoutMs;
    let last: unknown;
    while (Date.now() < deadline) {
      const run = await this.run(id).catch((error: unknown) => {
        last = error;
        return null;
      });
      if (run !== null) {
        last = run;
        if (condition(run)) return run;
      }
      await delay(POLL_MS);
    }
    throw new Error(
      `The run ${id} didn't get there: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
    );
  }

  async waitUntilCompleted(id: string): Promise<Run> {
    return await this.waitFor(id, ({ status }) => status === "completed" || status === "failed");
  }

  async screenshots(id: string): Promise<Screenshot[]> {
    return await this.#all(`/v1/screenshots/${id}`, screenshotSchema);
  }

  /** Approves all screenshots of a run, and returns their number. */
  async approve(id: string): Promise<number> {
    const answer = await this.request(`/v1/baselines/${id}/approve`, {});
    return z.object({ approved: z.number() }).parse(answer).approved;
  }

  /** Reads every run with its screenshots, and every image behind their links. */
  async contents(): Promise<Contents> {
    const contents: Contents = { runs: {}, images: {} };
    for (const { id, conclusion, counts } of await this.#all("/v1/runs", runSchema)) {
      const screenshots = await this.screenshots(id);
      contents.runs[id] = { conclusion, counts, screenshots };
      for (const link of screenshots.flatMap(({ images }) => Object.values(images)))
        if (link !== null) contents.images[link] ??= await this.#hash(link);
    }
    return contents;
  }

  /** Returns the hash of an image behind a link, which needs no key. */
  async #hash(link: string): Promise<string> {
    const response = await fetch(new URL(link, this.baseUrl));
    if (!response.ok) throw new Error(`${link} answered ${response.status}`);
    return createHash("sha256")
      .update(Buffer.from(await response.arrayBuffer()))
      .digest("hex");
  }

  async #all<T extends z.ZodType>(path: string, item: T): Promise<z.infer<T>[]> {
    const all: z.infer<T>[] = [];
    let cursor: string | null = null;
    do {
      const query: string =
        cursor === null ? "?limit=100" : `?limit=100&cursor=${encodeURIComponent(cursor)}`;
      const page = listOf(item).parse(await this.request(`${path}${query}`));
      all.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return all;
  }
}
