import { execFile, spawn } from "node:child_process";
import { CommandError } from "./terminal.ts";
import { BASELINE_ERRORS } from "./texts/check.ts";

/** Far above the size of git's lists of paths and names. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

interface Options {
  /** Standard input of the command. */
  input?: Uint8Array;
  /** Timeout after which null is returned, ms. */
  withinMs?: number;
}

/** Returns the output of a git command, or null if it fails or git is missing. */
export async function git(
  cwd: string,
  args: readonly string[],
  { input, withinMs = 0 }: Options = {},
): Promise<Buffer | null> {
  return await new Promise(resolve => {
    const options = { cwd, encoding: "buffer", maxBuffer: MAX_ANSWER_BYTES, timeout: withinMs } as const;
    const child = execFile("git", ["--no-optional-locks", ...args], options, (error, stdout) =>
      resolve(error ? null : stdout),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** Returns the output of a git command as trimmed text, or null. */
export async function gitLine(
  cwd: string,
  args: readonly string[],
  options?: Options,
): Promise<string | null> {
  return (await git(cwd, args, options))?.toString("utf8").trim() ?? null;
}

/**
 * Reads many objects in one process and passes on each one as it arrives, or null if missing. All of them
 * together may exceed the memory.
 * @returns the results in the order of the names
 * @throws CommandError `git_failed`
 */
export async function readObjects<R>(
  cwd: string,
  names: readonly string[],
  use: (content: Buffer | null) => R,
): Promise<R[]> {
  const child = spawn("git", ["cat-file", "--batch"], { cwd, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", code =>
      code === 0 ? resolve() : reject(new Error(BASELINE_ERRORS.gitExited(code))),
    );
  });
  ended.catch(() => {});
  child.stdin.on("error", () => {});
  child.stdin.end(names.map(name => `${name}\n`).join(""));
  const made: R[] = [];
  try {
    const answer = new ObjectStream();
    for await (const chunk of child.stdout) {
      answer.add(chunk);
      for (let object = answer.next(); object !== undefined; object = answer.next()) made.push(use(object));
    }
    await ended;
    if (made.length < names.length) throw new Error(BASELINE_ERRORS.gitIncomplete);
    return made;
  } catch (error) {
    throw new CommandError(
      "git_failed",
      BASELINE_ERRORS.gitFailed(error instanceof Error ? error.message : String(error)),
      error,
    );
  }
}

/**
 * Parses git's answers, which may arrive in parts: `<id> blob <size>\n<content>\n`, or `<name> missing\n`.
 */
class ObjectStream {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Number of bytes before the next parse attempt is worthwhile. */
  #needed = 1;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** Returns the next object; null for a missing one, undefined until all of it has arrived. */
  next(): Buffer | null | undefined {
    if (this.#length < this.#needed) return undefined;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const head = bytes.indexOf(0x0a) + 1;
    if (head === 0) return undefined;
    const [, type, size] = / (blob|tree|commit|tag) (\d+)\n$/.exec(bytes.toString("utf8", 0, head)) ?? [];
    const end = size === undefined ? head : head + Number(size) + 1;
    this.#needed = end;
    if (bytes.length < end) return undefined;
    this.#read(bytes, end);
    return type === "blob" ? bytes.subarray(head, end - 1) : null;
  }

  #read(bytes: Buffer, end: number): void {
    this.#chunks = [bytes.subarray(end)];
    this.#length = bytes.length - end;
    this.#needed = 1;
  }
}
