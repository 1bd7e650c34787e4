import type { Capture } from "../../shared/capture/capture-types.ts";
import { CaptureError } from "../../shared/capture/capture-types.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import type { CaptureOptions } from "../../shared/contracts/capture-options.ts";
import type { Looker } from "../check/look.ts";

/** A page at a width, and what it is compared with. */
export interface LookRequest {
  url: string;
  viewport: number;
  options: CaptureOptions;
  baseline: { hash: string; read(): Promise<Buffer> } | null;
}

/** What was seen, `comparison` is null where there is no baseline; or why nothing was. */
export type Sight = { capture: Capture; comparison: Comparison | null } | CaptureError;

/** Captures a page, and compares it with its baseline. @throws the signal's reason, CommandError `no_browser`, what `read` throws */
export async function lookAt(
  looker: Looker,
  { url, viewport, options, baseline }: LookRequest,
  signal: AbortSignal,
): Promise<Sight> {
  const request = { url, viewport, baselineHash: baseline?.hash ?? null, options };
  const captured = await looker.capture(request, signal);
  if (captured === null) throw signal.reason;
  if (captured instanceof CaptureError) return captured;
  if (baseline === null) return { capture: captured, comparison: null };
  const image = { capture: baseline.hash, width: null, height: null, read: baseline.read };
  return { capture: captured, comparison: await looker.compare(image, captured, signal) };
}
