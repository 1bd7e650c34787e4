import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { LineReader, shownAppOutput } from "../output/app-output.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";
import { killWithParent } from "./kill-with-parent.ts";
import { LEADS_GROUP, signalGroup } from "./process-group.ts";
import { probe, waitForAnswer } from "./reach.ts";

/** Characters of output that are kept: enough for an error with its stack. */
const KEPT_CHARS = 8_000;
/** Time for the last output to arrive after the exit. */
const LAST_OUTPUT_MS = 500;
/** Time to end after SIGTERM. */
const END_MS = 5_000;
/** A server at the address answers sooner. A free port refuses at once. */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * The user's application. It is started for a check, and ended with all its processes whenever and however
 * the check ends.
 */
export class OwnServer {
  readonly #child: ChildProcess;
  readonly #endedSignal = new AbortController();
  readonly #killAtExit = () => this.#signal("SIGKILL");
  readonly #endWatch: () => void;
  #output = "";
  #stopping = false;

  private constructor(command: string, cwd: string, env: Terminal["env"], onLine: (line: string) => void) {
    // A process group of its own, so that a shell's children end with it.
    this.#child = spawn(command, {
      cwd,
      env: { ...env },
      shell: true,
      detached: LEADS_GROUP,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      const lines = new LineReader(onLine);
      stream
        ?.setEncoding("utf8")
        .on("data", (text: string) => {
          this.#output = (this.#output + text).slice(-KEPT_CHARS);
          lines.add(text);
        })
        .once("close", () => lines.end());
    }
    this.#child.once("error", error => this.#ended(CHECK_ERRORS.notStarted(command, error.message)));
    this.#child.once("exit", async (code, by) => {
      // Its last output may arrive after its exit. A child process of its own may hold the pipes open.
      await Promise.race([once(this.#child, "close"), delay(LAST_OUTPUT_MS)]);
      this.#ended(by ? CHECK_ERRORS.killed(command, by) : CHECK_ERRORS.exited(command, code));
    });
    process.once("exit", this.#killAtExit);
    const { pid } = this.#child;
    this.#endWatch = pid === undefined ? () => {} : killWithParent(pid, END_MS / 1_000);
  }

  /** Aborts with a CommandError `server_ended` when the process ends before it is stopped. */
  get endedSignal(): AbortSignal {
    return this.#endedSignal.signal;
  }

  /**
   * Starts the command in a shell and waits until the address answers.
   * @param hear receives each printed line, unchanged
   * @throws CommandError `address_taken`, `server_ended` and `server_silent`, with the last output
   */
  static async start(options: {
    command: string;
    url: string;
    timeoutMs: number;
    cwd: string;
    env: Terminal["env"];
    signal: AbortSignal;
    onLine: (line: string) => void;
  }): Promise<OwnServer> {
    const { command, url, timeoutMs, signal } = options;
    if ((await probe(url, PROBE_TIMEOUT_MS, signal)) === null) {
      throw new CommandError("address_taken", CHECK_ERRORS.addressTaken(url));
    }
    signal.throwIfAborted();
    const server = new OwnServer(command, options.cwd, options.env, options.onLine);
    try {
      const why = await waitForAnswer(url, timeoutMs, AbortSignal.any([signal, server.endedSignal]));
      server.endedSignal.throwIfAborted();
      signal.throwIfAborted();
      if (why !== null) {
        const message = CHECK_ERRORS.noResponse(command, url, timeoutMs / 1000, why);
        throw new CommandError("server_silent", `${message} ${server.#lastOutput()}`);
      }
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Ends the application and all its processes: first with SIGTERM, after some seconds with SIGKILL. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#signal("SIGTERM");
    const end = performance.now() + END_MS;
    while (this.#lives() && performance.now() < end) await delay(20);
    this.#signal("SIGKILL");
    process.off("exit", this.#killAtExit);
    this.#endWatch();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #ended(message: string): void {
    if (this.#stopping) return;
    this.#endedSignal.abort(new CommandError("server_ended", `${message} ${this.#lastOutput()}`));
  }

  #lastOutput(): string {
    const output = this.#output.trimEnd();
    return output === "" ? CHECK_ERRORS.printedNothing : CHECK_ERRORS.printed(shownAppOutput(output));
  }

  #lives(): boolean {
    return this.#signal(0);
  }

  /** @returns whether the group still had a process */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    return pid !== undefined && signalGroup(pid, signal);
  }
}
