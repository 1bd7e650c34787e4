import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";

/** A page of a monitor, and one of its looks. */
export interface Moment extends ScreenshotKey {
  /** Id of the look. Absent for the current one. */
  look?: string;
}

/** Reads a moment from the URL of a monitor. Undefined without one. */
export function momentIn(query: URLSearchParams): Moment | undefined {
  const [route, look] = [query.get("route"), query.get("look")];
  const viewport = Number(query.get("viewport"));
  if (!route || !Number.isSafeInteger(viewport) || viewport < 1) return undefined;
  const variant = { state: query.get("state") || null, environment: query.get("environment") || null };
  return { route, ...variant, viewport, ...(look && { look }) };
}

/** Returns the values of a moment for the URL. */
export function momentValues(moment: Moment | undefined): Record<string, string | undefined> {
  if (!moment) return {};
  const { route, state, environment, viewport, look } = moment;
  return {
    ...{ look, route, viewport: String(viewport) },
    ...{ state: state ?? undefined, environment: environment ?? undefined },
  };
}
