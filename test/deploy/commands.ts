import { type SpawnOptions, spawn } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** File that the command reads. */
  input?: string;
  /** File that the command writes to. Otherwise the output is returned. */
  output?: string;
}

/** Lines of a failed command's output that its error has. */
const ERROR_LINES = 30;

/**
 * Runs a command to its end, and returns what it printed.
 * @throws Error with the end of the output if its exit code isn't 0
 */
export async function run(program: string, args: string[], options: CommandOptions = {}): Promise<string> {
  const { cwd, env, input, output } = options;
  const settings: SpawnOptions = { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] };
  const child = spawn(program, args, settings);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("The command has no pipes.");
  // A command that ends early closes its input. Its exit code says why.
  if (input === undefined) stdin.end();
  else pipeline(createReadStream(input), stdin).catch(() => {});
  const read = output === undefined ? text(stdout) : pipeline(stdout, createWriteStream(output));
  const [code, out, errors] = await Promise.all([ended, read, text(stderr)]);
  if (code === 0) return typeof out === "string" ? out : "";
  const lines = `${typeof out === "string" ? out : ""}${errors}`.trim().split("\n").slice(-ERROR_LINES);
  throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${lines.join("\n")}`);
}

/** Returns whether a command ends with exit code 0. */
export async function succeeds(program: string, args: string[], options?: CommandOptions): Promise<boolean> {
  return await run(program, args, options).then(
    () => true,
    () => false,
  );
}

/** Returns whether a program is installed. */
export async function isInstalled(program: string): Promise<boolean> {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  const found = await Promise.all(
    folders.map(folder =>
      access(join(folder, program)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
