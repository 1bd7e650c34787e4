/** The two sides of a comparison, and what is shown of it. */
export interface CompareView {
  /** As in `GET /v1/compare`. */
  base?: string;
  head?: string;
  baseEnvironment?: string;
  headEnvironment?: string;
  /** Id of the open page. */
  shot?: string;
  mode?: string;
}

const NAMES = ["base", "head", "baseEnvironment", "headEnvironment", "shot", "mode"] as const;

/** Reads a comparison from its URL. */
export function compareView(query: URLSearchParams): CompareView {
  return Object.fromEntries(NAMES.flatMap(name => (query.get(name) ? [[name, query.get(name)]] : [])));
}

/** Returns the values of a comparison for the URL. */
export function compareValues(view: CompareView): Record<string, string | undefined> {
  return Object.fromEntries(NAMES.map(name => [name, view[name]]));
}
