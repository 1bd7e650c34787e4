import { nearestName } from "../../text/nearest-name.ts";
import { BOUNDS } from "./bounds.ts";
import type { CaptureOptions, ConfiguredIgnoreRegion, RunOptions } from "./capture-options.ts";
import { DEVICES } from "./devices.ts";
import { DEFAULT_ENVIRONMENT, type Environment } from "./environment.ts";
import { statesOf } from "./steps.ts";
import type { Viewport } from "./viewport.ts";

/** What to capture, as a submission or a configuration says it. */
export interface PagePlan {
  routes: readonly string[];
  viewports: readonly Viewport[];
  options?: RunOptions | undefined;
}

/** A page in one environment and viewport. One visit captures all its states. */
export interface PlannedPage {
  route: string;
  /** Name of the environment; null for the default one. */
  environment: string | null;
  settings: Environment;
  viewport: Viewport;
  /** Screenshots of the visit, in order. Null is the page's own screenshot. */
  states: (string | null)[];
  capture: CaptureOptions;
  /** The route's own threshold, 0–1; null for the run's. */
  threshold: number | null;
  /** Color distance that counts as equal, 0–1; null for the default. */
  colorThreshold: number | null;
  ignoreRegions: readonly ConfiguredIgnoreRegion[];
}

/** Settings of a route. Those of all routes apply where it has none of its own. */
interface RouteOptions {
  viewports: readonly Viewport[] | undefined;
  threshold: number | null;
  /** Names of its environments; undefined for all. */
  environments: readonly string[] | undefined;
  capture: CaptureOptions;
  colorThreshold: number | null;
  ignoreRegions: readonly ConfiguredIgnoreRegion[];
}

/** Returns the pages of a plan: by route, then environment, then viewport. */
export function planPages({ routes, viewports, options = {} }: PagePlan): PlannedPage[] {
  const settings = settingsOf(options);
  return routes.flatMap(route => {
    const { viewports: own, environments: names, ...page } = optionsOf(options, route);
    const states = statesOf(page.capture.steps);
    return [...settings]
      .filter(([name]) => names?.includes(name) ?? true)
      .flatMap(([name, settings]) =>
        viewportsOf(settings, own ?? viewports).map(viewport => {
          const environment = name === DEFAULT_ENVIRONMENT ? null : name;
          return { route, environment, settings, viewport, states, ...page };
        }),
      );
  });
}

/** Returns a route's options. Each of its own options replaces the plan's. */
export function optionsOf(options: RunOptions, route: string): RouteOptions {
  const {
    perRoute,
    environments: _all,
    defaultEnvironment: _default,
    sessions: _sessions,
    ...common
  } = options;
  const { viewports, threshold = null, environments, ...own } = perRoute?.[route] ?? {};
  const { colorThreshold = null, ignoreRegions = [], ...capture } = { ...common, ...own };
  return { viewports, threshold, environments, capture, colorThreshold, ignoreRegions };
}

function settingsOf({ environments = {}, defaultEnvironment = true }: RunOptions): Map<string, Environment> {
  const named = Object.entries(environments);
  return new Map(defaultEnvironment ? [[DEFAULT_ENVIRONMENT, {}], ...named] : named);
}

/** Returns the environment's own viewports, else its device's, else those of the route. */
function viewportsOf({ viewports, device }: Environment, ofRoute: readonly Viewport[]): readonly Viewport[] {
  if (viewports !== undefined) return viewports;
  const { width, height } = DEVICES.get(device ?? "") ?? {};
  if (width === undefined || height === undefined) return ofRoute;
  return [{ width, height }];
}

/** A problem of the combination of routes, viewports, environments and sessions. The message follows a field's name. */
interface PlanFailure {
  /** Key in `perRoute`; null if the message is about all routes. */
  route: string | null;
  /** Path of the field, below the options of the route or of all routes. Empty if the message is about all of them. */
  field: readonly (string | number)[];
  message: string;
}

/**
 * Returns what is wrong with the combination of a run's routes, viewports, environments and sessions.
 * @param knowsAllNames whether the plan has all sessions and environments. Otherwise, unknown names are no failure
 */
export function planFailures(plan: PagePlan, { knowsAllNames = true } = {}): PlanFailure[] {
  const { options = {}, routes } = plan;
  const known = new Set(routes);
  const unknownRoutes = Object.keys(options.perRoute ?? {})
    .filter(route => !known.has(route))
    .map(route => ({ route, field: [], message: "is not one of the routes" }));
  const unknownNames = findUnknownNames(options);
  const failures: PlanFailure[] = [...unknownRoutes, ...(knowsAllNames ? unknownNames : [])];
  const isComplete = unknownNames.length + unknownRoutes.length === 0;
  const pages = planPages(plan);
  const screenshots = pages.reduce((sum, { states }) => sum + states.length, 0);
  if (pages.length === 0 && routes.length > 0 && isComplete)
    failures.push({
      route: null,
      field: [],
      message: "gives no screenshot. Set defaultEnvironment to true or add an environment",
    });
  if (screenshots > BOUNDS.screenshots)
    failures.push({
      route: null,
      field: [],
      message: `gives ${screenshots.toLocaleString("en-US")} screenshots with these viewports, environments and states. A run can have at most ${BOUNDS.screenshots.toLocaleString("en-US")}. Remove some of them`,
    });
  return failures;
}

/** Returns the sessions and environments that options name and don't have. */
export function findUnknownNames({
  perRoute = {},
  environments = {},
  sessions = {},
  session,
}: RunOptions): PlanFailure[] {
  const known = {
    environments: [DEFAULT_ENVIRONMENT, ...Object.keys(environments)],
    sessions: Object.keys(sessions),
  };
  const failuresOf = (
    route: string | null,
    name: string | undefined,
    among: keyof typeof known,
    field: PlanFailure["field"],
  ): PlanFailure[] =>
    name === undefined || known[among].includes(name)
      ? []
      : [{ route, field, message: describeUnknown(name, among, known[among]) }];
  const ofRoutes = Object.entries(perRoute).flatMap(([route, own]) => [
    ...(own.environments ?? []).flatMap((name, index) =>
      failuresOf(route, name, "environments", ["environments", index]),
    ),
    ...failuresOf(route, own.session, "sessions", ["session"]),
  ]);
  return [...failuresOf(null, session, "sessions", ["session"]), ...ofRoutes];
}

function describeUnknown(name: string, among: "environments" | "sessions", known: readonly string[]): string {
  const near = nearestName(name, known);
  const hint = near === null ? "" : `. Did you mean "${near}"?`;
  return `names "${name}", which is not one of the ${among}${hint}`;
}
