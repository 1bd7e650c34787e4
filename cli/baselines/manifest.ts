import { z } from "zod";
import { selectorRegionsSchema } from "../../shared/contracts/capture/ignore-region.ts";
import { CommandError } from "../terminal.ts";
import { BASELINE_ERRORS } from "../texts/check.ts";

export const MANIFEST = "manifest.jsonl";

/** The browser of a screenshot file that doesn't say it. */
export const UNKNOWN_BROWSER = "unknown";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const entrySchema = z.object({
  route: z.string(),
  state: z.string().nullable().default(null),
  environment: z.string().nullable().default(null),
  viewport: z.int(),
  /** File name in the manifest's folder. */
  file: z.string().regex(/^[a-z0-9._~+@-]+\.png$/),
  /** SHA-256 of the file. */
  hash: sha256,
  /** SHA-256 of the original capture. The file holds the same pixels in fewer bytes. */
  capture: sha256,
  /** px. */
  width: z.int(),
  height: z.int(),
  /** Such as `chromium 153.0.8010.0`. */
  browser: z.string(),
  /** Such as `linux x64`. */
  platform: z.string(),
  /** Where the elements of ignore regions are in the image. */
  selectorRegions: z.array(selectorRegionsSchema).optional(),
});

/** The manifest's entry for a baseline. */
export type ManifestEntry = z.infer<typeof entrySchema>;

/**
 * Version of the line format. Readers ignore unknown fields. Files without states and environments have the version 1:
 * those of earlier versions stay as they are.
 */
const VERSION = 2;
const PLAIN_VERSION = 1;
const headSchema = z.object({ vrsBaselines: z.int() });

/**
 * Parses a manifest: a line with its version, then a line of JSON for each baseline. A merge that kept both
 * sides may leave several lines for one baseline. All of them are returned, and the one with the file's hash
 * counts.
 * @param name the file's name in error messages
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

/** Returns the manifest's text: one line per baseline, in an order that is the same on every machine. */
export function printManifest(entries: readonly ManifestEntry[]): string {
  const lines = entries.toSorted(byKey).map(entry => {
    const { route, state, environment, viewport, selectorRegions, ...others } = entry;
    const { file, hash, capture, width, height, browser, platform } = others;
    const named = { ...(state !== null && { state }), ...(environment !== null && { environment }) };
    const image = { file, hash, capture, width, height, browser, platform };
    return JSON.stringify({ route, ...named, viewport, ...image, selectorRegions });
  });
  const isPlain = entries.every(({ state, environment }) => state === null && environment === null);
  const head = JSON.stringify({ vrsBaselines: isPlain ? PLAIN_VERSION : VERSION });
  return `${[head, ...lines].join("\n")}\n`;
}

function byKey(a: ManifestEntry, b: ManifestEntry): number {
  return (
    compareTexts(a.route, b.route) ||
    compareTexts(a.state ?? "", b.state ?? "") ||
    compareTexts(a.environment ?? "", b.environment ?? "") ||
    a.viewport - b.viewport
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
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
