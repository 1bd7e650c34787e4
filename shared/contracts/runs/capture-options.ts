import { z } from "zod";
import { isInBounds, OUT_OF_BOUNDS, regionFields } from "./ignore-region.ts";

/** Limits of a submitted run. The docs name each of them, and so does the error that it causes. */
export const BOUNDS = {
  routes: 500,
  viewports: 10,
  minViewportPx: 240,
  maxViewportPx: 3840,
  screenshots: 2000,
  selectors: 100,
  headers: 50,
  networkRules: 100,
  wildcards: 20,
  /** Of all rules of a page. Each takes a pass over the URL of every request. */
  networkWildcards: 300,
  fulfilBodyChars: 262_144,
  /** More would hide the page. */
  ignoreRegions: 50,
} as const;

const selector = z.string().min(1).max(1000);
const selectors = z.array(selector).max(BOUNDS.selectors);

/** The path of a page, such as `/pricing?plan=pro`. It can't contain a host, as in `//evil.example`. */
export const routeSchema = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])/, "must be a path that starts with a single /, such as /pricing")
  // URL parsers remove tabs and line breaks, so text after one could become a host.
  .regex(/^\P{Cc}*$/u, "must not contain control characters");

export const viewportSchema = z.int().min(BOUNDS.minViewportPx).max(BOUNDS.maxViewportPx);

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

/** Returns the number of wildcards in a glob. */
export function wildcardsOf(glob: string): number {
  return glob.match(/\*+/g)?.length ?? 0;
}

const networkUrl = z
  .string()
  .min(1)
  .max(2000)
  .refine(url => wildcardsOf(url) <= BOUNDS.wildcards, `must have at most ${BOUNDS.wildcards} wildcards`)
  .describe("URL or glob. * matches within a path segment, ** across segments");

/** A rule for the page's requests. The first rule whose URL matches applies. */
const networkRuleSchema = z.discriminatedUnion("action", [
  z.strictObject({ url: networkUrl, action: z.literal("block") }),
  z.strictObject({
    url: networkUrl,
    action: z.literal("fulfil"),
    status: z.int().min(200).max(599).default(200),
    contentType: z.string().max(200).default("text/plain; charset=utf-8"),
    body: z.string().max(BOUNDS.fulfilBodyChars).default(""),
  }),
]);

const networkSchema = z
  .array(networkRuleSchema)
  .max(BOUNDS.networkRules)
  .refine(
    rules => rules.reduce((sum, { url }) => sum + wildcardsOf(url), 0) <= BOUNDS.networkWildcards,
    `must have at most ${BOUNDS.networkWildcards} wildcards in all rules together`,
  )
  .describe(
    `Rules for the page's requests. All rules together can have at most ${BOUNDS.networkWildcards} wildcards`,
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
};

const ignoreRegion = z
  .strictObject({
    ...regionFields,
    viewport: viewportSchema
      .optional()
      .describe("Width at which it is ignored, px; every width where it is not said"),
  })
  .refine(isInBounds, OUT_OF_BOUNDS);

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
      "Rectangles in which changed pixels don't count, in addition to the project's ignore regions. Reports show each of them with its number of changed pixels",
    ),
};

/** Options for the captures of one page. */
export const captureOptionsSchema = z.strictObject(captureFields).partial();

const routeFields = { ...comparisonFields, ...captureFields };

/** Options of a run, and of single routes. Each option of a route replaces the run's. */
export const runOptionsSchema = z
  .strictObject({
    ...comparisonFields,
    ...captureFields,
    perRoute: z.record(
      routeSchema,
      z
        .strictObject({
          viewports: z.array(viewportSchema).min(1).max(BOUNDS.viewports),
          threshold: z.number().min(0).max(1),
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
    perRoute: z
      .record(routeSchema, z.strictObject(routeFields).partial())
      .describe("Options for single routes. Each field replaces the general one"),
  })
  .partial();

export type NetworkRule = z.infer<typeof networkRuleSchema>;
export type CaptureOptions = z.infer<typeof captureOptionsSchema>;
export type RunOptions = z.infer<typeof runOptionsSchema>;
export type MonitorOptions = z.infer<typeof monitorOptionsSchema>;

/**
 * Returns what is wrong with the combination of a run's routes and widths. The messages follow a field's name. `route`
 * is the key in `perRoute`, or null if the message is about all routes.
 */
export function planFailures(
  plan: { routes: string[]; viewports: number[] },
  perRoute: RunOptions["perRoute"],
): { route: string | null; message: string }[] {
  const routes = new Set(plan.routes);
  const unknownRoutes = Object.keys(perRoute ?? {}).filter(route => !routes.has(route));
  const screenshots = plan.routes.reduce(
    (sum, route) => sum + new Set(perRoute?.[route]?.viewports ?? plan.viewports).size,
    0,
  );
  return [
    ...unknownRoutes.map(route => ({ route, message: "is not one of the routes" })),
    ...(screenshots > BOUNDS.screenshots
      ? [
          {
            route: null,
            message: `gives ${screenshots.toLocaleString("en-US")} screenshots with these viewports. A run can have at most ${BOUNDS.screenshots.toLocaleString("en-US")}. Remove routes or viewports`,
          },
        ]
      : []),
  ];
}
