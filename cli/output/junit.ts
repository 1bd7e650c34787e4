import { hostname } from "node:os";
import { sumTimings } from "../../shared/contracts/capture/timings.ts";
import { formatDifference } from "../../shared/report/describe-screenshot.ts";
import { visible } from "../../shared/text/visible-text.ts";
import type { CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import { RESULT_TEXTS } from "../texts/check.ts";
import { CI_TEXTS } from "../texts/ci.ts";
import { describeChange } from "./format.ts";

/**
 * Returns a check as a JUnit file: a suite per route, a test per screenshot. Changes are failures, and missing
 * captures are errors. Follows what the common schemas agree on: the order of elements, times in seconds,
 * timestamps without a zone (UTC).
 */
export function junit(result: CheckResult, host = hostname()): string {
  const suites = [...Map.groupBy(result.screenshots, ({ route }) => route)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    ...suites.flatMap(([route, shots], id) => suite(route, shots, { id, host, result })),
    "</testsuites>",
    "",
  ].join("\n");
}

function suite(
  route: string,
  shots: CheckedScreenshot[],
  { id, host, result }: { id: number; host: string; result: CheckResult },
): string[] {
  const failed = shots.filter(({ status }) => status === "failed").length;
  const unchanged = shots.filter(({ status }) => status === "unchanged").length;
  const time = shots.reduce((sum, shot) => sum + secondsOf(shot), 0);
  return [
    open("testsuite", {
      id,
      name: route,
      package: "vrs",
      hostname: host,
      timestamp: result.startedAt.replace(/(\.\d+)?Z$/, ""),
      tests: shots.length,
      failures: shots.length - failed - unchanged,
      errors: failed,
      time: time.toFixed(3),
    }),
    "<properties>",
    ...Object.entries({
      baseUrl: result.baseUrl,
      browser: result.browser ?? "",
      platform: result.platform,
      minorChanges: String(shots.filter(({ minor }) => minor).length),
    }).map(([name, value]) => empty("property", { name, value })),
    "</properties>",
    ...shots.flatMap(shot => testCase(shot)),
    systemOut(shots.filter(({ minor }) => minor)),
    "<system-err/>",
    "</testsuite>",
  ];
}

/**
 * Returns the minor changes of a suite. Their tests pass, and schemas have no place for remarks on a test.
 */
function systemOut(minor: CheckedScreenshot[]): string {
  if (minor.length === 0) return "<system-out/>";
  const lines = minor.map(shot => CI_TEXTS.junitMinor(CI_TEXTS.junitTest(shot), formatDifference(shot)));
  return `<system-out>${escapeXml(lines.join("\n"))}</system-out>`;
}

function testCase(shot: CheckedScreenshot): string[] {
  const tag = { classname: shot.route, name: CI_TEXTS.junitTest(shot), time: secondsOf(shot).toFixed(3) };
  const failure = failureIn(shot);
  return failure === null ? [empty("testcase", tag)] : [open("testcase", tag), failure, "</testcase>"];
}

function failureIn(shot: CheckedScreenshot): string | null {
  const { status, error } = shot;
  if (status === "unchanged") return null;
  if (status === "failed") {
    const { code = "failed", message = RESULT_TEXTS.notCaptured } = error ?? {};
    return `${open("error", { type: code, message })}${escapeXml([message, ...shot.notes].join("\n"))}</error>`;
  }
  const message = MESSAGES[status](shot);
  const files = Object.entries(shot.files)
    .filter(([, path]) => path !== null)
    .map(([name, path]) => `${name}: ${path}`);
  return `${open("failure", { type: status, message })}${escapeXml([message, ...shot.notes, ...files].join("\n"))}</failure>`;
}

const MESSAGES = {
  changed: describeChange,
  new: ({ route }: CheckedScreenshot) => RESULT_TEXTS.new(route),
  removed: ({ route }: CheckedScreenshot) => RESULT_TEXTS.removed(route),
};

const secondsOf = ({ timings }: CheckedScreenshot) => sumTimings(timings) / 1000;

const open = (name: string, attributes: Record<string, string | number>) => `<${name}${list(attributes)}>`;
const empty = (name: string, attributes: Record<string, string | number>) => `<${name}${list(attributes)}/>`;
const list = (attributes: Record<string, string | number>) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replace(/[\t\n\r]/g, " ")}"`)
    .join("");

function escapeXml(text: string): string {
  return visible(text).replace(/[&<>"']/g, character => `&#${character.codePointAt(0)};`);
}
