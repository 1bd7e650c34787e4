import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { killWithParent } from "../check/kill-with-parent.ts";
import { LEADS_GROUP, signalGroup } from "../check/process-group.ts";
import { DEMO_TEXTS } from "../texts/demo.ts";

export interface ServiceProcess {
  /** Rejects when the process ends unexpectedly; never resolves. */
  ended: Promise<never>;
  /** Sends SIGTERM, and SIGKILL after a timeout. Resolves when the process is gone. */
  stop(): Promise<void>;
}

/** The first start creates a database and unpacks a browser. Both take time on a busy machine. */
const READY_TIMEOUT_MS = 120_000;
const READY_INTERVAL_MS = 100;

/** Longer than a service needs to close its browser and its database. */
const STOP_TIMEOUT_MS = 15_000;

/**
 * Starts the whole service like `npm start`. Resolves when it accepts requests.
 *
 * @param root the project's folder
 * @param env additional environment variables
 * @param logFile receives all output
 * @throws Error if it ends or isn't ready in time
 */
export async function startService(
  root: string,
  env: Record<string, string>,
  logFile: string,
  signal: AbortSignal,
): Promise<ServiceProcess> {
  // The shell parses the script's quotes. `exec` replaces the shell, so that signals reach the service.
  const command = await startScript(root);
  const log = await open(logFile, "a");
  const child = spawn(command, {
    shell: true,
    cwd: root,
    env: {
      ...process.env,
      ...env,
      PATH: [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    },
    stdio: ["ignore", log.fd, log.fd],
    // A process group of its own: the demo passes on Ctrl-C, and no process is left behind.
    detached: LEADS_GROUP,
    windowsHide: true,
  });
  await log.close();
  // If this process is killed, the service ends too.
  const { pid } = child;
  const endWatch = pid === undefined ? () => {} : killWithParent(pid, STOP_TIMEOUT_MS / 1_000);
  const killAtExit = () => pid !== undefined && signalGroup(pid, "SIGKILL");
  process.once("exit", killAtExit);
  const end = async () => {
    await stop(child);
    endWatch();
    process.off("exit", killAtExit);
  };

  const ended = ending(child);
  // Callers that wait see the rejection. Without a caller, it must not end this process.
  ended.catch(() => {});
  const withPrompts = new AbortController();
  try {
    const readyUrl = `http://127.0.0.1:${env.PORT}/ready`;
    await Promise.race([ready(readyUrl, AbortSignal.any([signal, withPrompts.signal])), ended]);
    return { ended, stop: end };
  } catch (error) {
    withPrompts.abort();
    await end();
    throw error;
  }
}

async function startScript(root: string): Promise<string> {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
  return scripts.start;
}

async function ending(child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, "exit");
  throw new Error(DEMO_TEXTS.serviceEnded(signal ?? DEMO_TEXTS.exitCode(code)));
}

async function ready(url: string, signal: AbortSignal): Promise<void> {
  const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
  while (!deadline.aborted) {
    const response = await fetch(url, { signal: AbortSignal.any([signal, deadline]) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await delay(READY_INTERVAL_MS, undefined, { signal });
  }
  throw new Error(DEMO_TEXTS.notReady(READY_TIMEOUT_MS / 1000));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await Promise.race([exit, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }
  // Remaining processes of the service, such as a browser.
  signalGroup(child.pid, "SIGKILL");
}
