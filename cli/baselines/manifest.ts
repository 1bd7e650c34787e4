import { z } from "zod";
import { CommandError } from "../terminal.ts";
import { BASELINE_ERRORS } from "../texts/check.ts";

export const MANIFEST = "manifest.jsonl";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const entrySchema = z.object({
  route: z.string(),
  viewport: z.int(),
  /** Name of the file in the same folder. */
  file: z.string().regex(/^[a-z0-9._~-]+\.png$/),
  /** SHA-256 of the file. */
  hash: sha256,
  /** SHA-256 of the capture as the browser gave it, of which the file holds the same pixels in fewer bytes. */
  capture: sha256,
  /** px. */
  width: z.int(),
  height: z.int(),
  /** As `chromium 153.0.8010.0`. */
  browser: z.string(),
  /** As `linux x64`. */
  platform: z.string(),
});

/** What is known of a baseline beside its pixels. */
export type ManifestEntry = z.infer<typeof entrySchema>;

/** Version of the lines' shape. A reader of this version leaves fields alone that it does not know. */
const VERSION = 1;
const headSchema = z.object({ vrsBaselines: z.int() });

/**
 * Reads a manifest: a line that says its version, then a line of JSON for each baseline. After a merge that kept both
 * sides there may be several lines for one baseline: the one whose hash is the file's counts, so all are given.
 * @param name how messages name it
 * @throws CommandError `manifest_invalid`
 */
export function parseManifest(text: string, name: string): ManifestEntry[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const at = `${name}:${index + 1}`;
    if (/^(<{7}|={7}|>{7}|\|{7})/.test(line)) {
      throw invalid(BASELINE_ERRORS.mergeConflict(at));
    }
    const value = parsed(line, at);
    const head = headSchema.safeParse(value);
    if (head.success) {
      if (head.data.vrsBaselines <= VERSION) return [];
      throw invalid(BASELINE_ERRORS.newerVersion(at));
    }
    const entry = entrySchema.safeParse(value);
    if (entry.success) return [entry.data];
    throw invalid(BASELINE_ERRORS.damagedLine(at));
  });
}

/** The manifest's text: one line for each baseline, in an order that does not depend on where it is written. */
export function printManifest(entries: readonly ManifestEntry[]): string {
  const lines = entries.toSorted(byRouteAndWidth).map(entry => {
    const { route, viewport, file, hash, capture, width, height, browser, platform } = entry;
    return JSON.stringify({ route, viewport, file, hash, capture, width, height, browser, platform });
  });
  return `${[JSON.stringify({ vrsBaselines: VERSION }), ...lines].join("\n")}\n`;
}

function byRouteAndWidth(a: ManifestEntry, b: ManifestEntry): number {
  if (a.route !== b.route) return a.route < b.route ? -1 : 1;
  return a.viewport - b.viewport;
}

function parsed(line: string, at: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw invalid(BASELINE_ERRORS.notJson(at));
  }
}

function invalid(message: string): CommandError {
  return new CommandError("manifest_invalid", message);
}
