import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { XDG_CACHE_HOME } from "./runner.ts";

const MAIN = join(import.meta.dirname, "../../../cli/main.ts");

const living = new Set<ChildProcess>();
// However the tests end, none of their processes survives them.
process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Its standard input. */
  input?: string;
}

/** The command line as a process with only this environment. */
export class VrsCommand {
  readonly #child: ChildProcess;
  stdout = "";
  stderr = "";

  constructor(args: string[], { cwd, env = {}, input = "" }: CommandOptions) {
    const { PATH = "", CHROMIUM_PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
    const own = { PATH, CHROMIUM_PATH, NODE_COMPILE_CACHE, HOME: cwd, XDG_CACHE_HOME, CI: "true", ...env };
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd,
      env: own,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    living.add(child);
    child.once("exit", () => living.delete(child));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  }

  /** Its whole output. */
  get output(): string {
    return this.stdout + this.stderr;
  }

  get hasEnded(): boolean {
    return !living.has(this.#child);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Returns its exit code, or the name of the signal that ended it. */
  async ended(): Promise<number | string> {
    if (living.has(this.#child)) await once(this.#child, "close");
    return this.#child.exitCode ?? this.#child.signalCode ?? "unknown";
  }
}

/** Runs the command line to its end. */
export async function vrs(
  args: string[],
  options: CommandOptions,
): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const command = new VrsCommand(args, options);
  const code = await command.ended();
  return { code, stdout: command.stdout, stderr: command.stderr };
}
