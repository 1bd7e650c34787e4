import { VrsClient } from "../client/vrs-client.ts";
import { type Access, readAccess } from "../cloud/access.ts";
import { toCommandError } from "../cloud/service-errors.ts";
import type { Terminal } from "../terminal.ts";

/** Where the tools of one MCP server work. */
export interface McpContext {
  /** Whether the client is a process of the same user, so that it may read and write the folder's files. */
  isLocal: boolean;
  /** Whether tools that change something are left out. */
  isReadOnly: boolean;
  terminal: Pick<Terminal, "cwd" | "env" | "signal">;
  /** The service and its key. @throws CommandError `no_access` */
  access(): Promise<Access>;
}

/** Of a request. An agent can call the tool again. */
const RETRY_FOR_MS = 5_000;

/** Returns the context of the user's own process. */
export function localContext(terminal: McpContext["terminal"], isReadOnly: boolean): McpContext {
  return { isLocal: true, isReadOnly, terminal, access: () => readAccess(terminal) };
}

/** A client of the service, and its access. */
export interface Service {
  client: VrsClient;
  access: Access;
}

/** Does work with the service. @throws CommandError that says what happened and what to do */
export async function withService<T>(
  context: McpContext,
  work: (service: Service) => Promise<T>,
  signal: AbortSignal = context.terminal.signal,
): Promise<T> {
  const access = await context.access();
  const { url, apiKey, currentKey } = access;
  const client = new VrsClient({ url, apiKey: currentKey ?? apiKey, signal, retryForMs: RETRY_FOR_MS });
  try {
    return await work({ client, access });
  } catch (error) {
    throw toCommandError(url, error);
  }
}

/** Waits until a run ends, at most this long. A run that takes longer is no error. */
export async function waitAtMost(context: McpContext, runId: string, seconds: number): Promise<void> {
  if (seconds === 0) return;
  const late = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([late, context.terminal.signal]);
  await withService(context, ({ client }) => client.waitForRun(runId), signal).catch((error: unknown) => {
    context.terminal.signal.throwIfAborted();
    if (!late.aborted) throw error;
  });
}
