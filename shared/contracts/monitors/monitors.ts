import { z } from "zod";
import { type MonitorOptions, monitorOptionsSchema, routeSchema } from "../capture/capture-options.ts";
import { DEFAULT_ENVIRONMENT } from "../capture/environment.ts";
import { planFailures, planPages } from "../capture/plan-pages.ts";
import { canAgree, regionFields, TOO_MANY_AGREE } from "../capture/region.ts";
import { sessionsView } from "../capture/sessions.ts";
import { statesOf } from "../capture/steps.ts";
import { type Viewport, viewportsSchema } from "../capture/viewport.ts";
import { isPageUrl, list, pageQuery, text, time, unique } from "../fields.ts";
import { SNOOZE_HOURS } from "./alerts.ts";
import { availability } from "./availability.ts";
import { checkSummary, RECENT_CHECKS, recentCheck } from "./checks.ts";
import { httpSettings, httpState } from "./http-checks.ts";
import { MAINTENANCE_MODES } from "./maintenance.ts";
import { channelChanges, channels, INCIDENT_TOOLS } from "./monitor-channels.ts";

/** Bodies, queries and responses of `/v1/monitors`. */

/** Limits of a monitor. Checks are stored for as long as the plan says, so they have fewer pages than runs. */
const MONITOR_BOUNDS = {
  screenshots: 100,
  tags: 20,
  minIntervalMinutes: 5,
  maxIntervalMinutes: 10_080,
  /** A list of 100 monitors with their options is one message. */
  optionsChars: 8_192,
} as const;

const MONITOR_STATUSES = ["never", "establishing", "ok", "changed", "down"] as const;

const tag = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._:/-]{0,39}$/u,
    "must be a word of at most 40 letters, digits, and . _ : / -",
  );

const fields = {
  name: text(100),
  url: z
    .string()
    .max(2000)
    .refine(
      isPageUrl,
      "must be an absolute http or https URL, such as https://example.com, without a username or password",
    )
    .describe("URL of the site. Routes are appended to it"),
  routes: z
    .array(routeSchema)
    .min(1)
    .max(MONITOR_BOUNDS.screenshots)
    .transform(unique)
    .describe("Paths of the pages"),
  viewports: viewportsSchema.describe(
    "Viewports: widths in px, or { width, height }. The default height is 800",
  ),
  intervalMinutes: z
    .int()
    .min(MONITOR_BOUNDS.minIntervalMinutes)
    .max(MONITOR_BOUNDS.maxIntervalMinutes)
    .describe("Minutes between checks"),
  alertThreshold: z
    .number()
    .min(0)
    .max(1)
    .describe("Share of changed pixels above which the monitor alerts, 0–1"),
  regions: regionFields.regions.describe(
    "Regions whose renderer nodes capture each page, with baselines of their own. Empty to capture from any node",
  ),
  agree: regionFields.agree.describe("Number of regions that must see a problem before the monitor alerts"),
  http: httpSettings.nullable().describe("HTTP check: fails at a status of 400 or above. Null for none"),
  paused: z.boolean().describe("Whether scheduled checks are paused"),
  tags: z
    .array(tag)
    .max(MONITOR_BOUNDS.tags)
    .transform(unique)
    .describe("Words to filter monitors by, not case-sensitive"),
};

const options = monitorOptionsSchema.describe(
  "Capture and comparison options, as in a run. All are optional",
);

/** Null removes an option. An option that is left out stays. */
const optionChanges = z
  .strictObject({
    colorThreshold: options.shape.colorThreshold.nullable(),
    masks: options.shape.masks.nullable(),
    hide: options.shape.hide.nullable(),
    waitForSelector: options.shape.waitForSelector.nullable(),
    headers: options.shape.headers.nullable(),
    network: options.shape.network.nullable(),
    clock: options.shape.clock.nullable(),
    random: options.shape.random.nullable(),
    steps: options.shape.steps.nullable(),
    session: options.shape.session.nullable(),
    element: options.shape.element.nullable(),
    padding: options.shape.padding.nullable(),
    fullPage: options.shape.fullPage.nullable(),
    maxHeight: options.shape.maxHeight.nullable(),
    environments: options.shape.environments.nullable(),
    defaultEnvironment: options.shape.defaultEnvironment.nullable(),
    sessions: options.shape.sessions.nullable(),
    ignoreRegions: options.shape.ignoreRegions.nullable(),
    perRoute: options.shape.perRoute.nullable(),
  })
  .partial();

