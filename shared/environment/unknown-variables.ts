import { nearestName } from "../project-config/nearest-name.ts";
import { VARIABLE_WARNINGS } from "./texts.ts";

const OWN = "SERVICE_";
const OF_NATS = "NATS_";

/**
 * Returns a warning for each variable that looks like a setting and is none. Of `NATS_…`, which a NATS server and its
 * tools have variables of too, only those that look misspelled.
 * @param given names of the variables that are set
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

/** Told apart without the prefix, which some settings have and some have not: `SERVICE_PORT` is meant to be `PORT`. */
function closest(name: string, known: readonly string[]): string | null {
  const near = nearestName(withoutPrefix(name), known.map(withoutPrefix));
  return known.find(each => withoutPrefix(each) === near) ?? null;
}

function withoutPrefix(name: string): string {
  return name.startsWith(OWN) ? name.slice(OWN.length) : name;
}

/** Kubernetes gives a pod variables of each service in its namespace, which may be named `service` or `nats`. */
function linkedServices(given: readonly string[]): string[] {
  return given.flatMap(name => /^(.+)_SERVICE_HOST$/.exec(name)?.[1] ?? []);
}

function isLink(name: string, prefix: string): boolean {
  return (
    name.startsWith(`${prefix}_SERVICE_`) || name === `${prefix}_PORT` || name.startsWith(`${prefix}_PORT_`)
  );
}
