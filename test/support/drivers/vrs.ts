import { MAIN_DATABASE, type TestDatabase } from "../databases/databases.ts";
import { ApiAccess } from "./api-access.ts";
import { freePort } from "./free-port.ts";
import type { NodeHost } from "./nodes/node-host.ts";
import { startReusable } from "./runner.ts";

/** The whole service in a process, as `npm start` runs it. After `stop`, the process may run another test's service. */
export class Vrs extends ApiAccess {
  readonly port: number;
  readonly #database: TestDatabase;
  readonly #env: Record<string, string>;
  #process: NodeHost | null = null;
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
    const host = startReusable({
      PORT: String(this.port),
      SERVICE_BOOTSTRAP_KEY: this.key,
      SERVICE_ALLOW_HOSTS: "localhost",
      // Tests send many requests.
      SERVICE_RATE_LIMIT: "1000000",
      ...env,
    });
    this.#process = host;
    await host.until(async () => (await fetch(`${this.baseUrl}/ready`).catch(() => null))?.ok ?? false);
  }

  /** Kills it, like a power failure. */
  async kill(): Promise<void> {
    await this.#end(host => host.end("SIGKILL"));
  }

  /** Stops it gracefully, and waits until it has ended. */
  async terminate(): Promise<void> {
    await this.#end(host => host.end("SIGTERM"));
  }

  /** Stops it, and deletes its data. */
  async stop(): Promise<void> {
    await this.#end(host => host.release());
    await this.#database.remove();
  }

  async #end(how: (host: NodeHost) => Promise<void>): Promise<void> {
    if (this.#process) await how(this.#process);
    this.#printed = this.output;
    this.#process = null;
  }
}
