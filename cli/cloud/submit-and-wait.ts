import { randomUUID } from "node:crypto";
import { ApiClient } from "../../shared/api/api-client.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../shared/contracts/runs/screenshots.ts";
import type { SubmitRunInput, SubmittedRun } from "../../shared/contracts/runs/submit-run.ts";
import { CommandError, EXIT, type ExitCode } from "../terminal.ts";
import { RUN_TEXTS } from "../texts/cloud.ts";
import type { Access } from "./access.ts";
import { toCommandError, withServiceErrors } from "./service-errors.ts";

/** An update of the service takes less time. */
const RETRY_FOR_MS = 120_000;

export interface WaitOptions {
  signal: AbortSignal;
  timeoutMs: number;
  onProgress(run: RunView): void;
  /** Called with the reason while the service is unreachable. */
  onUnreachable(why: string): void;
}

/** A completed run, and its screenshots. */
export interface CompletedRun {
  run: RunView;
  screenshots: ScreenshotView[];
}

/** Submits the run once, and retries until the service has accepted it. */
export async function submitRun(
  access: Access,
  body: SubmitRunInput,
  { signal, onUnreachable }: Pick<WaitOptions, "signal" | "onUnreachable">,
): Promise<SubmittedRun> {
  return withServiceErrors(
    access,
    serviceClient(access, signal, onUnreachable).submitRun(body, randomUUID()),
  );
}

/**
 * Waits until the run ends, also while the service is briefly unreachable.
 * @throws CommandError `timeout` if it hasn't ended by then; the run continues anyway
 */
export async function waitForRun(
  access: Access,
  { id, links }: Pick<SubmittedRun, "id" | "links">,
  { signal, timeoutMs, onProgress, onUnreachable }: WaitOptions,
): Promise<CompletedRun> {
  const late = AbortSignal.timeout(timeoutMs);
  const client = serviceClient(access, AbortSignal.any([signal, late]), onUnreachable);
  try {
    const run = await withServiceErrors(access, client.waitForRun(id, { onProgress }));
    return { run, screenshots: await withServiceErrors(access, client.listScreenshots(id)) };
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    throw new CommandError("timeout", RUN_TEXTS.timeout(timeoutMs / 60_000, links.report));
  }
}

/** Returns 0 for a run that passed or was approved, 1 for one that needs review, 2 for one that failed. */
export function exitCodeOf({ status, conclusion }: Pick<RunView, "status" | "conclusion">): ExitCode {
  if (status !== "completed") return EXIT.error;
  return conclusion === "passed" || conclusion === "approved" ? EXIT.ok : EXIT.changed;
}

/** Returns a client that retries while the service restarts. */
export function serviceClient(
  { url, apiKey, currentKey }: Access,
  signal: AbortSignal,
  onUnreachable: WaitOptions["onUnreachable"],
): ApiClient {
  return new ApiClient({
    baseUrl: url,
    apiKey: currentKey ?? apiKey,
    signal,
    retryForMs: RETRY_FOR_MS,
    onUnreachable: failure => onUnreachable(retryLine(url, failure)),
  });
}

function retryLine(url: string, failure: unknown): string {
  const explained = toCommandError(url, failure);
  const why = explained instanceof Error ? explained.message : String(explained);
  return RUN_TEXTS.retrying(why, RETRY_FOR_MS / 60_000);
}
