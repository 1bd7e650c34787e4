import { join } from "node:path";
import { Child } from "../child.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const PROGRAM = join(import.meta.dirname, "reused-node.ts");

export type HostMessage = { kind: "start"; env: NodeJS.ProcessEnv } | { kind: "stop" };

/** How to start a process: Node's options, the program's options, and the folder. */
interface HostOptions {
  nodeOptions: string[];
  args: string[];
  cwd: string;
}

/** Of the nodes in one process. Each leaves some memory that is collected late. */
const MAX_NODES = 10;
/** Of the processes that are kept, which have about 300 MB each. */
const MAX_IDLE = 3;
/** A node whose servers are gone may wait for them. */
const STOP_TIMEOUT_MS = 15_000;

const idle: NodeHost[] = [];
let isKeeping = false;

/** Keeps processes from now on. The caller has to end them with `endIdleHosts`, or this process never ends. */
export function keepIdleHosts(): void {
  isKeeping = true;
}

/**
 * A process with a node. It is reused for another node if this one was stopped gracefully, because loading the code
 * takes most of a node's start.
 */
export class NodeHost {
  readonly #child: Child;
  /** Length of the output of earlier nodes. */
  #earlier = 0;
  #nodes = 0;
  #isReady = false;
  /** False if its process got options of its own. */
  readonly #isReusable: boolean;

  private constructor(options: HostOptions, env: NodeJS.ProcessEnv) {
    const { nodeOptions, args, cwd } = options;
    this.#child = new Child(process.execPath, [...nodeOptions, PROGRAM, ...args], { cwd, env, ipc: true });
    this.#isReusable = isReusable(options, env);
  }

  /** Starts a node with only this environment, without waiting until it is ready. */
  static start(options: HostOptions, env: NodeJS.ProcessEnv): NodeHost {
    const reused = isReusable(options, env) ? idle.pop() : undefined;
    const host = reused && !reused.ended ? reused : new NodeHost(options, env);
    host.#earlier = host.#child.output.length;
    host.#nodes += 1;
    host.#isReady = false;
    host.#child.send({ kind: "start", env } satisfies HostMessage);
    return host;
  }

  get pid(): number {
    return this.#child.pid;
  }

  get ended(): boolean {
    return this.#child.ended;
  }

  /** Its exit code, if it ended by itself. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** The output of this node. */
  get output(): string {
    return this.#child.output.slice(this.#earlier);
  }

  /** Waits as `Child.until` does. */
  async until(ready: () => boolean | Promise<boolean>): Promise<void> {
    await this.#child.until(ready);
    this.#isReady = true;
  }

  /** Sends a signal, without waiting for its effect. */
  signal(signal: NodeJS.Signals): void {
    this.#child.signal(signal);
  }

  /** Ends the process with a signal, and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<void> {
    return this.#child.end(signal);
  }

  /** Stops the node gracefully, and may keep its process for the next one. A node that isn't ready is killed. */
  async release(): Promise<void> {
    if (this.ended) return;
    if (!this.#isReady) return this.end("SIGKILL");
    if (!isKeeping || !this.#isReusable) return this.end("SIGTERM");
    this.#isReady = false;
    const stopped = this.#child.nextMessage(STOP_TIMEOUT_MS);
    this.#child.send({ kind: "stop" } satisfies HostMessage);
    if ((await stopped) === null) return;
    if (this.#nodes < MAX_NODES && idle.length < MAX_IDLE) idle.push(this);
    else await this.end("SIGKILL");
  }
}

/** Returns whether the process has this version's code, and reads nothing else than the tests' own environment. */
function isReusable({ cwd }: HostOptions, { NODE_OPTIONS }: NodeJS.ProcessEnv): boolean {
  return cwd === ROOT && NODE_OPTIONS === process.env.NODE_OPTIONS;
}

/** Ends the processes that are kept for other nodes. */
export async function endIdleHosts(): Promise<void> {
  await Promise.all(idle.splice(0).map(host => host.end("SIGKILL")));
}
