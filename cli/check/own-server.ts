import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { CommandError, type Terminal } from "../terminal.ts";
import { endWithMe } from "./end-with-me.ts";
import { noAnswer, untilAnswer } from "./reach.ts";

/** What is kept of its output, characters: enough for an error with its stack. */
const KEPT = 8_000;
/** How long it may take to end when asked. */
const END_MS = 5_000;
/** Whoever listens at an address answers sooner; a port without anybody refuses at once. */
const TAKEN_WITHIN_MS = 2_000;

/** The user's application, started for a check and ended with it, however that ends, with all processes that it starts. */
export class OwnServer {
  readonly #child: ChildProcess;
  readonly #command: string;
  readonly #gone = new AbortController();
  readonly #killAtExit = () => this.#signal("SIGKILL");
  readonly #endWatch: () => void;
  #output = "";
  #stopping = false;

  private constructor(command: string, cwd: string, env: Terminal["env"], hear: (text: string) => void) {
    this.#command = command;
    // A group of its own, so that a shell's children are ended with it.
    this.#child = spawn(command, {
      cwd,
      env: { ...env },
      shell: true,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-KEPT);
        hear(text);
      });
    }
    this.#child.once("error", error => this.#ended(`could not be started: ${error.message}`));
    this.#child.once("exit", (code, by) =>
      this.#ended(by ? `was ended by ${by}` : `ended with exit code ${code}`),
    );
    process.once("exit", this.#killAtExit);
    const { pid } = this.#child;
    this.#endWatch = pid === undefined ? () => {} : endWithMe(pid, END_MS / 1_000);
  }

  /** Aborts when it ends before it is stopped, with a CommandError `server_ended`. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /**
   * Starts the command in a shell and waits until the address answers.
   * @param hear is told what it prints
   * @throws CommandError `address_taken`, `server_ended` and `server_silent`, with what it printed last
   */
  static async start(options: {
    command: string;
    url: string;
    timeoutMs: number;
    cwd: string;
    env: Terminal["env"];
    signal: AbortSignal;
    hear: (text: string) => void;
  }): Promise<OwnServer> {
    const { command, url, timeoutMs, signal } = options;
    if ((await noAnswer(url, TAKEN_WITHIN_MS, signal)) === null) {
      throw new CommandError(
        "address_taken",
        `Something answers at ${url} already, which would be checked instead of what --start starts. ` +
          "End it, or leave out --start to check it.",
      );
    }
    signal.throwIfAborted();
    const server = new OwnServer(command, options.cwd, options.env, options.hear);
    try {
      const why = await untilAnswer(url, timeoutMs, AbortSignal.any([signal, server.gone]));
      server.gone.throwIfAborted();
      signal.throwIfAborted();
      if (why !== null) {
        const message = `${command}: nothing answered at ${url} within ${timeoutMs / 1000} s (${why}). Check the port, or give it longer with --start-timeout.`;
        throw new CommandError("server_silent", message + server.#lastWords());
      }
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Ends it and all that it started: asks, and after some seconds kills. */
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

  #ended(how: string): void {
    if (this.#stopping) return;
    const message = `${this.#command} ${how}, so that there is nothing to check.${this.#lastWords()}`;
    this.#gone.abort(new CommandError("server_ended", message));
  }

  #lastWords(): string {
    const said = this.#output.trimEnd();
    return said === "" ? " It printed nothing." : ` It printed:\n${said}`;
  }

  #lives(): boolean {
    return this.#signal(0);
  }

  /** @returns whether any process of the group was there */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    if (pid === undefined) return false;
    try {
      process.kill(-pid, signal);
      return true;
    } catch {
      return false;
    }
  }
}