/** Headers may contain secrets, so only their names are shown. */
const headerNames = z.array(z.string()).describe("Header names. Their values are not shown");
const optionsView = options.extend({
  headers: headerNames.optional(),
  sessions: sessionsView.optional(),
  perRoute: z
    .record(
      routeSchema,
      options.shape.perRoute.unwrap().valueType.extend({ headers: headerNames.optional() }),
    )
    .optional(),
});

interface MonitorPages {
  routes: string[];
  viewports: Viewport[];
  options: MonitorOptions;
  regions: readonly string[];
}

/**
 * Returns the number of screenshots of a check: those of each region. A page in an environment of the project of all
 * monitors counts with the monitor's viewports.
 */
export function countScreenshots(pages: MonitorPages): number {
  const planned = planPages(pages).reduce((sum, { states }) => sum + states.length, 0);
  const { environments: own = {}, perRoute = {}, steps: common } = pages.options;
  const named = Object.values(perRoute).reduce((sum, { environments = [], steps = common }) => {
    const others = environments.filter(name => name !== DEFAULT_ENVIRONMENT && !Object.hasOwn(own, name));
    return sum + others.length * statesOf(steps).length * pages.viewports.length;
  }, 0);
  return (planned + named) * Math.max(1, pages.regions.length);
}

/** Returns what is wrong with the combination of a monitor's pages and options. Null if nothing is. */
export function pagesFailure({
  routes,
  viewports,
  options,
  regions,
}: MonitorPages): { field: string; message: string } | null {
  const screenshots = countScreenshots({ routes, viewports, options, regions });
  if (screenshots > MONITOR_BOUNDS.screenshots) {
    const message = `gives ${screenshots.toLocaleString("en-US")} screenshots with these viewports, environments, states and regions. A monitor can have at most ${MONITOR_BOUNDS.screenshots}. Remove some of them`;
    return { field: "routes", message };
  }
  if (JSON.stringify(options).length > MONITOR_BOUNDS.optionsChars) {
    const message = `must have at most ${MONITOR_BOUNDS.optionsChars.toLocaleString("en-US")} characters as JSON`;
    return { field: "options", message };
  }
  // The project of all monitors may have the sessions that the options name.
  const [failure] = planFailures({ routes, viewports, options }, { knowsAllNames: false });
  if (!failure) return null;
  const field = failure.route === null ? "options" : `options.perRoute.${failure.route}`;
  return { field, message: failure.message };
}

/** Returns what is wrong with the number of regions that must agree. Null if nothing is. */
export function regionsFailure(
  settings: Parameters<typeof canAgree>[0],
): { field: string; message: string } | null {
  return canAgree(settings) ? null : { field: "agree", message: TOO_MANY_AGREE };
}

/** Body of `POST /v1/monitors`. */
export const createMonitorBody = z
  .strictObject({
    name: fields.name,
    url: fields.url,
    routes: fields.routes.prefault(["/"]),
    viewports: fields.viewports.prefault([1280]),
    intervalMinutes: fields.intervalMinutes.default(60),
    alertThreshold: fields.alertThreshold.default(0.02),
    alerts: channels.prefault({}).describe("Alert channels. All are optional"),
    regions: fields.regions.prefault([]),
    agree: fields.agree.default(1),
    http: fields.http.default(null),
    paused: fields.paused.default(false),
    tags: fields.tags.prefault([]),
    options: options.prefault({}),
  })
  .superRefine((body, context) => {
    const failure = regionsFailure(body) ?? pagesFailure(body);
    if (failure)
      context.addIssue({ code: "custom", path: failure.field.split("."), message: failure.message });
  });

/** Body of `PATCH /v1/monitors/:id`. */
export const changeMonitorBody = z
  .strictObject({ ...fields, alerts: channelChanges, options: optionChanges })
  .partial()
  .refine(body => Object.keys(body).length > 0, "must contain at least one field to change");

