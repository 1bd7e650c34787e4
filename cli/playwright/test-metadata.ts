import { relative, sep } from "node:path";
import type { FullProject, TestCase, TestResult } from "playwright/types/testReporter";
import { BROWSER_NAMES } from "../../shared/capture/texts.ts";
import { type ScreenshotMetadata, UPLOAD_BOUNDS } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { DEFAULT_ENVIRONMENT } from "../../shared/contracts/capture/environment.ts";
import { definedOf } from "../../shared/defined-of.ts";

/** The viewport of Playwright's pages, if the configuration has none. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };
/** Bounds of the metadata, characters. */
const CHARS = { environment: 40, tag: 100, title: 500 };
/** What Playwright replaces with a hyphen in the names of snapshots. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among the replaced characters
const UNSAFE = /[\x00-\x2c\x2e-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+/g;

/** Returns the metadata of the screenshots of an attempt of a test. */
export function metadataOf(test: TestCase, { retry }: TestResult, root: string): ScreenshotMetadata {
  const project = test.parent.project();
  const { file, line } = test.location;
  // The first titles are those of the root, the project and the file.
  const titles = test.titlePath().slice(3);
  return {
    ...(project && definedOf(ofProject(project))),
    testFile: slashes(relative(root, file)),
    line,
    titlePath: titles.map(title => clipped(title, CHARS.title)).slice(0, UPLOAD_BOUNDS.titles),
    ...(retry > 0 && { retry }),
    ...(test.tags.length > 0 && {
      tags: test.tags.map(tag => clipped(tag, CHARS.tag)).slice(0, UPLOAD_BOUNDS.tags),
    }),
  };
}

/** Returns the name that vrs gives to a screenshot of `toHaveScreenshot`, as `vrs import` does. */
export function snapshotName(test: TestCase, argument: string): string {
  const testDir = test.parent.project()?.testDir ?? "";
  return `${slashes(relative(testDir, test.location.file))}/${slashes(argument)}`;
}

/** Returns the name of a project as an environment; undefined for a project without a name. */
function environmentOf(projectName: string): string | undefined {
  const name = projectName.replaceAll(UNSAFE, "-").slice(0, CHARS.environment);
  return name === "" || name === DEFAULT_ENVIRONMENT ? undefined : name;
}

function ofProject({ name, use }: FullProject): Partial<ScreenshotMetadata> {
  const { browserName, defaultBrowserType, viewport = DEFAULT_VIEWPORT } = use;
  return {
    ...definedOf({ environment: environmentOf(name) }),
    browser: BROWSER_NAMES[browserName ?? defaultBrowserType ?? "chromium"],
    ...(viewport && { viewport }),
  };
}

function clipped(text: string, chars: number): string {
  return (
    text
      .replaceAll(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, chars)
      .trim() || "-"
  );
}

function slashes(path: string): string {
  return path.split(sep).join("/");
}
