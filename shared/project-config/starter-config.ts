/** What a starter file says, and all of it a guess to be corrected. */
export interface Starter {
  /** Address of the application where it is developed. */
  baseUrl: string;
  routes: readonly string[];
  /** px */
  viewports: readonly number[];
  /** Whether vrs is a dependency of the project, so that the file may import its types. */
  hasTypes: boolean;
}

export const DEFAULT_STARTER: Starter = {
  baseUrl: "http://localhost:3000",
  routes: ["/"],
  viewports: [375, 768, 1440],
  hasTypes: false,
};

/** `service.config.ts` of a project that has none yet. Unless vrs is among the project's dependencies it imports nothing. */
export function starterConfig({ baseUrl, routes, viewports, hasTypes }: Starter): string {
  const list = (values: readonly (string | number)[]) =>
    `[${values.map(value => JSON.stringify(value)).join(", ")}]`;
  const fields = `{
  /** Where the application is while you work on it. */
  baseUrl: ${JSON.stringify(baseUrl)},
  /** Pages, as paths that start with /. */
  routes: ${list(routes)},
  /** Widths of the browser's window, px. */
  viewports: ${list(viewports)},
  /** Fraction of a page's pixels that may change before it needs a review: 0.01 is 1 %. Less than that is a minor change. */
  threshold: 0.01,
}`;
  if (hasTypes) {
    return `import { defineConfig } from "vrs";

/** What the visual checks look at. */
export default defineConfig(${fields});
`;
  }
  return `/** What the visual checks look at. */
const config = ${fields};

export default config;
`;
}

/** That of a project of which nothing is known. */
export const STARTER_CONFIG = starterConfig(DEFAULT_STARTER);
