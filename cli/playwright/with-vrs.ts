import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findReviewServer } from "../review-server/server-file.ts";
import { drawingBeyondWindow, type UsedBrowser } from "./launch-options.ts";
import type { ReporterSettings } from "./settings.ts";

/** What `withVrs` changes for all tests, or for those of a project. */
interface Changeable {
  expect?: { toHaveScreenshot?: object };
  use?: UsedBrowser;
}

/** The parts of Playwright's configuration that `withVrs` changes. */
interface Configurable extends Changeable {
  reporter?: unknown;
  projects?: readonly Changeable[];
}

/** Passes the folder to workers, which load the configuration again. */
const FOLDER_VARIABLE = "VRS_PLAYWRIGHT_FOLDER";

/**
 * Returns Playwright's configuration with the reporter, so that screenshots of `toHaveScreenshot` are uploaded instead
 * of compared. By default, only in CI and while `vrs dev` runs. Else it returns the configuration unchanged.
 */
export function withVrs<T extends Configurable>(config: T, settings: ReporterSettings = {}): T {
  const { enabled = isWanted() } = settings;
  if (!enabled) return config;
  const snapshotFolder = process.env[FOLDER_VARIABLE] || join(tmpdir(), `vrs-playwright-${randomUUID()}`);
  process.env[FOLDER_VARIABLE] = snapshotFolder;
  const reporter = fileURLToPath(new URL("./reporter.ts", import.meta.url));
  return {
    ...collecting(config.projects ? config : drawingBeyondWindow(config), snapshotFolder),
    ...(config.projects && {
      // The expectations of a project replace those of the configuration.
      projects: config.projects.map(project =>
        drawingBeyondWindow(project.expect ? collecting(project, snapshotFolder) : project, config.use),
      ),
    }),
    reporter: [...reportersOf(config.reporter), [reporter, { ...settings, snapshotFolder }]],
    // In an empty folder, each screenshot is missing. It is then written and attached, and the test passes.
    updateSnapshots: "missing",
  };
}

/** Workers decide as the process that started them. */
function isWanted(): boolean {
  const { env } = process;
  return Boolean(env.CI || env[FOLDER_VARIABLE]) || findReviewServer(process.cwd(), env) !== null;
}

function collecting<T extends Pick<Configurable, "expect">>(config: T, folder: string): T {
  const { expect } = config;
  const pathTemplate = join(folder, "{projectName}", "{testFilePath}", "{testName}", "{arg}{ext}");
  return {
    ...config,
    expect: { ...expect, toHaveScreenshot: { ...expect?.toHaveScreenshot, pathTemplate } },
  };
}

/** Returns the reporters as a list. Playwright's defaults are no longer used once there is a list. */
function reportersOf(reporter: unknown): unknown[] {
  if (Array.isArray(reporter)) return reporter;
  return [[typeof reporter === "string" ? reporter : process.env.CI ? "dot" : "list"]];
}
