import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type ReadConfig, readConfigSchema } from "../failure.ts";
import { FILE_ERRORS } from "../texts.ts";

/** In seconds of a core. Reading the largest allowed source takes one. */
const CPU_SECONDS = 10;
/** A busy machine gives a process its seconds late. */
const READ_TIMEOUT_MS = 60_000;
/** Far above a configuration within its bounds. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Each process takes a whole core. */
const MAX_PROCESSES = 2;

const PROCESS = fileURLToPath(new URL("./source-process.ts", import.meta.url));

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a source in a child process, without this process's environment. A deeply nested source crashes the
 * process of the script parser, which is native code. Another source can keep the YAML parser busy for long.
 * Few sources are read at a time; the others wait.
 * @throws Error if the process can't be started, or doesn't finish
 */
export async function readInChildProcess(source: string, fileName: string): Promise<ReadConfig> {
  if (running >= MAX_PROCESSES) await new Promise<void>(resolve => waiting.push(resolve));
  else running += 1;
  try {
    const answer = await runProcess(JSON.stringify({ source, fileName }));
    return answer === null
      ? { config: null, failures: [UNREADABLE] }
      : readConfigSchema.parse(JSON.parse(answer));
  } finally {
    // The slot goes to the next source, or is freed.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** A crash writes no core dump, and no process runs long. */
const BOUNDED = ["-c", `ulimit -c 0; ulimit -t ${CPU_SECONDS}; exec "$@"`, "sh"];

/**
 * Returns the program, arguments and variables that run a command within its bounds. Windows has no such shell: there,
 * only the timeout bounds it.
 */
export function boundedCommand(
  platform: NodeJS.Platform,
  { SystemRoot }: Readonly<Record<string, string | undefined>>,
  [file, ...args]: readonly [string, ...string[]],
): { file: string; args: string[]; env: Record<string, string> } {
  if (platform === "win32") return { file, args, env: SystemRoot === undefined ? {} : { SystemRoot } };
  return { file: "/bin/sh", args: [...BOUNDED, file, ...args], env: {} };
}

/** Runs the process with an input. Returns null if a signal ended it. */
function runProcess(input: string): Promise<string | null> {
  const command = [process.execPath, "--max-old-space-size=256", PROCESS] as const;
  const { file, args, env } = boundedCommand(process.platform, process.env, command);
  const options = {
    timeout: READ_TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
    env,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, answer, log) => {
      if (!error) resolve(answer);
      else if (error.signal && !error.killed) resolve(null);
      else reject(new Error(FILE_ERRORS.unreadable(log || error.message), { cause: error }));
    });
    // A process that ends before it has read everything closes the pipe. Its exit says more.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/**
 * The failure for a signal that this process didn't send: the source crashed the process. Other errors give
 * an exit code.
 */
const UNREADABLE = {
  code: "too-large",
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  field: null,
  message: FILE_ERRORS.tooComplex,
} as const;
