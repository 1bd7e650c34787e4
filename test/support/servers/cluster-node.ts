import type { Child } from "../drivers/child.ts";
import { freePort } from "../drivers/free-port.ts";
import { listProcesses, type ProcessFacts } from "../drivers/list-processes.ts";
import { startRunner } from "../drivers/runner.ts";

/** A node of a test's cluster: one process with some of the services. */
export class ClusterNode {
  readonly services: readonly string[];
  readonly #env: Record<string, string>;
  readonly #metricsPort: number;
  #process: Child | null = null;
  /** What its earlier starts printed. */
  #printed = "";

  private constructor(services: readonly string[], env: Record<string, string>, metricsPort: number) {
    this.services = services;
    this.#env = env;
    this.#metricsPort = metricsPort;
  }

  /** A node that is not started yet. */
  static async of(services: readonly string[], env: Record<string, string>): Promise<ClusterNode> {
    return new ClusterNode(services, env, await freePort());
  }

  /** Where its gateway answers, if it has one. */
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

  /** Its exit code, once it has ended by itself. */
  get exitCode(): number | null {
    return this.#process?.exitCode ?? null;
  }

  /** What it printed, in all its starts. */
  get output(): string {
    return this.#printed + (this.#process?.output ?? "");
  }

  /** Begins its process, without waiting until it is ready. */
  launch(): void {
    this.#printed = this.output;
    this.#process = startRunner({
      ...this.#env,
      SERVICES: this.services.join(","),
      METRICS_PORT: String(this.#metricsPort),
    });
  }

  /** Begins its process and waits until it says that it is healthy. */
  async start(): Promise<void> {
    this.launch();
    await this.waitReady();
  }

  /** @throws Error with what it printed, when it ends or takes too long */
  async waitReady(): Promise<void> {
    await this.#process?.until(async () => (await this.fetch("/health").catch(() => null))?.ok ?? false);
  }

  /** Asks its port for metrics and health. */
  fetch(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.#metricsPort}${path}`, { signal: AbortSignal.timeout(10_000) });
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await this.#process?.end("SIGKILL");
  }

  /** Ends the browser of which one process holds this much memory, as a system does that runs out of it. @returns whether there was one */
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
      // It ended by itself since it was looked for.
      return false;
    }
  }

  /** Asks it to end, as an operator would, and waits until it has. */
  async terminate(): Promise<void> {
    await this.#process?.end("SIGTERM");
  }

  /** Cuts it off: it keeps its connections and does nothing. */
  pause(): void {
    this.#process?.signal("SIGSTOP");
  }

  resume(): void {
    this.#process?.signal("SIGCONT");
  }

  /** The browser of this node that the process belongs to: this node's own child among its ancestors. */
  #browserOf(one: ProcessFacts, processes: ProcessFacts[]): ProcessFacts | undefined {
    if (one.parent === this.pid) return one;
    const parent = processes.find(({ pid }) => pid === one.parent);
    return parent && this.#browserOf(parent, processes);
  }

  toString(): string {
    return `the node with ${this.services.join(" and ")}`;
  }
}
