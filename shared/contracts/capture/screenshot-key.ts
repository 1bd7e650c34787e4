import { DEFAULT_ENVIRONMENT } from "./environment.ts";

/** What identifies a screenshot within its project. Each one has one baseline per branch. */
export interface ScreenshotKey {
  route: string;
  /** Name of the state that a step captured; null for the page's own screenshot. */
  state: string | null;
  /** Name of the environment; null for the default one. */
  environment: string | null;
  /** Width, px. */
  viewport: number;
}

/** Returns whether the name of a page is the path of a captured one. Names of uploaded screenshots have no slash first. */
export function isRoute(name: string): boolean {
  return name.startsWith("/");
}

/** Returns the key as a map key. */
export function keyOf({ route, state, environment, viewport }: ScreenshotKey): string {
  return JSON.stringify([route, state ?? "", environment ?? "", viewport]);
}

/** A page in texts. The title and name of a story say more than its id. */
export type NamedPage = Omit<ScreenshotKey, "viewport"> & {
  story?: { title: string; name: string } | undefined;
};

/** Returns the name of a page in texts: `/pricing`, `/pricing › menu open`, `/pricing › menu open (dark)`. */
export function pageName(page: NamedPage): string {
  const { route, state, environment } = pageNameParts(page);
  return route + state + environment;
}

/** Returns the parts of a page's name, for lines that may be too short for all. Two of them can be empty. */
export function pageNameParts({ route: key, state, environment, story }: NamedPage) {
  const route = story ? `${story.title}/${story.name}` : key;
  // Services of earlier versions send neither, so both can be undefined.
  return { route, state: state ? ` › ${state}` : "", environment: environment ? ` (${environment})` : "" };
}

/** Returns the name of an environment in texts. */
export function environmentLabel(environment: string | null): string {
  return environment ?? DEFAULT_ENVIRONMENT;
}
