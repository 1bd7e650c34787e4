import { z } from "zod";
import { nearestName } from "../../text/nearest-name.ts";
import { text } from "../fields.ts";
import { BOUNDS } from "./bounds.ts";
import { DEVICES } from "./devices.ts";
import { viewportsSchema } from "./viewport.ts";

/** Name of the environment without any settings. The API gives it as null. */
export const DEFAULT_ENVIRONMENT = "default";

const environmentName = z
  .string()
  .max(40)
  .regex(/^[a-z0-9][a-z0-9-]*$/, "must be a name of lowercase letters, digits and hyphens, such as dark")
  .refine(name => name !== DEFAULT_ENVIRONMENT, "is the name of the environment without settings");

const locale = text(35).refine(
  isLocale,
  "must be a language tag such as de-DE. See https://www.rfc-editor.org/info/bcp47",
);
const timezone = text(60).refine(isTimezone, "must be a time zone such as Europe/Berlin");

/** Browsers, by Playwright's names. */
const BROWSER_NAMES = ["chromium", "firefox", "webkit"] as const;
export type BrowserName = (typeof BROWSER_NAMES)[number];

/** Browser options of an environment. Every field has the default of a desktop Chromium in light mode. */
export const environmentSchema = z
  .strictObject({
    browser: z.enum(BROWSER_NAMES).describe("Browser that captures the pages. Default: chromium"),
    device: z
      .string()
      .refine(name => DEVICES.has(name), { error: ({ input }) => unknownDevice(String(input)) })
      .describe(
        "Device of Playwright's list, such as iPhone 15. Sets viewport, scale factor, touch, and user agent. The other fields replace its values",
      ),
    viewports: viewportsSchema.describe(
      "Viewports of this environment. Default: the device's viewport, else the viewports of the route",
    ),
    deviceScaleFactor: z.number().min(1).max(4).describe("Image pixels per CSS pixel. Default: 1"),
    isMobile: z.boolean().describe("Whether the viewport meta tag is used and touch gestures scroll"),
    hasTouch: z.boolean().describe("Whether the page gets touch events"),
    userAgent: text(500).describe("User agent that the browser sends"),
    colorScheme: z.enum(["light", "dark"]).describe("Value of prefers-color-scheme. Default: light"),
    forcedColors: z.enum(["none", "active"]).describe("Value of forced-colors. Default: none"),
    reducedMotion: z
      .enum(["reduce", "no-preference"])
      .describe("Value of prefers-reduced-motion. Default: reduce"),
    contrast: z.enum(["no-preference", "more"]).describe("Value of prefers-contrast. Default: no-preference"),
    media: z.enum(["screen", "print"]).describe("CSS media type. Default: screen"),
    locale: locale.describe("Language of the browser, such as de-DE. Default: en-US"),
    timezone: timezone.describe("Time zone of the browser, such as Europe/Berlin. Default: UTC"),
    geolocation: z
      .strictObject({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        accuracy: z.number().min(0).optional().describe("Meters. Default: 0"),
      })
      .describe("Location that the page may read. Default: permission denied"),
    clock: z.iso
      .datetime({ offset: true })
      .describe("Start time of the page's clock, such as 2026-01-31T09:00:00Z. Replaces the page's `clock`"),
    offline: z
      .boolean()
      .describe("Whether the network is off once the page has loaded. Steps then see an offline page"),
    javaScript: z.boolean().describe("Whether the page's scripts run. Default: true"),
  })
  .partial()
  .refine(environment => environment.browser !== "firefox" || !isMobile(environment), {
    error: "is firefox, which can't emulate phones and tablets. Use chromium or webkit",
    path: ["browser"],
  });

/** Environments of a run by name. */
export const environmentsSchema = z
  .record(environmentName, environmentSchema)
  .refine(
    environments => Object.keys(environments).length <= BOUNDS.environments,
    `must have at most ${BOUNDS.environments} environments`,
  );

export type Environment = z.infer<typeof environmentSchema>;

/** Returns the number of image pixels per CSS pixel. */
export function scaleFactorOf({ deviceScaleFactor, device }: Environment): number {
  return deviceScaleFactor ?? DEVICES.get(device ?? "")?.scale ?? 1;
}

function isMobile({ device, isMobile }: { device?: string; isMobile?: boolean }): boolean {
  // All devices of Playwright but these are phones and tablets.
  return isMobile ?? (device !== undefined && !device.startsWith("Desktop "));
}

function unknownDevice(name: string): string {
  const near = nearestName(name, [...DEVICES.keys()]);
  return `is not a device of Playwright. ${near === null ? "Write a name such as iPhone 15 or Pixel 9" : `Did you mean "${near}"?`}`;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
