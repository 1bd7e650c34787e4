import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type ReadConfig, readConfigSchema } from "../failure.ts";
import { FILE_ERRORS } from "../texts.ts";

/** Seconds of a core. Reading a source of the greatest size takes one. */
const CPU_SECONDS = 10;
/** A machine that does much else gives a process its seconds late. */
const READ_TIMEOUT_MS = 60_000;
/** Far above a configuration within its bounds. */
const ANSWER_BYTES = 16 * 1024 * 1024;
/** A process takes a core for as long as it is there. */
const AT_ONCE = 2;

const PROCESS = fileURLToPath(new URL("./source-process.ts", import.meta.url));

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a source in a process of its own, without the environment of this one: one parser is native code, which a
 * source that is nested deeply enough ends with its process, and the other can be kept busy for long. Few are read at
 * once; the others wait.
 *
 * @throws Error when the process cannot be started, or does not get it done
 */
export async function readInChildProcess(source: string, fileName: string): Promise<ReadConfig> {
  if (running >= AT_ONCE) await new Promise<void>(resolve => waiting.push(resolve));
  else running += 1;
  try {
    const answer = await answerTo(JSON.stringify({ source, fileName }));
    return answer === null
      ? { config: null, faults: [UNREADABLE] }
      : readConfigSchema.parse(JSON.parse(answer));
  } finally {
    // The place goes to who waits, or is given up.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** No core dump is written of a process that a source ends, and none takes long. */
const BOUNDED = ["-c", `ulimit -c 0; ulimit -t ${CPU_SECONDS}; exec "$@"`, "sh"];

/** What the process says to a question; null when a signal ended it. */
function answerTo(question: string): Promise<string | null> {
  const options = {
    timeout: READ_TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: ANSWER_BYTES,
    env: {},
  } as const;
  const command = [...BOUNDED, process.execPath, "--max-old-space-size=256", PROCESS];
  return new Promise((resolve, reject) => {
    const child = execFile("/bin/sh", command, options, (error, answer, log) => {
      if (!error) resolve(answer);
      else if (error.signal && !error.killed) resolve(null);
      else reject(new Error(FILE_ERRORS.unreadable(log || error.message), { cause: error }));
    });
    // A process that ends before it has read everything closes the pipe; how it ended says more.
    child.stdin?.on("error", () => {});
    child.stdin?.end(question);
  });
}

/** A signal that nobody here sent: the source ended the process. Whatever else is wrong gives an exit code. */
const UNREADABLE = {
  code: "too-large",
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  field: null,
  message: FILE_ERRORS.tooComplex,
} as const;
