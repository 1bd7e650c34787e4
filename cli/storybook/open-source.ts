import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { STORYBOOK_ERRORS as ERRORS, STORYBOOK_TEXTS as TEXTS } from "../texts/storybook.ts";
import { runBuild } from "./run-build.ts";
import { serveFolder } from "./static-server.ts";

/** A Storybook that is there to be captured. */
export interface StorybookSource {
  /** Without a slash at the end. */
  url: string;
  /** As given by the user: its URL, or the path of its folder. */
  shown: string;
  /** Absolute path of the static build; null for a URL. */
  folder: string | null;
  close(): Promise<void>;
}

/** Storybook's own default. */
const DEFAULT_FOLDER = "storybook-static";
const DEFAULT_SCRIPT = "build-storybook";

/**
 * Opens a Storybook: a URL as it is, a folder by serving it. Builds it first if asked to.
 * @param where folder or URL; by default the build's folder
 * @throws CommandError `storybook_missing`, `storybook_build_failed`, `usage`
 */
export async function openSource(
  terminal: Pick<Terminal, "cwd" | "env" | "signal">,
  where: string | undefined,
  {
    build,
    onLine,
    onNote,
  }: {
    build: string | boolean | undefined;
    onLine: (line: string) => void;
    onNote: (message: string) => void;
  },
): Promise<StorybookSource> {
  const { cwd } = terminal;
  const isUrl = where !== undefined && isPageUrl(where);
  if (isUrl && build) throw new CommandError("usage", ERRORS.buildWithUrl);
  if (isUrl) {
    const url = where
      .replace(/[?#].*$/, "")
      .replace(/\/(index|iframe)\.html$/, "")
      .replace(/\/+$/, "");
    return { url, shown: url, folder: null, close: async () => {} };
  }
  let folder = resolve(cwd, where ?? DEFAULT_FOLDER);
  if (build) {
    const script = build === true ? DEFAULT_SCRIPT : build;
    onNote(TEXTS.building(script));
    const project = await projectOf(where === undefined ? cwd : dirname(folder), cwd);
    const built = await runBuild(terminal, { folder: project, script, onLine });
    if (where === undefined) folder = built;
  }
  const shown = relative(cwd, folder) || ".";
  const preview = await stat(join(folder, "iframe.html")).catch(() => null);
  if (!preview?.isFile()) throw new CommandError("storybook_missing", ERRORS.noFolder(shown));
  const { url, close } = await serveFolder(folder);
  return { url, shown, folder, close };
}

/** Returns the nearest folder with a `package.json`, at or above a folder. */
async function projectOf(folder: string, fallback: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await stat(join(at, "package.json")).catch(() => null))?.isFile()) return at;
    if (dirname(at) === at) return fallback;
  }
}
