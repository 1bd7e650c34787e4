import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { putMigratedDatabase } from "../databases/migrated-database.ts";
import { ApiAccess } from "./api-access.ts";
import type { Child } from "./child.ts";
import { freePort } from "./free-port.ts";
import { startRunner } from "./runner.ts";

/** The whole service in its own process, as `npm start` runs it. */
export class Vrs extends ApiAccess {
  readonly dataDir: string;
  readonly port: number;
  readonly #env: Record<string, string>;
  #process: Child | null = null;
  /** The output of its earlier starts. */
  #printed = "";

  private constructor(dataDir: string, port: number, env: Record<string, string>) {
    super();
    this.dataDir = dataDir;
    this.port = port;
    this.#env = env;
  }

  /**
   * Starts it on a data directory with empty tables, and this environment. $PORT stands for its port. It may
   * render sites on this machine's loopback names.
   */
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

  /** The output of the process, of all starts. */
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
      // Tests send many requests.
      SERVICE_RATE_LIMIT: "1000000",
      ...env,
    });
    this.#process = child;
    await child.until(async () => (await fetch(`${this.baseUrl}/ready`).catch(() => null))?.ok ?? false);
  }

  /** Kills it, like a power failure. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Stops it gracefully, and waits until it has ended. */
  async terminate(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** Stops it, and deletes its data. */
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
