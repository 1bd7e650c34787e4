import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A process that stays warm and works through a list of pages per message. */
export class WarmProcess {
  readonly #child: ChildProcess;
  /** Its message when it was ready. */
  readonly greeting: unknown;

  private constructor(child: ChildProcess, greeting: unknown) {
    this.#child = child;
    this.greeting = greeting;
  }

  /** Starts it, and waits until it is ready. @throws Error when it ends before */
  static async start(program: URL, cwd: string): Promise<WarmProcess> {
    const child = fork(program, { cwd });
    return new WarmProcess(child, await answerOf(child));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Sends it these pages and waits. @throws Error when it ends before it has finished */
  async work(pages: readonly string[]): Promise<void> {
    const done = answerOf(this.#child);
    this.#child.send([...pages]);
    await done;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    if (this.#child.connected) this.#child.disconnect();
    await ended;
  }
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error("A process of the bench ended before its work was done."));
  child.once("exit", onExit);
  try {
    const [answer] = await once(child, "message", { signal: ended.signal });
    return answer;
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    child.off("exit", onExit);
  }
}
