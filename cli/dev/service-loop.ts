import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DEV_TEXTS as TEXTS } from "../texts/dev.ts";

/** What the service is made of. */
const SOURCES = ["services", "mixins", "shared", "moleculer.config.ts"];
/** Editors write a file in several steps, and a branch switch writes many files. */
const SETTLE_MS = 60;
/** The service waits longer for pages that it captures. Killed, it captures them again: its data survives that. */
const STOP_WITHIN_MS = 500;

interface LoopOptions {
  root: string;
  /** Everything that the process finds in its environment. */
  env: NodeJS.ProcessEnv;
  isInspected: boolean;
  onOutput(chunk: Buffer): void;
}

/** The service as a process that is replaced when one of its sources changes. */
export class ServiceLoop {
  readonly #options: LoopOptions;
  #current: ChildProcess | null = null;
  /** The next process, which has loaded the packages already. */
  #spare: ChildProcess | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #isQueued = false;
  #isStopped = false;
  readonly #watching = new AbortController();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Starts the service and watches its sources. Resolves when it takes requests, or could not start. */
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

  /** Stops the service, its spare and the watching. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#watching.abort();
    await Promise.all([end(this.#current), end(this.#spare)]);
  }

  #noteChange(file: string | null): void {
    // Drafts of editors.
    if (this.#isQueued || this.#isStopped || (file && /(^|[\\/])\.|~$|\.tmp\b/.test(file))) return;
    this.#isQueued = true;
    const startedAt = performance.now();
    // One after the other: two processes can't have one database. A start that a change overtakes is not finished.
    this.#work = Promise.all([delay(SETTLE_MS), end(this.#current)]).then(async () => {
      this.#isQueued = false;
      if (await this.#run()) console.log(TEXTS.restarted(file ?? "", performance.now() - startedAt));
    });
  }

  /** Replaces the process. @returns whether it takes requests */
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
    // Now, so that it takes no processor time from a start.
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
      // As in the tests: a process of a few minutes doesn't need WebAssembly that is compiled for speed.
      [
        ...["--liftoff-only", "--max-semi-space-size=32", join(import.meta.dirname, "spare-node.ts")],
        ...(isInspected ? ["--inspect"] : []),
      ],
      {
        cwd: root,
        env,
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        // A group of its own: the loop passes on Ctrl-C.
        detached: true,
      },
    );
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    return child;
  }
}

/** Stops a process, and kills it where that takes too long. */
async function end(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await Promise.race([exited, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
  child.kill("SIGKILL");
  await exited;
}
