import { setTimeout as delay } from "node:timers/promises";
import { ApiClient } from "../../shared/api/api-client.ts";
import { OwnServer } from "../check/own-server.ts";
import { probe } from "../check/reach.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { RUN_ERRORS, RUN_TEXTS } from "../texts/cloud.ts";
import type { Access } from "./access.ts";
import { openTunnel } from "./open-tunnel.ts";

/** A server that compiles its pages first may need this long. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** As for `vrs check --start`. */
const START_TIMEOUT_MS = 60_000;
/** The user wants to stop now. */
const CANCEL_TIMEOUT_MS = 5_000;

/** An application of this machine, and the tunnel through which the service reaches it. */
export interface LocalApplication {
  tunnelId: string;
  /** Aborts with a CommandError when the application has ended, or the service doesn't accept the tunnel anymore. */
  ended: AbortSignal;
  /** Closes the tunnel, and stops an application that was started for it. */
  close(): Promise<void>;
}

interface Start {
  /** Command that starts the application. Without it, the application runs already. */
  command: string | undefined;
  cwd: string;
}

/**
 * Opens a tunnel to an application of this machine, which it may start before.
 * @throws CommandError if the application or the service doesn't respond
 */
export async function reachLocally(
  access: Access,
  application: string,
  { command, cwd }: Start,
  { signal, err, env }: Pick<Terminal, "signal" | "err" | "env">,
): Promise<LocalApplication> {
  const options = { url: application, timeoutMs: START_TIMEOUT_MS, cwd, env, signal, onLine: () => {} };
  const server = command === undefined ? null : await OwnServer.start({ ...options, command });
  try {
    if (!server) await requireResponse(application, signal);
    const onChange = (isOpen: boolean) => err(`${isOpen ? RUN_TEXTS.tunnelBack : RUN_TEXTS.tunnelLost}\n`);
    const tunnel = await openTunnel(access, { application, signal, onChange });
    return {
      tunnelId: tunnel.id,
      ended: AbortSignal.any([tunnel.ended, ...(server ? [server.endedSignal] : [])]),
      async close() {
        tunnel.close();
        await server?.stop();
      },
    };
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

async function requireResponse(application: string, signal: AbortSignal): Promise<void> {
  const why = await probe(application, RESPONSE_TIMEOUT_MS, signal);
  signal.throwIfAborted();
  if (why !== null) throw new CommandError("server_unreachable", RUN_ERRORS.unreachable(application, why));
}

/** Cancels a run that can't continue without this process. If the service doesn't respond, its pages fail. */
export async function cancelRun({ url, apiKey }: Access, id: string): Promise<void> {
  const client = new ApiClient({ baseUrl: url, apiKey, signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) });
  await Promise.race([
    client.cancelRun(id).catch(() => {}),
    delay(CANCEL_TIMEOUT_MS, undefined, { ref: false }),
  ]);
}
