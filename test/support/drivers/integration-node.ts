import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Child } from "./child.ts";
import { freePort } from "./free-port.ts";
import { startRunner } from "./runner.ts";

/** The deployment platform's integration in its own process, in front of a service elsewhere. */
export class IntegrationNode {
  readonly baseUrl: string;
  readonly #env: Record<string, string>;
  #process: Child | null = null;
  /** The output of its earlier starts. */
  #printed = "";

  private constructor(baseUrl: string, env: Record<string, string>) {
    this.baseUrl = baseUrl;
    this.#env = env;
  }

  static async start(env: Record<string, string>): Promise<IntegrationNode> {
    const port = String(await freePort());
    const SERVICE_DATA_DIR = await mkdtemp(join(tmpdir(), "vrs-integration-"));
    const own = { PORT: port, SERVICE_DATA_DIR, SERVICES: "gateway,platform" };
    const node = new IntegrationNode(`http://localhost:${port}`, { ...own, ...env });
    await node.start();
    return node;
  }

  /** The output of the process, of all starts. */
  get output(): string {
    return this.#printed + (this.#process?.output ?? "");
  }

  /** Starts the process again on the same data. */
  async start(): Promise<void> {
    this.#process = startRunner(this.#env);
    await this.#process.until(
      async () => (await fetch(`${this.baseUrl}/ready`).catch(() => null))?.ok ?? false,
    );
  }

  /** Kills it, like a power failure. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Stops it, and deletes its data. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    await rm(this.#env.SERVICE_DATA_DIR ?? "", { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    await this.#process?.end(signal);
    this.#printed = this.output;
    this.#process = null;
  }
}
