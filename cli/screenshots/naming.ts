/** A test tool that names its image files in its own way. */
export const NAMINGS = ["playwright", "backstop", "reg-suit", "lost-pixel"] as const;
export type Naming = (typeof NAMINGS)[number];

/** What the path of an image file says. */
export interface NamedFile {
  name: string;
  /** Name of the browser or variant. */
  environment?: string;
  /** Viewport width, px. */
  width?: number;
}

/** Reads a path with slashes and without the extension. Null for a file that the tool wouldn't name so. */
type ReadName = (path: string) => NamedFile | null;

/**
 * Returns a function that reads names as a tool writes them. For Playwright, it takes the files of one operating
 * system: Linux if there are any, since tests of pull requests mostly run there.
 * @param paths of all files
 */
export function namesBy(naming: Naming, paths: readonly string[]): ReadName {
  if (naming !== "playwright") return READERS[naming];
  const systems = paths.flatMap(path => snapshotOf(path)?.system ?? []);
  const system = systems.includes("linux") ? "linux" : systems[0];
  return path => {
    const snapshot = snapshotOf(path);
    return snapshot === null || snapshot.system !== (snapshot.system && system) ? null : snapshot.file;
  };
}

const READERS: Record<Exclude<Naming, "playwright">, ReadName> = {
  backstop: readBackstop,
  // Its comparison pairs files by their paths.
  "reg-suit": path => ({ name: path }),
  "lost-pixel": readLostPixel,
};

/** `{testFileDir}/{testFileName}-snapshots/{arg}-{projectName}-{platform}`, its default template. */
const SNAPSHOT = /^(?<file>.+)-snapshots\/(?<rest>.+?)(?:-(?<system>linux|darwin|win32))?$/;
/** The projects that Playwright suggests. Others stay a part of the name, since nothing marks where they begin. */
const PROJECT =
  /-(chromium|firefox|webkit|Mobile-Chrome|Mobile-Safari|Microsoft-Edge|Google-Chrome|Desktop-(?:Chrome|Firefox|Safari|Edge))$/;

function snapshotOf(path: string): { file: NamedFile; system: string | undefined } | null {
  const { file, rest, system } = SNAPSHOT.exec(path)?.groups ?? {};
  if (file === undefined || rest === undefined) return null;
  const [suffix = "", project] = PROJECT.exec(rest) ?? [];
  const name = `${file}/${rest.slice(0, rest.length - suffix.length)}`;
  return { file: { name, ...(project && { environment: project }) }, system };
}

/** `{configId}_{scenarioLabel}_{selectorIndex}_{selectorLabel}_{viewportIndex}_{viewportLabel}`, its default template. */
const BITMAP = /^(?:.*\/)?(?<scenario>.+)_\d+_(?<selector>.+)_\d+_(?<viewport>.+)$/;
/** The id of a configuration without one. */
const DEFAULT_ID = /^backstop_default_/;
/** An image that it writes beside a bitmap that differs. */
const DIFFERENCE = /(?:^|\/)failed_diff_[^/]*$/;

function readBackstop(path: string): NamedFile | null {
  if (DIFFERENCE.test(path)) return null;
  const { scenario, selector, viewport } = BITMAP.exec(path)?.groups ?? {};
  if (scenario === undefined || viewport === undefined) return null;
  const label = scenario.replace(DEFAULT_ID, "");
  // The label of the viewport doesn't say its width.
  return { name: selector === "document" ? label : `${label}/${selector}`, environment: viewport };
}

/** Such as `home__[w480px|firefox]`. The part in brackets is missing with one width and one browser. */
const SHOT = /^(?<name>.+)__\[(?:w(?<width>\d+)px)?\|?(?<browser>[a-z]+)?\]$/;

function readLostPixel(path: string): NamedFile {
  const { name = path, width, browser } = SHOT.exec(path)?.groups ?? {};
  return {
    name,
    ...(browser !== undefined && { environment: browser }),
    ...(width !== undefined && { width: Number(width) }),
  };
}
