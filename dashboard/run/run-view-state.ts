import type { Place } from "../place.ts";

export type RunPlace = Extract<Place, { page: "run" }>;

/** The last view of each run's page in this tab, by run id. */
const places = new Map<string, RunPlace>();
const toggled = new Map<string, ReadonlySet<string>>();

/** Returns the last view of a run's page, or one without filters. */
export const runPlace = (id: string): RunPlace => places.get(id) ?? { page: "run", id };

export function keepRunPlace(place: RunPlace): void {
  places.set(place.id, place);
}

/** Returns the keys of groups and stacks of a run that differ from their initial state. */
export const toggledOf = (id: string): ReadonlySet<string> => toggled.get(id) ?? new Set();

export function keepToggled(id: string, keys: ReadonlySet<string>): void {
  toggled.set(id, keys);
}