/** Query of `GET /v1/monitors`. */
export const monitorsQuery = z.strictObject({
  ...pageQuery,
  tag: tag.optional().describe("Only monitors with this tag"),
  find: z.string().trim().max(200).optional().describe("Part of the name or of the URL, not case-sensitive"),
  status: z.enum(["ok", "changed", "down"]).optional(),
});

/** Body of `POST /v1/monitors/:id/snooze`. */
export const snoozeBody = z.strictObject({ hours: z.int().min(SNOOZE_HOURS.min).max(SNOOZE_HOURS.max) });

const tail = z.object({ tail: z.string().describe("Last four characters of the secret") });

export const monitorView = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  routes: z.array(z.string()),
  viewports: viewportsSchema,
  intervalMinutes: z.int(),
  alertThreshold: z.number(),
  options: optionsView,
  regions: z
    .array(z.string())
    .default([])
    .describe("Regions that capture each page. Empty for any renderer node"),
  agree: z.int().default(1).describe("Number of regions that must see a problem before the monitor alerts"),
  alerts: z
    .object({
      slack: tail.nullable(),
      email: z.array(z.string()),
      pagerduty: tail.nullable(),
      incidents: tail.extend({ tool: z.enum(INCIDENT_TOOLS), host: z.string() }).nullable(),
      webhook: tail.extend({ host: z.string() }).nullable(),
    })
    .describe("Alert channels. Secrets show only their last characters"),
  paused: z.boolean(),
  tags: z.array(z.string()),
  badgeUrl: z
    .string()
    .nullable()
    .describe("URL of its badge, which opens without signing in. Null if it has none"),
  scheduled: z.boolean().describe("Whether the monitor runs on its schedule and sends alerts"),
  hold: z
    .enum(["plan", "over"])
    .nullable()
    .describe(
      "`plan`: the plan has no scheduled checks. `over`: the team has more monitors than the plan allows, so this one can't be checked or changed",
    ),
  notScheduledBecause: z.string().nullable().describe("Why the monitor is not scheduled, and what to do"),
  status: z.enum(MONITOR_STATUSES),
  nextRunAt: time.nullable(),
  currentCheck: checkSummary.nullable(),
  lastCheck: checkSummary.nullable(),
  recentChecks: z.array(recentCheck).describe(`The latest ${RECENT_CHECKS} completed checks, oldest first`),
  lastChangeAt: time.nullable().describe("When the set of changed pages last changed"),
  uptime: z.number().nullable().describe("Share of the stored checks in which the site responded, 0–1"),
  availability,
  maintenance: z
    .object({ title: z.string(), mode: z.enum(MAINTENANCE_MODES), until: time })
    .nullable()
    .describe("The maintenance that is going on"),
  certificate: z
    .object({
      expiresAt: time.nullable().describe("Null if the certificate was never read"),
      daysLeft: z.int().nullable(),
      issuer: z.string().nullable(),
      error: z.string().nullable().describe("Why clients refuse it, or why it could not be read"),
      checkedAt: time,
    })
    .nullable()
    .describe("The site's TLS certificate. Null for an http site, and before it was read"),
  http: httpSettings.nullable().default(null).describe("Settings of the HTTP check. Null for none"),
  httpCheck: httpState
    .nullable()
    .default(null)
    .describe("Last result of the HTTP check. Null without one, and before its first result"),
  snoozedUntil: time.nullable(),
  alertingSince: time.nullable(),
  createdAt: time,
});

export const monitorList = list(monitorView);
export const snoozed = z.object({ snoozedUntil: time });
export const testedAlert = z.object({
  deliveries: z.array(z.object({ id: z.string(), channel: z.string() })).describe("Queued test alerts"),
});

export type MonitorsQuery = z.infer<typeof monitorsQuery>;
export type CreateMonitor = z.infer<typeof createMonitorBody>;
export type CreateMonitorInput = z.input<typeof createMonitorBody>;
export type ChangeMonitor = z.infer<typeof changeMonitorBody>;
export type OptionChanges = z.infer<typeof optionChanges>;
export type OptionsView = z.infer<typeof optionsView>;
export type MonitorView = z.infer<typeof monitorView>;
export type MonitorList = z.infer<typeof monitorList>;
export type TestedAlert = z.infer<typeof testedAlert>;
