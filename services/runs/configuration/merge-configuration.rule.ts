import type { RunOptions } from "../../../shared/contracts/runs/capture-options.ts";
import { type Configuration, optionsOfConfiguration } from "../../../shared/contracts/runs/configuration.ts";
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
  return {
    ...merged,
    options: addSessions({ ...options, ...(Object.keys(perRoute).length > 0 && { perRoute }) }, stored),
  };
}

/** Adds the project's sessions that options name and don't have. */
export function addSessions(options: RunOptions, { sessions: stored = {} }: Configuration): RunOptions {
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
