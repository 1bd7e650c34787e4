import { z } from "zod";

const digest = z.string().regex(/^[0-9a-f]{16}$/);

/** Names a fingerprint. */
export const fingerprintId = digest;

/** How a browser draws pages: two browsers of one fingerprint draw every page alike, as far as can be told. */
export const renderingFingerprint = z.object({
  id: digest.describe("Digest of all other fields"),
  browser: z.string().min(1).max(100).describe("Browser build, such as `chromium 153.0.8010.0`"),
  fonts: digest.describe("Digest of the names of the installed fonts"),
  fontCount: z.int().min(0).max(1_000_000).describe("Number of installed fonts"),
  flags: digest.describe("Digest of the command-line flags that may affect rendering"),
  pixels: digest.describe("Digest of a screenshot of a reference page"),
});

export type RenderingFingerprint = z.infer<typeof renderingFingerprint>;

/** What may differ between two fingerprints. */
export const RENDERING_PARTS = ["browser", "fonts", "flags", "pixels"] as const;
export type RenderingPart = (typeof RENDERING_PARTS)[number];
