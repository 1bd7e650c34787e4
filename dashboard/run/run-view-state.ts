import type { AppLocation } from "../app-location.ts";

export type RunLocation = Extract<AppLocation, { page: "run" }>;

/** The last view of each run's page in this tab, by run id. */
const locations = new Map<string, RunLocation>();
const toggled = new Map<string, ReadonlySet<string>>();

/** Returns the last view of a run's page, or one without filters. */
export const lastRunLocation = (id: string): RunLocation => locations.get(id) ?? { page: "run", id };

export function saveRunLocation(location: RunLocation): void {
  locations.set(location.id, location);
}

/** Returns the keys of groups and stacks of a run that differ from their initial state. */
export const toggledOf = (id: string): ReadonlySet<string> => toggled.get(id) ?? new Set();

export function saveToggled(id: string, keys: ReadonlySet<string>): void {
  toggled.set(id, keys);
}
