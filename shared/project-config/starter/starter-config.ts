/** The values of a starter file. They are guesses for the user to correct. */
export interface Starter {
  /** URL of the application during development. */
  baseUrl: string;
  routes: readonly string[];
  /** In px. */
  viewports: readonly number[];
  /** Fraction of a page's pixels, 0–1. */
  threshold: number;
  /** Whether vrs is a dependency of the project, so that the file can import its types. */
  hasTypes: boolean;
}

export const DEFAULT_STARTER: Starter = {
  baseUrl: "http://localhost:3000",
  routes: ["/"],
  viewports: [375, 768, 1440],
  threshold: 0.01,
  hasTypes: false,
};

/**
 * Returns the `service.config.ts` of a new project. It imports nothing unless vrs is a dependency of the
 * project.
 */
export function starterConfig({ baseUrl, routes, viewports, threshold, hasTypes }: Starter): string {
  const list = (values: readonly (string | number)[]) =>
    `[${values.map(value => JSON.stringify(value)).join(", ")}]`;
  const fields = `{
  /** URL of your application during development. */
  baseUrl: ${JSON.stringify(baseUrl)},
  /** Pages to check, as paths that start with /. */
  routes: ${list(routes)},
  /** Widths of the viewport, px. */
  viewports: ${list(viewports)},
  /** Fraction of a page's pixels that may change before it needs review: 0.01 is 1%. Smaller changes are minor changes. */
  threshold: ${threshold},
}`;
  if (hasTypes) {
    return `import { defineConfig } from "vrs";

/** Configuration of the visual checks. */
export default defineConfig(${fields});
`;
  }
  return `/** Configuration of the visual checks. */
const config = ${fields};

export default config;
`;
}

/** The starter file of a project without a package.json. */
export const STARTER_CONFIG = starterConfig(DEFAULT_STARTER);
