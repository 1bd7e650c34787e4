import { z } from "zod";
import { BOUNDS } from "../capture/bounds.ts";
import { DEFAULT_ENVIRONMENT } from "../capture/environment.ts";
import { imageRegion } from "../capture/ignore-region.ts";
import { pageUrl, text, unique } from "../fields.ts";
import { attachment, attachmentView } from "./attachments.ts";
import { fileHash } from "./file-hash.ts";

/**
 * Screenshots that users upload from their own tests. Where a captured screenshot has a route, an uploaded one has a
 * name. Both are stored and answered in the field `route`.
 */

/** Limits of uploaded screenshots. */
export const UPLOAD_BOUNDS = {
  nameChars: 300,
  /** Of one image file. Larger than the PNG of almost every page. */
  imageBytes: 32 * 1024 * 1024,
  /** Of one side of an image, px. The tallest capture has 20,000 CSS px at a scale factor of 4.5. */
  sidePx: 90_000,
  /** Of an image, px: the widest capture at its maximum height. */
  pixels: 3_840 * 20_000,
  titles: 20,
  tags: 20,
  previousNames: 10,
  attachments: 20,
  retries: 1_000,
} as const;

/** Ending of the sidecar file of an image: `button.png.json` has the metadata of `button.png`. */
export const SIDECAR_ENDING = ".json";

/** SHA-256 of an image's bytes. */
export const imageHash = fileHash;

/** The name of an uploaded screenshot. It never equals a route, because routes start with a slash. */
export const screenshotName = text(UPLOAD_BOUNDS.nameChars)
  .regex(/^[^/\\]/, "must not start with a slash. Only paths of pages do")
  .refine(
    name => !name.split(/[/\\]/).some(part => part === "." || part === ".."),
    "must not contain . or .. as a part",
  );

const sidePx = z.int().min(1).max(UPLOAD_BOUNDS.sidePx);

const ignoreRegion = z
  .strictObject(imageRegion.fields)
  .refine(imageRegion.isInBounds, imageRegion.outOfBounds);

const metadataFields = {
  browser: text(100).describe("Browser and version, for display, such as Firefox 140.0"),
  viewport: z
    .strictObject({ width: sidePx, height: sidePx.optional() })
    .describe(
      "Viewport of the browser, px. The width identifies the screenshot together with its name and environment. Default: the width of their only baseline, or else of the image",
    ),
  environment: text(40)
    .refine(name => name !== DEFAULT_ENVIRONMENT, "is the name of the environment without settings")
    .describe("Name of the browser or variant, such as firefox or dark. Each one has its own baseline"),
  testFile: text(1_000).describe("Path of the test file"),
  line: z.int().min(1).max(10_000_000).describe("Line in the test file"),
  titlePath: z.array(text(500)).max(UPLOAD_BOUNDS.titles).describe("Titles of the test, outermost first"),
  retry: z
    .int()
    .min(0)
    .max(UPLOAD_BOUNDS.retries)
    .describe("Number of earlier attempts of the test. The screenshot of the last attempt counts"),
  tags: z.array(text(100)).max(UPLOAD_BOUNDS.tags).transform(unique).describe("Tags of the test"),
  url: pageUrl.describe("URL of the page that the screenshot shows"),
  note: text(300).describe("What reviewers should know about how the screenshot was made"),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .describe("Share of changed pixels above which the screenshot needs review. Default: the build's"),
  colorThreshold: z
    .number()
    .min(0)
    .max(1)
    .describe("Difference below which two colors count as equal, 0–1. Default: 0.1"),
  ignoreRegions: z
    .array(ignoreRegion)
    .max(BOUNDS.ignoreRegions)
    .describe("Rectangles in which changed pixels don't count, in pixels of the image"),
  previousNames: z
    .array(screenshotName)
    .max(UPLOAD_BOUNDS.previousNames)
    .transform(unique)
    .describe("Earlier names of the screenshot. It is compared with the baseline of the first that has one"),
  attachments: z
    .array(attachment)
    .max(UPLOAD_BOUNDS.attachments)
    .describe("Files of the test, such as a Playwright trace or a HAR file"),
};

/** Metadata of an uploaded screenshot, and content of its sidecar file. All fields are optional. */
export const screenshotMetadata = z.strictObject(metadataFields).partial();

/** A screenshot in the list of a build. */
export const uploadedScreenshot = screenshotMetadata.extend({
  name: screenshotName.describe("Name of the screenshot, such as Button/primary"),
  hash: imageHash.describe("SHA-256 of the bytes of the image file"),
});

/** What is kept of the metadata of an uploaded screenshot for reviewers. */
export const storedUpload = screenshotMetadata.pick({
  testFile: true,
  line: true,
  titlePath: true,
  retry: true,
  tags: true,
  url: true,
  note: true,
  previousNames: true,
  attachments: true,
});

/** What reviewers see of the metadata of an uploaded screenshot, in responses. */
export const uploadView = storedUpload.extend({
  attachments: z
    .array(attachmentView)
    .optional()
    .describe("Files of the test. Uploaded ones that the service doesn't have are left out"),
});

export type ScreenshotMetadata = z.infer<typeof screenshotMetadata>;
export type UploadedScreenshot = z.infer<typeof uploadedScreenshot>;
export type UploadedScreenshotInput = z.input<typeof uploadedScreenshot>;
export type StoredUpload = z.infer<typeof storedUpload>;
export type UploadView = z.infer<typeof uploadView>;
