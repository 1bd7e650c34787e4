import type { Terminal } from "./terminal.ts";

/** The real process as commands see it. It listens for SIGINT and SIGTERM from here on. */
export function processTerminal(from: NodeJS.Process): Terminal {
  const { stdout, stderr, stdin, env } = from;
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    from.on(signal, () => {
      if (stopping.signal.aborted) from.exit(signal === "SIGINT" ? 130 : 143);
      stopping.abort(new Error(`Ended by ${signal}.`));
    });
  }
  return {
    out: text => void stdout.write(text),
    err: text => void stderr.write(text),
    input: stdin,
    isInteractive: stderr.isTTY === true && !env.CI,
    hasColour: env.NO_COLOR ? false : env.FORCE_COLOR ? env.FORCE_COLOR !== "0" : stderr.isTTY === true,
    columns: stderr.columns ?? 80,
    cwd: from.cwd(),
    env,
    signal: stopping.signal,
  };
}
