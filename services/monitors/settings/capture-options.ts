import type { OptionChanges, OptionsView } from "../../../shared/contracts/monitors/monitors.ts";
import { type MonitorOptions, monitorOptionsSchema } from "../../../shared/contracts/runs/capture-options.ts";

/**
 * Returns the options after a change. Null, an empty text, list or object removes an option. Options that the change
 * doesn't name stay.
 */
export function changeOptions(before: MonitorOptions, changes: OptionChanges): MonitorOptions {
  const options = Object.entries({ ...before, ...changes });
  return monitorOptionsSchema.parse(Object.fromEntries(options.filter(([, value]) => !isEmpty(value))));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === "";
}

/** Returns the options as they are shown. Headers show only their names. */
export function viewOfOptions({ headers, perRoute, ...rest }: MonitorOptions): OptionsView {
  return {
    ...rest,
    ...(headers && { headers: Object.keys(headers) }),
    ...(perRoute && {
      perRoute: Object.fromEntries(
        Object.entries(perRoute).map(([route, { headers, ...own }]) => [
          route,
          { ...own, ...(headers && { headers: Object.keys(headers) }) },
        ]),
      ),
    }),
  };
}

/** Returns the field with headers that a change keeps. Null if the change keeps none. */
export function keptHeaders(before: MonitorOptions, changes: OptionChanges = {}): string | null {
  if (before.headers && changes.headers === undefined) return "options.headers";
  const areOwn = Object.values(before.perRoute ?? {}).some(
    ({ headers = {} }) => Object.keys(headers).length > 0,
  );
  return areOwn && changes.perRoute === undefined ? "options.perRoute" : null;
}
