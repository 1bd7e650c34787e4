import { nearestName } from "../text/nearest-name.ts";
import { VARIABLE_WARNINGS } from "./texts.ts";

const OWN = "SERVICE_";
const OF_NATS = "NATS_";

/**
 * Returns a warning for each variable that looks like a setting but is none. NATS servers and tools have
 * their own `NATS_…` variables, so only misspelled ones of these count.
 * @param given names of the set variables
 * @param known names of all settings
 */
export function describeUnknownVariables(given: readonly string[], known: readonly string[]): string[] {
  const isSetting = new Set(known);
  const linked = linkedServices(given);
  return given
    .filter(name => !isSetting.has(name) && !linked.some(prefix => isLink(name, prefix)))
    .toSorted()
    .flatMap(name => {
      const near = closest(name, known);
      if (!name.startsWith(OWN) && !(name.startsWith(OF_NATS) && near?.startsWith(OF_NATS))) return [];
      return [VARIABLE_WARNINGS.unknown(name, near)];
    });
}

/**
 * Returns the most similar setting. Only some settings have the prefix, so it is ignored: `SERVICE_PORT`
 * means `PORT`.
 */
function closest(name: string, known: readonly string[]): string | null {
  const near = nearestName(withoutPrefix(name), known.map(withoutPrefix));
  return known.find(each => withoutPrefix(each) === near) ?? null;
}

function withoutPrefix(name: string): string {
  return name.startsWith(OWN) ? name.slice(OWN.length) : name;
}

/**
 * Returns the variables that Kubernetes sets in a pod for each service of its namespace. A service may be
 * named `service` or `nats`.
 */
function linkedServices(given: readonly string[]): string[] {
  return given.flatMap(name => /^(.+)_SERVICE_HOST$/.exec(name)?.[1] ?? []);
}

function isLink(name: string, prefix: string): boolean {
  return (
    name.startsWith(`${prefix}_SERVICE_`) || name === `${prefix}_PORT` || name.startsWith(`${prefix}_PORT_`)
  );
}
