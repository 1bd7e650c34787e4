import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type { BrowserContextOptions } from "playwright";
import type { CaptureOptions } from "../../contracts/capture/capture-options.ts";
import { DEVICES } from "../../contracts/capture/devices.ts";
import type { Environment } from "../../contracts/capture/environment.ts";
import type { ClientCertificate } from "../sessions/client-certificates.ts";
import { PAGE_SETTINGS } from "./browser-args.ts";

/** Media features of a page. They can change on a live page. */
export interface PageMedia {
  media: "print" | null;
  colorScheme: "light" | "dark";
  reducedMotion: "reduce" | "no-preference";
  forcedColors: "active" | "none";
  contrast: "more" | "no-preference";
}

/** Returns the options of a context for pages of this environment, without what can change on a live page. */
export function contextOptions(environment: Environment): BrowserContextOptions {
  const device = environment.device === undefined ? undefined : playwrightDevice(environment.device);
  const { geolocation } = environment;
  return {
    ...PAGE_SETTINGS,
    deviceScaleFactor: scaleOf(environment),
    isMobile: environment.isMobile ?? device?.isMobile,
    hasTouch: environment.hasTouch ?? device?.hasTouch,
    userAgent: environment.userAgent ?? device?.userAgent,
    locale: environment.locale ?? PAGE_SETTINGS.locale,
    timezoneId: environment.timezone ?? PAGE_SETTINGS.timezoneId,
    javaScriptEnabled: environment.javaScript,
    geolocation,
    permissions: geolocation === undefined ? [] : ["geolocation"],
  };
}

/** Loads Playwright at its first use, because that takes a quarter of a second of processor time. */
function playwrightDevice(name: string): BrowserContextOptions | undefined {
  const playwright: typeof import("playwright") = createRequire(import.meta.url)("playwright");
  return playwright.devices[name];
}

/** Returns the number of image pixels per CSS pixel. */
export function scaleOf({ device, deviceScaleFactor }: Environment): number {
  const ofDevice = device === undefined ? undefined : DEVICES.get(device)?.scale;
  return deviceScaleFactor ?? ofDevice ?? PAGE_SETTINGS.deviceScaleFactor;
}

/**
 * Returns a key that is equal for environments, client certificates and audiences (see `audienceOf`) whose pages can
 * share a context.
 */
export function contextKey(
  environment: Environment,
  certificates: readonly ClientCertificate[] = [],
  audience = "",
): string {
  const key = JSON.stringify([environment.browser ?? "chromium", contextOptions(environment)]);
  if (certificates.length === 0 && audience === "") return key;
  return `${key} ${createHash("sha256")
    .update(JSON.stringify([certificates, audience]))
    .digest("hex")}`;
}

/**
 * Returns for whom a site makes its pages, as far as the session and the headers tell. Pages for different audiences
 * share no HTTP cache: a site may cache what it shows one of them. Empty without a session and headers.
 */
export function audienceOf({ session, headers = {} }: Pick<CaptureOptions, "session" | "headers">): string {
  const sent = Object.entries(headers);
  return session === undefined && sent.length === 0 ? "" : JSON.stringify([session ?? null, sent]);
}

/** Returns the options of an environment that a Firefox which Playwright did not build can't emulate. */
export function unsupportedOptions(environment: Environment): string[] {
  const { hasTouch, javaScriptEnabled } = contextOptions(environment);
  const { media, reducedMotion, forcedColors, contrast } = mediaOf(environment);
  const isUsed = {
    media: media === "print",
    reducedMotion: reducedMotion !== PAGE_SETTINGS.reducedMotion,
    forcedColors: forcedColors === "active",
    contrast: contrast === "more",
    hasTouch: hasTouch === true,
    javaScript: javaScriptEnabled === false,
  };
  return Object.entries(isUsed).flatMap(([name, used]) => (used ? [name] : []));
}

/** Returns the media features of an environment. */
export function mediaOf(environment: Environment): PageMedia {
  return {
    media: environment.media === "print" ? "print" : null,
    colorScheme: environment.colorScheme ?? PAGE_SETTINGS.colorScheme,
    reducedMotion: environment.reducedMotion ?? PAGE_SETTINGS.reducedMotion,
    forcedColors: environment.forcedColors ?? "none",
    contrast: environment.contrast ?? "no-preference",
  };
}
