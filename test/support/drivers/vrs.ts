import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { putMigratedDatabase } from "../servers/migrated-database.ts";
import { ApiAccess } from "./api-access.ts";
import type { Child } from "./child.ts";
import { freePort } from "./free-port.ts";
import { startRunner } from "./runner.ts";

/** The whole service as its own process, as `npm start` runs it. */
export class Vrs extends ApiAccess {
  readonly dataDir: string;
  readonly port: number;
  readonly #env: Record<string, string>;
  #process: Child | null = null;
  /** What its earlier starts printed. */
  #printed = "";

  private constructor(dataDir: string, port: number, env: Record<string, string>) {
    super();
    this.dataDir = dataDir;
    this.port = port;
    this.#env = env;
  }

  /** Starts it on a data directory with nothing but empty tables, with this environment, in which $PORT is its port; allowed to render sites of this machine's loopback names. */
  static async start(env: Record<string, string> = {}): Promise<Vrs> {
    const dataDir = await mkdtemp(join(tmpdir(), "vrs-test-"));
    await putMigratedDatabase(dataDir);
    const vrs = new Vrs(dataDir, await freePort(), env);
    await vrs.start();
    return vrs;
  }

  get baseUrl(): string {
    return `http://localhost:${this.port}`;
  }

  /** The id of its process. */
  get pid(): number {
    if (!this.#process) throw new Error("vrs is not running.");
    return this.#process.pid;
  }

  /** What the process printed, of all its starts. */
  get output(): string {
    return this.#printed + (this.#process?.output ?? "");
  }

  /** Starts the process again on the same data. */
  async start(): Promise<void> {
    const ofPort = (value: string) => value.replaceAll("$PORT", String(this.port));
    const env = Object.fromEntries(Object.entries(this.#env).map(([name, value]) => [name, ofPort(value)]));
    const child = startRunner({
      PORT: String(this.port),
      SERVICE_DATA_DIR: this.dataDir,
      SERVICE_BOOTSTRAP_KEY: this.key,
      SERVICE_ALLOW_HOSTS: "localhost",
      // Tests ask often.
      SERVICE_RATE_LIMIT: "1000000",
      ...env,
    });
    this.#process = child;
    await child.until(async () => (await fetch(`${this.baseUrl}/ready`).catch(() => null))?.ok ?? false);
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
    await this.#process?.end(signal);
    this.#printed = this.output;
    this.#process = null;
  }
}
