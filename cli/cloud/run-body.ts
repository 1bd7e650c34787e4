import type { z } from "zod";
import { ARCHIVE_URL, isArchiveUrl } from "../../shared/contracts/builds/archive-url.ts";
import type { intentInput } from "../../shared/contracts/runs/intent.ts";
import type { StorybookInput } from "../../shared/contracts/runs/stories.ts";
import { type SubmitRunInput, submitRunBody } from "../../shared/contracts/runs/submit-run.ts";
import { definedOf } from "../../shared/defined-of.ts";
import { runOf, storybookOf } from "../../shared/project-config/run-of.ts";
import { storybookRunOptions } from "../../shared/storybook/story-options.ts";
import { describeInvalid, fieldError, fieldPath } from "../../shared/text/describe-invalid.ts";
import { readWidths } from "../commands/option-values.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { CommandError } from "../terminal.ts";
import { RUN_ERRORS } from "../texts/cloud.ts";
import type { Commit } from "./commit.ts";

/** The options of `vrs run` as given on the command line; undefined if omitted. */
export interface RunFlags {
  url?: string | undefined;
  /** Id of the archive that is checked in place of a URL. */
  archiveId?: string | undefined;
  /** Path under which the archive is served. */
  basePath?: string | undefined;
  /** Stories of the site to check in place of routes. */
  storybook?: StorybookInput | undefined;
  routes?: readonly string[] | undefined;
  viewports?: readonly string[] | undefined;
  threshold?: string | undefined;
  project?: string | undefined;
  branch?: string | undefined;
  /** Routes, selectors and words of what is meant to change. */
  intent?: readonly string[] | undefined;
  rerun: boolean;
}

/**
 * Builds the body of a submission. The command line overrides the configuration, which overrides the
 * service's defaults.
 * @throws CommandError that names the option and says what to write
 */
export function runBody(
  flags: RunFlags,
  config: LoadedConfig | null,
  commit: Commit,
): SubmitRunInput & { url: string } {
  const { archiveId, storybook } = flags;
  const url = archiveId === undefined ? (flags.url ?? config?.baseUrl) : archiveUrl(flags.basePath);
  if (url === undefined) throw new CommandError("usage", RUN_ERRORS.noUrl);
  refuseFiles(config);
  const configured = config && configuredRun(config, storybook !== undefined);
  const routes = flags.routes && [...flags.routes];
  const viewports = flags.viewports === undefined ? undefined : readWidths(flags.viewports);
  const threshold = flags.threshold === undefined ? undefined : fractionOf(flags.threshold);
  const branch = flags.branch ?? commit.branch;
  const body = {
    ...(configured && withoutOverridden(configured, { routes, viewports, threshold })),
    url,
    ...(archiveId !== undefined && { archive: archiveId }),
    ...(storybook && { storybook }),
    ...(routes && { routes }),
    ...(viewports && { viewports }),
    ...(threshold !== undefined && { threshold }),
    ...(flags.project !== undefined && { project: flags.project }),
    ...(branch !== null && { branch }),
    ...(commit.scm && { scm: { ...commit.scm, ...(branch !== null && { branch }) } }),
    ...(flags.intent && { intent: intentOf(flags.intent) }),
    // A subset of the project's pages: the others weren't removed.
    ...(config && (routes || viewports) && { partial: true }),
    // Uncommitted files may change how the pages look.
    ...((flags.rerun || commit.isDirty) && { rerun: true as const }),
  };
  const checked = submitRunBody.safeParse(body, { error: describeInvalid });
  if (checked.success) return body;
  const failures = checked.error.issues.map(({ path, message }) =>
    fieldError(fieldPath(path), message, RUN_ERRORS.run),
  );
  throw new CommandError("usage", RUN_ERRORS.invalid(failures));
}

/** Sorts the terms of an intent by how they start. */
function intentOf(terms: readonly string[]): z.input<typeof intentInput> {
  const isRoute = (term: string) => /^[/*]/.test(term);
  const isSelector = (term: string) => /^[.#[]/.test(term);
  return {
    routes: terms.filter(isRoute),
    selectors: terms.filter(isSelector),
    words: terms.filter(term => !isRoute(term) && !isSelector(term)),
  };
}

function configuredRun(config: LoadedConfig, isStorybook: boolean): ReturnType<typeof runOf> {
  const run = runOf({ ...config, plugins: [] });
  if (!isStorybook) return run;
  const { routes: _routes, options = {}, ...others } = run;
  return { ...others, ...storybookOf(config).settings, options: storybookRunOptions(options) };
}

/** @throws CommandError for a path that could not be one of a URL */
function archiveUrl(basePath = "/"): string {
  const path = basePath.endsWith("/") ? basePath : `${basePath}/`;
  const url = URL.parse(path, ARCHIVE_URL);
  if (!path.startsWith("/") || url?.pathname !== path || !isArchiveUrl(url.href))
    throw new CommandError("usage", RUN_ERRORS.basePath(basePath));
  return url.href;
}

/** @throws CommandError if a session of a page has a file, which the service can't read */
function refuseFiles(config: LoadedConfig | null): void {
  const ofRoutes = Object.values(config?.perRoute ?? {}).map(({ session }) => session);
  const used = new Set([config?.session, ...ofRoutes]);
  for (const [name, { storageState, clientCertificates = [] }] of Object.entries(config?.sessions ?? {})) {
    if (!used.has(name)) continue;
    if (storageState !== undefined)
      throw new CommandError("usage", RUN_ERRORS.storageState(name, storageState));
    const [file] = clientCertificates.flatMap(({ certPath, keyPath }) => certPath ?? keyPath ?? []);
    if (file !== undefined) throw new CommandError("usage", RUN_ERRORS.certificate(name, file));
  }
}

/** Route settings override the common settings, but not the command line. */
function withoutOverridden(
  configured: ReturnType<typeof runOf>,
  { routes, viewports, threshold }: Pick<SubmitRunInput, "routes" | "viewports" | "threshold">,
): ReturnType<typeof runOf> {
  const { options } = configured;
  if (!options?.perRoute) return configured;
  const left = Object.entries(options.perRoute)
    .filter(([route]) => routes === undefined || routes.includes(route))
    .map(([route, own]) => [
      route,
      definedOf({
        ...own,
        ...(viewports && { viewports: undefined }),
        ...(threshold !== undefined && { threshold: undefined }),
      }),
    ]);
  return { ...configured, options: { ...options, perRoute: Object.fromEntries(left) } };
}

/** @throws CommandError for a percentage, which `vrs monitor` accepts and this option doesn't */
export function fractionOf(text: string): number {
  const fraction = text.trim() === "" ? Number.NaN : Number(text);
  if (fraction >= 0 && fraction <= 1) return fraction;
  throw new CommandError("usage", RUN_ERRORS.threshold(text));
}
