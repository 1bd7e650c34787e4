import type { Place } from "../place.ts";

export type RunPlace = Extract<Place, { page: "run" }>;

/** How the pages of runs were left in this tab, by the runs' ids. */
const places = new Map<string, RunPlace>();
const toggled = new Map<string, ReadonlySet<string>>();

/** The page of a run as it was left; narrowed to nothing where it was not looked at yet. */
export const runPlace = (id: string): RunPlace => places.get(id) ?? { page: "run", id };

export function keepRunPlace(place: RunPlace): void {
  places.set(place.id, place);
}

/** The groups and stacks of a run that are not folded as they are at first, by their keys. */
export const toggledOf = (id: string): ReadonlySet<string> => toggled.get(id) ?? new Set();

export function keepToggled(id: string, keys: ReadonlySet<string>): void {
  toggled.set(id, keys);
}
