import { setTimeout as delay } from "node:timers/promises";
import type { ComparisonView } from "../../shared/contracts/comparisons/comparisons.ts";
import type { Operations } from "../client/operations.ts";
import { VrsClient } from "../client/vrs-client.ts";
import type { Access } from "../cloud/access.ts";
import { toCommandError } from "../cloud/service-errors.ts";
import { CommandError } from "../terminal.ts";
import { COMPARE_TEXTS } from "../texts/compare.ts";

/** Comparisons of two images take a fraction of a second. */
const POLL_MS = 500;
const MOST_POLL_MS = 4_000;
/** Of a request. */
const RETRY_FOR_MS = 30_000;

type CompareRequest = NonNullable<Operations["GET /v1/compare"]["input"]["query"]>;

interface Waiting {
  signal: AbortSignal;
  timeoutMs: number;
  onProgress(progress: ComparisonView["progress"]): void;
}

/**
 * Compares two sides with the service, and waits until all pages are compared.
 * @throws CommandError `timeout` if it takes too long; what is compared by then stays stored
 */
export async function compareSides(
  { url, apiKey, currentKey }: Access,
  query: CompareRequest,
  { signal, timeoutMs, onProgress }: Waiting,
): Promise<ComparisonView> {
  const late = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, late]);
  const client = new VrsClient({
    ...{ url, apiKey: currentKey ?? apiKey },
    ...{ signal: either, retryForMs: RETRY_FOR_MS },
  });
  try {
    for (let pollMs = POLL_MS; ; pollMs = Math.min(pollMs * 2, MOST_POLL_MS)) {
      const compared = await client.call("GET /v1/compare", { query });
      if (compared.status === "completed") return await withAllPages(client, query, compared);
      onProgress(compared.progress);
      await delay(pollMs, undefined, { signal: either });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new CommandError("timeout", COMPARE_TEXTS.timeout(timeoutMs / 60_000));
    throw toCommandError(url, error);
  }
}

/** Returns a comparison with the pages of all its parts. The service cuts long lists. */
async function withAllPages(
  client: VrsClient,
  query: CompareRequest,
  first: ComparisonView,
): Promise<ComparisonView> {
  const { nextCursor: cursor } = first;
  if (cursor === null) return first;
  const data = [...first.data];
  for await (const page of client.list("GET /v1/compare", { query: { ...query, cursor } })) data.push(page);
  return { ...first, data, nextCursor: null };
}
