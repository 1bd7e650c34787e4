import { z } from "zod";

const digest = z.string().regex(/^[0-9a-f]{16}$/);

/** Id of a fingerprint. */
export const fingerprintId = digest;

/**
 * How a browser draws pages. Two browsers with the same fingerprint draw every page alike, as far as can be measured.
 */
export const renderingFingerprint = z.object({
  id: digest.describe("Digest of all other fields"),
  browser: z.string().min(1).max(100).describe("Browser build, such as `chromium 153.0.8010.0`"),
  fonts: digest.describe("Digest of the names of the installed fonts"),
  fontCount: z.int().min(0).max(1_000_000).describe("Number of installed fonts"),
  flags: digest.describe("Digest of the command-line flags that may affect rendering"),
  pixels: digest.describe("Digest of a screenshot of a reference page"),
});

export type RenderingFingerprint = z.infer<typeof renderingFingerprint>;

/** The parts in which two fingerprints can differ. */
export const RENDERING_PARTS = ["browser", "fonts", "flags", "pixels"] as const;
export type RenderingPart = (typeof RENDERING_PARTS)[number];
