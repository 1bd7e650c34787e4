import { relative, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { ScreenshotMetadata } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { definedOf } from "../../shared/defined-of.ts";
import type { Collection } from "../adapters/collection.ts";
import { ADAPTER_ERRORS as ERRORS } from "../texts/adapters.ts";

/** The command with which `toMatchScreenshot` compares, in Vitest's process. */
export const MATCHER_COMMAND = "__vitest_screenshotMatcher";
/** The command with which it captures. */
const CAPTURE_COMMAND = "__vitest_takeScreenshot";

/** Options of `toMatchScreenshot`, of a call and of the configuration. Others don't matter without a reference. */
const optionsSchema = z.looseObject({
  screenshotOptions: z.looseObject({}).optional(),
  /** ms; 0 for no limit. */
  timeout: z.number().optional(),
  comparatorOptions: z
    .looseObject({
      threshold: z.number().min(0).max(1).optional().catch(undefined),
      allowedMismatchedPixelRatio: z.number().min(0).max(1).optional().catch(undefined),
    })
    .optional(),
  element: z.unknown().optional(),
  target: z.unknown().optional(),
});
type Options = z.infer<typeof optionsSchema>;

/** The parts of a command's context that the matcher uses. */
interface MatcherContext {
  testPath: string | undefined;
  triggerCommand(name: string, ...args: unknown[]): Promise<{ buffer: Buffer }>;
  project: {
    config: { browser: { name: string; expect?: { toMatchScreenshot?: unknown } } };
  };
}

/** What Vitest's matcher expects from its command. */
type MatchResult =
  | { pass: true; outcome: "matched-immediately" }
  | {
      pass: false;
      outcome: "unstable-screenshot";
      message: string;
      reference: null;
      actual: null;
      diff: null;
    };

/** Vitest's own defaults. */
const TIMEOUT_MS = 5_000;
const SCREENSHOT_OPTIONS = { animations: "disabled", caret: "hide", scale: "device" };

/**
 * Returns the command that collects the screenshots of `toMatchScreenshot` instead of comparing them with a reference.
 * Vitest captures them, until two captures are equal.
 */
export function matchScreenshotCommand(collectionOf: () => Collection) {
  return async (
    context: MatcherContext,
    name: string,
    _testName: string,
    given: unknown,
  ): Promise<MatchResult> => {
    const { config } = context.project;
    const configured = optionsSchema.parse(config.browser.expect?.toMatchScreenshot ?? {});
    const own = optionsSchema.parse(given);
    const options: Options = {
      ...{ ...configured, ...own },
      screenshotOptions: { ...SCREENSHOT_OPTIONS, ...configured.screenshotOptions, ...own.screenshotOptions },
      comparatorOptions: { ...configured.comparatorOptions, ...own.comparatorOptions },
    };
    const timeoutMs = options.timeout ?? TIMEOUT_MS;
    const image = await captureStable(context, name, options, timeoutMs);
    if (image === null) {
      const unstable = { outcome: "unstable-screenshot", message: ERRORS.unstable(name, timeoutMs) } as const;
      return { ...unstable, pass: false, reference: null, actual: null, diff: null };
    }
    const collection = collectionOf();
    const testFile = relative(collection.root, context.testPath ?? collection.root)
      .split(sep)
      .join("/");
    const metadata = { testFile, ...metadataOf(config.browser.name, options) };
    await collection.add({ name: nameOf(`${testFile}/${name}`), image, metadata });
    return { pass: true, outcome: "matched-immediately" };
  };
}

/** Returns the last of two equal captures; null if there were none in time. */
async function captureStable(
  context: MatcherContext,
  name: string,
  { screenshotOptions, element, target }: Options,
  timeoutMs: number,
): Promise<Buffer | null> {
  const options = { ...screenshotOptions, save: false, element, target };
  const capture = async () => (await context.triggerCommand(CAPTURE_COMMAND, name, options)).buffer;
  const end = timeoutMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  for (let before = await capture(); ; ) {
    const next = await capture();
    if (next.equals(before)) return next;
    if (performance.now() > end) return null;
    before = next;
    await delay(0);
  }
}

function metadataOf(browserName: string, { comparatorOptions = {} }: Options): ScreenshotMetadata {
  const { threshold: colorThreshold, allowedMismatchedPixelRatio: threshold } = comparatorOptions;
  return { environment: browserName, ...definedOf({ colorThreshold, threshold }) };
}

/**
 * Returns the name as Vitest writes it into the path of a reference. The file is named from the folder of the test run,
 * because several projects can have files with the same path. A project can also be outside of that folder.
 */
function nameOf(name: string): string {
  const parts = name.split(/[/\\]/).filter(part => part !== "" && part !== "." && part !== "..");
  return parts.join("/").replace(/\.png$/, "");
}
