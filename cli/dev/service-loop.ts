import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DEV_TEXTS as TEXTS } from "../texts/dev.ts";

/** Sources of the service. */
const SOURCES = ["services", "mixins", "shared", "moleculer.config.ts"];
/** Editors write a file in several steps, and a branch switch writes many files. */
const DEBOUNCE_MS = 60;
/**
 * The service would wait longer for captures in progress. If it is killed, it repeats them, without losing
 * data.
 */
const STOP_WITHIN_MS = 500;

interface LoopOptions {
  root: string;
  /** The whole environment of the process. */
  env: NodeJS.ProcessEnv;
  isInspected: boolean;
  onOutput(chunk: Buffer): void;
}

/** The service as a process that is replaced when a source changes. */
export class ServiceLoop {
  readonly #options: LoopOptions;
  #current: ChildProcess | null = null;
  /** The next process, with its packages already loaded. */
  #spare: ChildProcess | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #isQueued = false;
  #isStopped = false;
  readonly #watching = new AbortController();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Starts the service and watches its sources. Resolves when it accepts requests or fails to start. */
  async start(): Promise<void> {
    for (const source of SOURCES) {
      const { signal } = this.#watching;
      watch(join(this.#options.root, source), { recursive: true, signal }, (_, file) =>
        this.#noteChange(file),
      );
    }
    this.#work = this.#run();
    await this.#work;
  }

  /** Stops the service, the spare process and the watching. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#watching.abort();
    await Promise.all([end(this.#current), end(this.#spare)]);
  }

  #noteChange(file: string | null): void {
    // Temporary files of editors.
    if (this.#isQueued || this.#isStopped || (file && /(^|[\\/])\.|~$|\.tmp\b/.test(file))) return;
    this.#isQueued = true;
    const startedAt = performance.now();
    // In sequence: two processes can't share a database. A new change aborts a start in progress.
    this.#work = Promise.all([delay(DEBOUNCE_MS), end(this.#current)]).then(async () => {
      this.#isQueued = false;
      if (await this.#run()) console.log(TEXTS.restarted(file ?? "", performance.now() - startedAt));
    });
  }

  /** Replaces the process. @returns whether it accepts requests */
  async #run(): Promise<boolean> {
    if (this.#isStopped) return false;
    const child = this.#spare ?? this.#spawn();
    this.#spare = null;
    this.#current = child;
    child.send("start");
    const isUp = await Promise.race([
      once(child, "message").then(() => true),
      once(child, "exit").then(() => false),
    ]);
    if (this.#current !== child || this.#isStopped) return false;
    if (!isUp && !this.#isQueued) console.log(TEXTS.failed);
    if (isUp) child.once("exit", () => this.#current === child && !this.#isQueued && this.#onCrash());
    // Created afterward, so that it takes no processor time from a start.
    this.#spare = this.#spawn();
    return isUp;
  }

  #onCrash(): void {
    if (!this.#isStopped) console.log(TEXTS.failed);
  }

  #spawn(): ChildProcess {
    const { root, env, isInspected, onOutput } = this.#options;
    const child = spawn(
      process.execPath,
      // As in the tests: a short-lived process doesn't need optimized WebAssembly.
      [
        ...["--liftoff-only", "--max-semi-space-size=32", join(import.meta.dirname, "spare-node.ts")],
        ...(isInspected ? ["--inspect"] : []),
      ],
      {
        cwd: root,
        env,
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        // A process group of its own: the loop passes on Ctrl-C.
        detached: true,
      },
    );
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    return child;
  }
}

/** Stops a process, and kills it after a timeout. */
async function end(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await Promise.race([exited, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
  child.kill("SIGKILL");
  await exited;
}
