import { setTimeout as delay } from "node:timers/promises";
import { ApiClient } from "../../shared/api-client.ts";
import { probe } from "../check/reach.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { RUN_ERRORS, RUN_TEXTS } from "../texts/cloud.ts";
import type { Access } from "./access.ts";
import { openTunnel, type Tunnel } from "./open-tunnel.ts";

/** A server that compiles its pages first may need this long. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** The user wants to stop now. */
const CANCEL_TIMEOUT_MS = 5_000;

/**
 * Opens a tunnel to an application of this machine.
 * @throws CommandError if the application or the service doesn't respond
 */
export async function reachLocally(
  access: Access,
  application: string,
  { signal, err }: Pick<Terminal, "signal" | "err">,
): Promise<Tunnel> {
  const why = await probe(application, RESPONSE_TIMEOUT_MS, signal);
  signal.throwIfAborted();
  if (why !== null) throw new CommandError("server_unreachable", RUN_ERRORS.unreachable(application, why));
  const onChange = (isOpen: boolean) => err(`${isOpen ? RUN_TEXTS.tunnelBack : RUN_TEXTS.tunnelLost}\n`);
  return await openTunnel(access, { application, signal, onChange });
}

/** Cancels a run that can't continue without this process. If the service doesn't respond, its pages fail. */
export async function cancelRun({ url, apiKey }: Access, id: string): Promise<void> {
  const client = new ApiClient({ baseUrl: url, apiKey, signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) });
  await Promise.race([
    client.cancelRun(id).catch(() => {}),
    delay(CANCEL_TIMEOUT_MS, undefined, { ref: false }),
  ]);
}
