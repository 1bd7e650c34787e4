import type { OptionChanges, OptionsView } from "../../../shared/contracts/monitors/monitors.ts";
import type { MonitorOptions } from "../../../shared/contracts/runs/capture-options.ts";

/**
 * Returns the options after a change. Null or an empty list removes an option. Options that the change doesn't
 * name stay.
 */
export function changeOptions(before: MonitorOptions, changes: OptionChanges): MonitorOptions {
  const { colorThreshold, masks, hide, waitForSelector, headers, network, clock, random, ...more } = {
    ...before,
    ...changes,
  };
  const { ignoreRegions, perRoute } = more;
  return {
    ...(typeof colorThreshold === "number" && { colorThreshold }),
    ...(masks?.length && { masks }),
    ...(hide?.length && { hide }),
    ...(waitForSelector && { waitForSelector }),
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    ...(network?.length && { network }),
    ...(clock && { clock }),
    ...(random && { random }),
    ...(ignoreRegions?.length && { ignoreRegions }),
    ...(perRoute && Object.keys(perRoute).length > 0 && { perRoute }),
  };
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
