import { execFile, spawn } from "node:child_process";
import { CommandError } from "../terminal.ts";

/** Far above what git says of a repository's places and names. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** What a git command prints, or null when it fails or there is no git. */
export async function git(cwd: string, args: readonly string[], input?: Uint8Array): Promise<Buffer | null> {
  return await new Promise(resolve => {
    const options = { cwd, encoding: "buffer", maxBuffer: MAX_ANSWER_BYTES } as const;
    const child = execFile("git", ["--no-optional-locks", ...args], options, (error, stdout) =>
      resolve(error ? null : stdout),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** As `git`, for one line of text. */
export async function gitLine(cwd: string, args: readonly string[]): Promise<string | null> {
  return (await git(cwd, args))?.toString("utf8").trim() ?? null;
}

/** The contents of many objects, by one process; null for each that is not there. @throws CommandError `git_failed` */
export async function readObjects(cwd: string, names: readonly string[]): Promise<(Buffer | null)[]> {
  const child = spawn("git", ["cat-file", "--batch"], {
    cwd,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  child.stdin.end(names.map(name => `${name}\n`).join(""));
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", code => (code === 0 ? resolve() : reject(new Error(`git ended with ${code}`))));
  }).catch((error: unknown) => {
    throw new CommandError("git_failed", `The baselines could not be read with git: ${String(error)}`, error);
  });
  return parseObjects(Buffer.concat(chunks), names.length);
}

/** `<id> <type> <size>\n<content>\n` for each, or `<name> missing\n`. */
function parseObjects(answer: Buffer, count: number): (Buffer | null)[] {
  const found: (Buffer | null)[] = [];
  for (let at = 0; found.length < count; ) {
    const end = answer.indexOf(0x0a, at);
    if (end < 0) throw new CommandError("git_failed", "git did not name all the objects it was asked for.");
    const size = / blob (\d+)$/.exec(answer.toString("utf8", at, end))?.[1];
    at = end + 1;
    found.push(size === undefined ? null : answer.subarray(at, at + Number(size)));
    if (size !== undefined) at += Number(size) + 1;
  }
  return found;
}
