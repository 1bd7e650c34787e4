import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** A machine that runs other tests starts slowly. */
const READY_TIMEOUT_MS = 150_000;
/** A process that doesn't end is killed, so that no test hangs. */
const EXIT_TIMEOUT_MS = 90_000;
/** More frequent polls would take processor time from the starting process. */
const POLL_INTERVAL_MS = 100;

const living = new Set<Child>();

// However the tests end, none of their processes survives them.
process.once("exit", () => {
  for (const child of living) child.abandon();
});

process.once("SIGTERM", () => process.exit(143));

interface ChildOptions extends Omit<SpawnOptions, "stdio"> {
  /** The signal that ends it with its child processes. SIGKILL unless it must end those itself. */
  fatal?: NodeJS.Signals;
  /** Whether it exchanges messages with the test. It must be a program of Node. */
  ipc?: boolean;
}

/** A process of a test. */
export class Child {
  readonly #process: ChildProcess;
  readonly #fatal: NodeJS.Signals;
  /** Its output. */
  output = "";

  constructor(
    command: string,
    args: string[],
    { fatal = "SIGKILL", ipc = false, ...options }: ChildOptions = {},
  ) {
    const child = spawn(command, args, {
      ...options,
      stdio: ["ignore", "pipe", "pipe", ...(ipc ? (["ipc"] as const) : [])],
    });
    this.#process = child;
    this.#fatal = fatal;
    living.add(this);
    child.once("exit", () => living.delete(this));
    child.once("error", error => {
      living.delete(this);
      this.output += `${error.message}\n`;
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error(`It did not start:\n${this.output}`);
    return pid;
  }

  /** Its exit code, if it ended by itself. */
  get exitCode(): number | null {
    return this.#process.exitCode;
  }

  get ended(): boolean {
    return !living.has(this);
  }

  /** Sends a message. It gets lost if the process has ended. */
  send(message: object): void {
    this.#process.send(message, () => {});
  }

  /** Waits for a message. @returns null if the process ends before, or is ended because it takes longer */
  async nextMessage(timeoutMs: number): Promise<unknown> {
    const done = new AbortController();
    const timeout = setTimeout(() => this.abandon(), timeoutMs);
    const [message] = await Promise.race([
      once(this.#process, "message", { signal: done.signal }),
      once(this.#process, "exit", { signal: done.signal }).then(() => [null]),
    ]).finally(() => {
      clearTimeout(timeout);
      done.abort();
    });
    return message;
  }

  /** Sends a signal, such as SIGSTOP or SIGCONT, without waiting for its effect. */
  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Ends it, without waiting. */
  abandon(): void {
    this.#process.kill(this.#fatal);
    this.#process.kill("SIGCONT");
  }

  /** Ends it with a signal, and waits until it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.ended) return;
    const exited = once(this.#process, "exit");
    this.#process.kill(signal);
    // A stopped process receives only SIGKILL.
    this.#process.kill("SIGCONT");
    const timeout = setTimeout(() => this.abandon(), EXIT_TIMEOUT_MS);
    await exited;
    clearTimeout(timeout);
  }

  /**
   * Waits until `ready` returns true. @throws Error with its output, if it ends or takes too long; then it is
   * ended
   */
  async until(ready: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < deadline) {
      if (this.ended) throw new Error(`It ended at its start:\n${this.output}`);
      if (await ready()) return;
      await delay(POLL_INTERVAL_MS);
    }
    await this.end("SIGKILL");
    throw new Error(`It was not ready in time:\n${this.output}`);
  }
}
