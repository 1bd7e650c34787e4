import type { PeriodDays } from "../../../shared/contracts/monitors/availability.ts";
import { duration, number, percentAtMost, plural } from "../format.ts";

/** Formats an uptime as `99.95%`. Only an uptime without downtime is 100%. */
const uptime = (share: number | null): string => (share === null ? "–" : percentAtMost(share));
const response = (ms: number | null): string => (ms === null ? "–" : duration(ms));

/** Texts of uptime and response times. */
export const uptimeTexts = {
  title: "Uptime and response time",
  thing: "the uptime",
  range: "Time range of the charts",
  ranges: { 1: "24 hours", 7: "7 days", 30: "30 days", 90: "90 days" } satisfies Record<PeriodDays, string>,
  empty: "No uptime yet. It appears here after the first check.",
  table: "Uptime and response time by page",
  page: "Page",
  all: "All pages",
  response: "Response",
  charts: (range: string) => `${range}: uptime, and response time below`,
  slowest: (ms: number | null) => `Slowest: ${response(ms)}`,
  uptime,
  responseTime: response,
  checks: (checks: number) => plural(checks, "check"),
  chart: (page: string, up: string, time: string) => `${page}: uptime ${up}, mean response time ${time}`,
  point: (at: string, checks: number, down: number, ms: number | null) =>
    `${at}: ${plural(checks, "check")}, ${number(down)} down, ${response(ms)}`,
  none: (at: string) => `${at}: no checks`,
  inList: (up: string, time: string) => `${up} uptime · ${time}`,
  inListTitle: "Uptime over 30 days · mean response time over 24 hours",
} as const;
