import { isDeepStrictEqual } from "node:util";
import type { MonitorOptions } from "../../shared/contracts/capture-options.ts";
import type { OptionChanges, OptionsView } from "../../shared/contracts/monitors.ts";

/** The options after a change: null, or a list of nothing, takes one away, what is not named stays. */
export function changeOptions(before: MonitorOptions, changes: OptionChanges): MonitorOptions {
  const { colorThreshold, masks, hide, waitForSelector, headers, network, perRoute } = {
    ...before,
    ...changes,
  };
  return {
    ...(typeof colorThreshold === "number" && { colorThreshold }),
    ...(masks?.length && { masks }),
    ...(hide?.length && { hide }),
    ...(waitForSelector && { waitForSelector }),
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    ...(network?.length && { network }),
    ...(perRoute && Object.keys(perRoute).length > 0 && { perRoute }),
  };
}

/** The options as they are shown: of headers the names. */
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

/** Whether screenshots are taken in the same way, however they are compared: else a baseline is of something else. */
export function areTakenAlike(before: MonitorOptions, after: MonitorOptions): boolean {
  return isDeepStrictEqual(takingOf(before), takingOf(after));
}

function takingOf({ colorThreshold: _, perRoute = {}, ...options }: MonitorOptions): object {
  const own = Object.entries(perRoute).flatMap(([route, { colorThreshold: _, threshold: __, ...taking }]) =>
    Object.keys(taking).length > 0 ? [[route, taking]] : [],
  );
  return { options, own: Object.fromEntries(own) };
}

/** Those of the headers that stay as they were when this is changed, by the field in which they are. */
export function keptHeaders(before: MonitorOptions, changes: OptionChanges = {}): string | null {
  if (before.headers && changes.headers === undefined) return "options.headers";
  const areOwn = Object.values(before.perRoute ?? {}).some(({ headers }) => headers);
  return areOwn && changes.perRoute === undefined ? "options.perRoute" : null;
}
