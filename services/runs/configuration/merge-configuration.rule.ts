import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { DEFAULT_ENVIRONMENT } from "../../../shared/contracts/capture/environment.ts";
import {
  type Configuration,
  optionsOfConfiguration,
} from "../../../shared/contracts/configuration/configuration.ts";
import type { DefaultedField, SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";

type RoutesOptions = NonNullable<RunOptions["perRoute"]>;

/**
 * Completes a submission with the stored configuration of its project. The submission's own fields take precedence, one
 * by one.
 * @param defaulted fields of the submission that have their default
 */
export function mergeConfiguration(
  body: SubmitRun,
  stored: Configuration,
  defaulted: readonly DefaultedField[],
): SubmitRun {
  const { options: own = {} } = body;
  const lists = defaulted.flatMap(name => (stored[name] === undefined ? [] : [[name, stored[name]]]));
  const merged: SubmitRun = { ...body, ...Object.fromEntries(lists) };
  const { perRoute: storedRoutes = {}, sessions: _sessions, ...defaults } = optionsOfConfiguration(stored);
  const ofBody = ["viewports", "threshold"].filter(name => !defaulted.some(field => field === name));
  const chosen = new Set([...Object.keys(own), ...ofBody]);
  const perRoute = mergeRoutes(merged.routes, withoutFields(storedRoutes, chosen), own.perRoute);
  const { perRoute: _perRoute, ...options } = { ...defaults, ...own };
  const whole = { ...options, ...(Object.keys(perRoute).length > 0 && { perRoute }) };
  return { ...merged, options: addNamed(whole, stored, merged.routes) };
}

/** Adds the project's sessions and environments that pages name and that the options don't have. */
export function addNamed(options: RunOptions, stored: Configuration, routes: readonly string[]): RunOptions {
  return addSessions(addEnvironments(options, stored, routes), stored);
}

/** Returns the names of fields of a submission. Options are named one by one. */
export function nameFields(
  fields: readonly string[],
  { options = {} }: Pick<SubmitRun, "options">,
): string[] {
  return fields.flatMap(name => (name === "options" ? Object.keys(options) : [name]));
}

/** Returns the names of the fields that a configuration set. Options are named one by one. */
export function changedFields(before: SubmitRun, after: SubmitRun): string[] {
  const own = new Map<string, unknown>(Object.entries({ ...before, ...before.options }));
  const fields = Object.entries({ ...after, ...after.options }).filter(([name]) => name !== "options");
  return fields
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(own.get(name)))
    .map(([name]) => name);
}

/** Adds environments only to the pages that name them. Other pages keep those of the options. */
function addEnvironments(
  options: RunOptions,
  { environments: stored = {} }: Configuration,
  routes: readonly string[],
): RunOptions {
  const { environments: own = {}, defaultEnvironment = true, perRoute = {} } = options;
  const named = new Set(Object.values(perRoute).flatMap(({ environments = [] }) => environments));
  const added = Object.entries(stored).filter(([name]) => named.has(name) && !Object.hasOwn(own, name));
  if (added.length === 0) return options;
  const before = [...(defaultEnvironment ? [DEFAULT_ENVIRONMENT] : []), ...Object.keys(own)];
  const kept = routes.map(route => [
    route,
    { ...(before.length > 0 && { environments: before }), ...perRoute[route] },
  ]);
  return {
    ...options,
    environments: { ...Object.fromEntries(added), ...own },
    perRoute: { ...perRoute, ...Object.fromEntries(kept) },
  };
}

function addSessions(options: RunOptions, { sessions: stored = {} }: Configuration): RunOptions {
  const ofRoutes = Object.values(options.perRoute ?? {}).map(({ session }) => session);
  const named = new Set([options.session, ...ofRoutes]);
  const added = Object.entries(stored).filter(([name]) => named.has(name));
  if (added.length === 0) return options;
  return { ...options, sessions: { ...Object.fromEntries(added), ...options.sessions } };
}

/** Removes the fields that a submission sets for all of its routes. */
function withoutFields(perRoute: RoutesOptions, chosen: ReadonlySet<string>): RoutesOptions {
  const entries = Object.entries(perRoute).map(([route, fields]) => [
    route,
    Object.fromEntries(Object.entries(fields).filter(([name]) => !chosen.has(name))),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the settings of the run's routes, and of routes that only the submission has, which is its error. */
function mergeRoutes(
  routes: readonly string[],
  stored: RoutesOptions,
  own: RoutesOptions = {},
): RoutesOptions {
  const names = [...new Set([...routes, ...Object.keys(own)])];
  const entries = names.map(route => [route, { ...stored[route], ...own[route] }] as const);
  return Object.fromEntries(entries.filter(([, fields]) => Object.keys(fields).length > 0));
}
