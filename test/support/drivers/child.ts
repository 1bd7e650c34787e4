import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** A machine that runs other tests beside this one takes its time over a start. */
const READY_TIMEOUT_MS = 150_000;
/** A process that does not end when asked is killed, so that no test hangs on it. */
const EXIT_TIMEOUT_MS = 90_000;
/** Whoever asks more often takes the processor from what is to get ready. */
const POLL_INTERVAL_MS = 100;

const living = new Set<Child>();

// Whatever ends the tests, no process of theirs outlives them.
process.once("exit", () => {
  for (const child of living) child.abandon();
});

process.once("SIGTERM", () => process.exit(143));

interface ChildOptions extends Omit<SpawnOptions, "stdio"> {
  /** What ends it with all its own processes; SIGKILL unless it must end those itself. */
  fatal?: NodeJS.Signals;
}

/** A process of a test. */
export class Child {
  readonly #process: ChildProcess;
  readonly #fatal: NodeJS.Signals;
  /** What it printed. */
  output = "";

  constructor(command: string, args: string[], { fatal = "SIGKILL", ...options }: ChildOptions = {}) {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
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

  /** Its exit code, once it has ended by itself. */
  get exitCode(): number | null {
    return this.#process.exitCode;
  }

  get ended(): boolean {
    return !living.has(this);
  }

  /** Sends a signal, as SIGSTOP and SIGCONT, without waiting for what comes of it. */
  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Ends it at once, without waiting. */
  abandon(): void {
    this.#process.kill(this.#fatal);
    this.#process.kill("SIGCONT");
  }

  /** Ends it with a signal and waits until it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.ended) return;
    const exited = once(this.#process, "exit");
    this.#process.kill(signal);
    // A stopped process hears nothing but SIGKILL.
    this.#process.kill("SIGCONT");
    const patience = setTimeout(() => this.abandon(), EXIT_TIMEOUT_MS);
    await exited;
    clearTimeout(patience);
  }

  /** Waits until `ready` says so. @throws Error with what it printed, when it ends or takes too long; then it is ended */
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
