import { onSignals } from "../shared/process.ts";
import { Interrupt, type Terminal } from "./terminal.ts";
import { TOOL_ERRORS } from "./texts/errors.ts";

/** For a log, and for a terminal of unknown width. */
const COLUMNS = 80;

/** Wraps the real process for commands. Handles SIGINT and SIGTERM from here on. */
export function processTerminal(from: NodeJS.Process): Terminal {
  const { stdout, stderr, stdin, env } = from;
  const isInteractive = stderr.isTTY === true && !isSet(env.CI);
  const stopping = new AbortController();
  onSignals(from, ["SIGINT", "SIGTERM"], {
    first(by) {
      stopping.abort(new Interrupt(by));
      if (isInteractive && by === "SIGINT") stderr.write(`\n${TOOL_ERRORS.stopping}\n`);
    },
    again: by => from.exit(new Interrupt(by).exitCode),
  });
  // The reader closed the pipe, as `head` does. The work ends in order, without further output.
  for (const stream of [stdout, stderr]) {
    stream.on("error", error => {
      if (!("code" in error) || error.code !== "EPIPE") throw error;
      stopping.abort(new Interrupt("SIGPIPE"));
    });
  }
  return {
    out: text => void stdout.write(text),
    err: text => void stderr.write(text),
    input: stdin,
    isInteractive,
    canPrompt: isInteractive && stdin.isTTY === true,
    hasColor: wantsColor(env) ?? (stdout.isTTY === true && stderr.isTTY === true),
    get columns() {
      return stderr.columns || stdout.columns || COLUMNS;
    },
    cwd: from.cwd(),
    env,
    signal: stopping.signal,
  };
}

/** Returns whether the environment requests colors; null if it doesn't say. */
function wantsColor({ NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean | null {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return isSet(FORCE_COLOR || "1");
  return TERM === "dumb" ? false : null;
}

const isSet = (value: string | undefined) => value !== undefined && !["", "0", "false"].includes(value);
