import { z } from "zod";
import { screenshotName, UPLOAD_BOUNDS } from "../builds/uploaded-screenshot.ts";
import { routeSchema } from "./capture-options.ts";
import { DEFAULT_ENVIRONMENT } from "./environment.ts";
import type { ScreenshotKey } from "./screenshot-key.ts";
import { stateName } from "./steps.ts";

/** Fields that identify a page, in responses. */
export const pageFields = {
  route: z.string().describe("Path of the page, id of a story, or name of an uploaded screenshot"),
  state: z
    .string()
    .nullable()
    .describe("State that a screenshot step captured. Null for the page's own screenshot"),
  environment: z
    .string()
    .nullable()
    .describe(
      "Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one",
    ),
  viewport: z.int().describe("Viewport width in px"),
};

const pageName = z
  .union([routeSchema, screenshotName], "must be a path that starts with a single /, or a screenshot's name")
  .describe("Path of the page, id of a story, or name of an uploaded screenshot");

// An uploaded image can be smaller or larger than any viewport of a captured page.
const pageWidth = z.int().min(1).max(UPLOAD_BOUNDS.sidePx);

/** Two names of 40 characters: an environment, and after an `@` the region that captured the page. */
const ENVIRONMENT_CHARS = 81;
const environmentName = z.string().min(1).max(ENVIRONMENT_CHARS);

/** Fields that identify a page, in bodies. */
export const pageInput = {
  route: pageName,
  state: stateName.nullable().default(null).describe("Null (default) for the page's own screenshot"),
  environment: environmentName
    .nullable()
    .default(null)
    .describe("Null (default) for the default environment"),
  viewport: pageWidth.describe("Viewport width in px"),
};

const viewport = z.coerce.number().pipe(pageWidth).describe("Viewport width in px");
// A query can't contain null.
const environment = environmentName.transform(name => (name === DEFAULT_ENVIRONMENT ? null : name));

/** Fields that identify a page, in queries. */
export const pageQueryFields = {
  route: pageName,
  state: stateName
    .optional()
    .transform(state => state ?? null)
    .describe("Name of the state. Default: the page's own screenshot"),
  environment: environment
    .optional()
    .transform(name => name ?? null)
    .describe("Name of the environment. Default: the default one"),
  viewport,
};

/** Filters of a list of pages. */
export const pageFilters = {
  route: pageName.optional(),
  state: stateName.optional().describe("Name of the state"),
  environment: environment
    .optional()
    .describe(`Name of the environment. \`${DEFAULT_ENVIRONMENT}\` is the one without settings`),
  viewport: viewport.optional(),
};

/** A page in stored data. The data of earlier versions has no state and no environment. */
export type StoredPage = Pick<ScreenshotKey, "route" | "viewport"> &
  Partial<Pick<ScreenshotKey, "state" | "environment">>;

/** Returns only the fields that identify a page. */
export function pickPage({ route, state = null, environment = null, viewport }: StoredPage): ScreenshotKey {
  return { route, state, environment, viewport };
}
