import { MAIN_DATABASE, type TestDatabase } from "../databases/databases.ts";
import { ApiAccess } from "./api-access.ts";
import type { Child } from "./child.ts";
import { freePort } from "./free-port.ts";
import { startRunner } from "./runner.ts";

/** The whole service in its own process, as `npm start` runs it. */
export class Vrs extends ApiAccess {
  readonly port: number;
  readonly #database: TestDatabase;
  readonly #env: Record<string, string>;
  #process: Child | null = null;
  /** The output of its earlier starts. */
  #printed = "";

  private constructor(database: TestDatabase, port: number, env: Record<string, string>) {
    super();
    this.#database = database;
    this.port = port;
    this.#env = env;
  }

  /**
   * Starts it on empty tables, with this environment. $PORT stands for its port. It may render sites on this
   * machine's loopback names.
   */
  static async start(env: Record<string, string> = {}, database = MAIN_DATABASE): Promise<Vrs> {
    const made = await database.make();
    const vrs = new Vrs(made, await freePort(), { ...made.env, ...env });
    await vrs.start();
    return vrs;
  }

  get dataDir(): string {
    return this.#database.env.SERVICE_DATA_DIR;
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
    await this.#database.remove();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    await this.#process?.end(signal);
    this.#printed = this.output;
    this.#process = null;
  }
}
