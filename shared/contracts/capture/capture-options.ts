import { z } from "zod";
import { unionBy } from "../union-by.ts";
import { BOUNDS } from "./bounds.ts";
import { DEFAULT_ENVIRONMENT, environmentsSchema } from "./environment.ts";
import { pageRegion } from "./ignore-region.ts";
import { networkSchema } from "./network-rule.ts";
import { sessionName, sessionsSchema } from "./sessions.ts";
import { elementSchema, fullPage, padding, stepsSchema } from "./steps.ts";
import { viewportSchema, viewportsSchema } from "./viewport.ts";

const selector = z.string().min(1).max(1000);
const selectors = z.array(selector).max(BOUNDS.selectors);

/** The path of a page, such as `/pricing?plan=pro`. It can't contain a host, as in `//evil.example`. */
export const routeSchema = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])/, "must be a path that starts with a single /, such as /pricing")
  // URL parsers remove tabs and line breaks, so text after one could become a host.
  .regex(/^\P{Cc}*$/u, "must not contain control characters");

const headerName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be a valid header name");

/** Headers that would break the request's framing or let a page pretend to be another host. */
const FORBIDDEN_HEADERS = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "te",
  "trailer",
]);

const headersSchema = z
  .record(
    headerName,
    z
      .string()
      .max(8192)
      .regex(/^[^\r\n\0]*$/, "must be a single line"),
  )
  .refine(headers => Object.keys(headers).length <= BOUNDS.headers, `at most ${BOUNDS.headers} headers`)
  .refine(
    headers => !Object.keys(headers).some(name => FORBIDDEN_HEADERS.has(name.toLowerCase())),
    `must not set ${[...FORBIDDEN_HEADERS].join(", ")}`,
  );

const captureFields = {
  masks: selectors.describe("CSS selectors of elements to cover with a solid color"),
  hide: selectors.describe("CSS selectors of elements to hide. They keep their space in the layout"),
  waitForSelector: selector.describe("CSS selector of an element that must be visible before the screenshot"),
  headers: headersSchema.describe("Extra headers for the page's requests to the origin of the URL"),
  network: networkSchema,
  clock: z.iso
    .datetime({ offset: true })
    .describe(
      "Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture",
    ),
  random: z
    .enum(["seeded", "real"])
    .describe(
      "`seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values",
    ),
  steps: stepsSchema,
  session: sessionName.describe("Session whose cookies and storage the page gets"),
  element: elementSchema,
  padding,
  fullPage,
  maxHeight: z
    .int()
    .min(BOUNDS.minViewportHeightPx)
    .max(20_000)
    .describe("Height at which the screenshot is cut, px. Default: 20,000"),
};

const ignoredWhere = {
  viewport: viewportSchema.optional().describe("Width at which it is ignored, px. Default: all"),
  environment: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe(
      `Environment in which it is ignored. \`${DEFAULT_ENVIRONMENT}\` is the one without settings. Default: all`,
    ),
};

const ignoredRectangle = z
  .strictObject({ ...pageRegion.fields, ...ignoredWhere })
  .refine(pageRegion.isInBounds, pageRegion.outOfBounds);
const ignoredElements = z.strictObject({
  selector: selector.describe("CSS selector of the elements in which changed pixels don't count"),
  padding: padding.optional().describe("Space around each element that is ignored too, px. Default: 0"),
  ...ignoredWhere,
});
const ignoreRegion = unionBy(ignoredRectangle, ignoredElements, value =>
  typeof value === "object" && value !== null && "selector" in value ? ignoredElements : ignoredRectangle,
);

const comparisonFields = {
  colorThreshold: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges",
    ),
  ignoreRegions: z
    .array(ignoreRegion)
    .max(BOUNDS.ignoreRegions)
    .describe(
      "Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels",
    ),
};

/** Options for the captures of one page. */
export const captureOptionsSchema = z.strictObject(captureFields).partial();

const routeFields = { ...comparisonFields, ...captureFields };

/** Environments and sessions of all pages. */
const sharedFields = {
  environments: environmentsSchema.describe(
    "Named sets of browser options. Each page is captured in every environment, in addition to the default one",
  ),
  defaultEnvironment: z
    .boolean()
    .describe("Whether pages are captured without an environment, too. Default: true"),
  sessions: sessionsSchema.describe("Named logins. Each is performed once, for all pages that name it"),
};

const allowHosts = z
  .array(
    z
      .string()
      .max(260)
      .regex(
        /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i,
        "must be a host, such as fonts.example.com, *.example.com or localhost:8080",
      ),
  )
  .max(BOUNDS.allowHosts)
  .describe(
    "Hosts that pages of an archive may reach besides the archive, such as `fonts.example.com` or `*.example.com`. Default: none. Runs without an archive ignore it",
  );

const environmentNames = z
  .array(z.string().max(40))
  .min(1)
  .max(BOUNDS.environments + 1)
  .describe(
    `Environments of this route. \`${DEFAULT_ENVIRONMENT}\` is the one without settings. Default: all`,
  );

/** Options of a run, and of single routes. Each option of a route replaces the run's. */
export const runOptionsSchema = z
  .strictObject({
    ...comparisonFields,
    ...captureFields,
    ...sharedFields,
    allowHosts,
    perRoute: z.record(
      routeSchema,
      z
        .strictObject({
          viewports: viewportsSchema,
          threshold: z.number().min(0).max(1),
          environments: environmentNames,
          ...routeFields,
        })
        .partial(),
    ),
  })
  .partial();

/** Options of a monitor, which has one threshold and the same widths for all its routes. */
export const monitorOptionsSchema = z
  .strictObject({
    ...comparisonFields,
    ...captureFields,
    ...sharedFields,
    perRoute: z
      .record(routeSchema, z.strictObject({ environments: environmentNames, ...routeFields }).partial())
      .describe("Options for single routes. Each field replaces the general one"),
  })
  .partial();

export type ConfiguredIgnoreRegion = z.infer<typeof ignoreRegion>;
export type CaptureOptions = z.infer<typeof captureOptionsSchema>;
export type RunOptions = z.infer<typeof runOptionsSchema>;
export type MonitorOptions = z.infer<typeof monitorOptionsSchema>;
