import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ApiClient } from "../../shared/api-client.ts";

const ROOT = join(import.meta.dirname, "../..");
/** A first start makes a database; a machine that runs other tests beside it takes its time over that. */
const READY_WITHIN_MS = 60_000;

/** The whole service as its own process, as `npm start` runs it. */
export class Vrs {
  readonly dataDir: string;
  readonly port: number;
  readonly key = "vrs_bootstrap_key_of_the_tests";
  readonly #env: Record<string, string>;
  #process: ChildProcess | null = null;
  /** What the process printed, of all its starts. */
  output = "";

  private constructor(dataDir: string, port: number, env: Record<string, string>) {
    this.dataDir = dataDir;
    this.port = port;
    this.#env = env;
  }

  /** Starts it on an empty data directory, allowed to render sites of this machine's loopback names. */
  static async start(env: Record<string, string> = {}): Promise<Vrs> {
    const dataDir = await mkdtemp(join(tmpdir(), "vrs-test-"));
    const vrs = new Vrs(dataDir, await freePort(), env);
    await vrs.start();
    return vrs;
  }

  get baseUrl(): string {
    return `http://localhost:${this.port}`;
  }

  /** The id of its process. */
  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error("vrs is not running.");
    return pid;
  }

  /** A client with the bootstrap key, or another. */
  client(apiKey = this.key): ApiClient {
    return new ApiClient({ baseUrl: this.baseUrl, apiKey });
  }

  /** A bare request with the bootstrap key, for what no client of ours would send. */
  request(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const authorization = {
      Authorization: `Bearer ${this.key}`,
      ...Object.fromEntries(new Headers(headers)),
    };
    return fetch(`${this.baseUrl}${path}`, { ...init, headers: authorization });
  }

  /** Posts JSON with the bootstrap key. */
  post(path: string, body: unknown): Promise<Response> {
    return this.request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** Starts the process again on the same data. */
  async start(): Promise<void> {
    const runner = join(ROOT, "node_modules/moleculer/bin/moleculer-runner.mjs");
    const child = spawn(
      process.execPath,
      [runner, "--config", "moleculer.config.ts", "--mask", "**/*.service.ts"],
      {
        cwd: ROOT,
        env: {
          ...process.env,
          PORT: String(this.port),
          SERVICE_DATA_DIR: this.dataDir,
          SERVICE_BOOTSTRAP_KEY: this.key,
          SERVICE_ALLOW_HOSTS: "localhost",
          ...this.#env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    await this.#ready(child);
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Asks it to end, as an operator would, and waits until it has. */
  async terminate(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** Asks it to end, and throws its data away. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  async #ready(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) throw new Error(`vrs ended at its start:\n${this.output}`);
      const answer = await fetch(`${this.baseUrl}/ready`).catch(() => null);
      if (answer?.ok) return;
      await delay(50);
    }
    throw new Error(`vrs was not ready in time:\n${this.output}`);
  }
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}
