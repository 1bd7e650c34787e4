import { useSyncExternalStore } from "react";
import type { AppLocation } from "../app-location.ts";

/** A named list with filters, stored in the browser. */
export interface SavedFilter {
  name: string;
  /** Address relative to the service, such as `runs?needsReview=1`. */
  address: string;
}

/** The lists whose filters can be saved. */
export type FilteredList = Extract<AppLocation, { page: "runs" | "monitors" }>;

/** By team. */
type AllFilters = Readonly<Record<string, readonly SavedFilter[]>>;

const STORAGE_KEY = "vrs-filters";
const NONE: readonly SavedFilter[] = [];
export const FILTER_BOUNDS = { perTeam: 20, nameChars: 60, addressChars: 2_000 } as const;

const listeners = new Set<() => void>();
/** Parsed once for each text, because React needs the same object until something changes. */
let parsed: { text: string | null; all: AllFilters } = { text: null, all: {} };

/** Returns the saved filters of a team, in the order of their names. */
export function useSavedFilters(teamId: string): readonly SavedFilter[] {
  return useSyncExternalStore(subscribe, () => readAll()[teamId] ?? NONE);
}

/** Saves a filter. It replaces one of the same name or the same address. */
export function saveFilter(teamId: string, filter: SavedFilter): void {
  write(teamId, withFilter(readAll()[teamId] ?? NONE, filter));
}

export function removeFilter(teamId: string, { address }: SavedFilter): void {
  write(
    teamId,
    (readAll()[teamId] ?? NONE).filter(saved => saved.address !== address),
  );
}

/** Returns filters with one more. The first ones by name stay if there are too many. */
export function withFilter(saved: readonly SavedFilter[], filter: SavedFilter): SavedFilter[] {
  const others = saved.filter(({ name, address }) => name !== filter.name && address !== filter.address);
  return [...others.slice(0, FILTER_BOUNDS.perTeam - 1), filter].toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
}

/** Parses stored filters, and keeps the valid ones. */
export function filtersIn(text: string | null): AllFilters {
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? "null");
  } catch {
    return {};
  }
  if (typeof stored !== "object" || stored === null) return {};
  const teams = Object.entries(stored).map(([team, filters]) => [
    team,
    Array.isArray(filters) ? filters.filter(isSavedFilter).slice(0, FILTER_BOUNDS.perTeam) : [],
  ]);
  return Object.fromEntries(teams);
}

function isSavedFilter(value: unknown): value is SavedFilter {
  if (typeof value !== "object" || value === null) return false;
  const isText = (text: unknown, most: number) =>
    typeof text === "string" && text !== "" && text.length <= most;
  return (
    "name" in value &&
    "address" in value &&
    isText(value.name, FILTER_BOUNDS.nameChars) &&
    isText(value.address, FILTER_BOUNDS.addressChars)
  );
}

function readAll(): AllFilters {
  const text = localStorage.getItem(STORAGE_KEY);
  if (text !== parsed.text) parsed = { text, all: filtersIn(text) };
  return parsed.all;
}

function write(teamId: string, filters: readonly SavedFilter[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readAll(), [teamId]: filters }));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Other tabs tell this one.
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}
