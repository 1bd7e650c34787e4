import { freePort } from "../../drivers/free-port.ts";
import { listProcesses, type ProcessFacts } from "../../drivers/list-processes.ts";
import type { NodeHost } from "../../drivers/nodes/node-host.ts";
import { startReusable } from "../../drivers/runner.ts";

/** A node of a test's cluster: a process with some of the services. */
export class ClusterNode {
  readonly services: readonly string[];
  readonly #env: Record<string, string>;
  readonly #metricsPort: number;
  /** Folder of its code. */
  readonly #root: string | undefined;
  #process: NodeHost | null = null;
  /** The output of its earlier starts. */
  #printed = "";

  private constructor(
    services: readonly string[],
    env: Record<string, string>,
    metricsPort: number,
    root?: string,
  ) {
    this.#root = root;
    this.services = services;
    this.#env = env;
    this.#metricsPort = metricsPort;
  }

  /** Creates a node without starting it. @param root folder of its code, if it is another version */
  static async of(
    services: readonly string[],
    env: Record<string, string>,
    root?: string,
  ): Promise<ClusterNode> {
    return new ClusterNode(services, env, await freePort(), root);
  }

  /** Its gateway's URL, if it has one. */
  get baseUrl(): string {
    return `http://localhost:${this.#env.PORT}`;
  }

  get pid(): number {
    if (!this.#process) throw new Error(`${this} was never started.`);
    return this.#process.pid;
  }

  get ended(): boolean {
    return this.#process?.ended ?? true;
  }

  /** Its exit code, if it ended by itself. */
  get exitCode(): number | null {
    return this.#process?.exitCode ?? null;
  }

  /** Its output, of all starts. */
  get output(): string {
    return this.#printed + (this.#process?.output ?? "");
  }

  /** Starts its process, without waiting until it is ready. */
  launch(): void {
    this.#printed = this.output;
    const env = {
      ...this.#env,
      SERVICES: this.services.join(","),
      METRICS_PORT: String(this.#metricsPort),
    };
    this.#process = startReusable(env, this.#root);
  }

  /** Starts its process and waits until it is healthy. */
  async start(): Promise<void> {
    this.launch();
    await this.waitReady();
  }

  /** Waits until it is ready. @throws Error with its output, if it ends or takes too long */
  async waitReady(): Promise<void> {
    await this.#process?.until(async () => (await this.fetch("/health").catch(() => null))?.ok ?? false);
  }

  /** Fetches from its port for metrics and health. */
  fetch(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.#metricsPort}${path}`, { signal: AbortSignal.timeout(10_000) });
  }

  /** Kills it, like a power failure. */
  async kill(): Promise<void> {
    await this.#process?.end("SIGKILL");
  }

  /**
   * Kills the browser that has a process with this much memory, like a system without memory. @returns
   * whether there was one
   */
  async killBrowserOver(bytes: number): Promise<boolean> {
    const processes = await listProcesses();
    const hog = processes.find(
      process => process.residentBytes > bytes && this.#browserOf(process, processes),
    );
    const browser = hog && this.#browserOf(hog, processes);
    if (!browser) return false;
    try {
      process.kill(browser.pid, "SIGKILL");
      return true;
    } catch {
      // It ended by itself in between.
      return false;
    }
  }

  /** Stops it gracefully, and waits until it has ended. */
  async terminate(): Promise<void> {
    await this.#process?.end("SIGTERM");
  }

  /** Stops it at the end of a test. Its process may be kept for another node. */
  async release(): Promise<void> {
    this.resume();
    await this.#process?.release();
    this.#printed = this.output;
    this.#process = null;
  }

  /** Suspends it: it keeps its connections and does nothing. */
  pause(): void {
    this.#process?.signal("SIGSTOP");
  }

  resume(): void {
    this.#process?.signal("SIGCONT");
  }

  /** Returns the process's browser: the ancestor that is this node's own child. */
  #browserOf(one: ProcessFacts, processes: ProcessFacts[]): ProcessFacts | undefined {
    if (one.parent === this.pid) return one;
    const parent = processes.find(({ pid }) => pid === one.parent);
    return parent && this.#browserOf(parent, processes);
  }

  toString(): string {
    return `the node with ${this.services.join(" and ")}`;
  }
}
