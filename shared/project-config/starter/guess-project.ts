import { z } from "zod";
import { parseJson } from "../../json.ts";
import { DEFAULT_STARTER, type Starter } from "./starter-config.ts";
import type { Starting } from "./starter-workflow.ts";

/** The properties of a project that its files reveal. */
export interface Guess {
  /** Display name, such as `Next.js`. Null if none was recognized. */
  framework: string | null;
  baseUrl: string;
  /** How a workflow starts it. Null if it has no script for that. */
  starting: Starting | null;
  /** Installs its dependencies, such as `npm ci`. */
  install: string;
  /** Whether vrs is among its dependencies. */
  hasVrs: boolean;
}

/** The fields of a package.json that are read. */
export interface Manifest {
  scripts: Record<string, string>;
  /** Names of all dependencies. */
  dependencies: ReadonlySet<string>;
}

/** Development server ports by package. Frameworks come before what they are built on. */
const FRAMEWORKS: readonly [dependency: string, framework: string, port: number][] = [
  ["next", "Next.js", 3000],
  ["nuxt", "Nuxt", 3000],
  ["@sveltejs/kit", "SvelteKit", 5173],
  ["astro", "Astro", 4321],
  ["gatsby", "Gatsby", 8000],
  ["@angular/core", "Angular", 4200],
  ["@docusaurus/core", "Docusaurus", 3000],
  ["vitepress", "VitePress", 5173],
  ["@11ty/eleventy", "Eleventy", 8080],
  ["@react-router/dev", "React Router", 5173],
  ["@vue/cli-service", "Vue CLI", 8080],
  ["react-scripts", "Create React App", 3000],
  ["vite", "Vite", 5173],
  ["parcel", "Parcel", 1234],
];

const DEFAULT_PORT = 3000;
const SCRIPTS = ["dev", "start", "serve", "develop"];

/** Install commands of package managers, by their lock file. */
const MANAGERS: readonly [lock: string, install: string, run: string][] = [
  ["pnpm-lock.yaml", "corepack enable && pnpm install --frozen-lockfile", "pnpm run"],
  ["yarn.lock", "corepack enable && yarn install --immutable", "yarn run"],
  ["package-lock.json", "npm ci", "npm run"],
];
const NO_LOCK = ["", "npm install", "npm run"] as const;

/**
 * Guesses a project's properties from its package.json and the files next to it.
 * @param manifest null if there is none
 */
export function guessProject(manifest: Manifest | null, files: ReadonlySet<string>): Guess {
  const { scripts, dependencies } = manifest ?? { scripts: {}, dependencies: new Set<string>() };
  const [, framework = null, usual = DEFAULT_PORT] =
    FRAMEWORKS.find(([dependency]) => dependencies.has(dependency)) ?? [];
  const script = SCRIPTS.find(name => scripts[name] !== undefined);
  const port = portOf(script === undefined ? "" : (scripts[script] ?? "")) ?? usual;
  const [, install, run] = MANAGERS.find(([lock]) => files.has(lock)) ?? NO_LOCK;
  return {
    framework,
    baseUrl: `http://localhost:${port}`,
    starting: script === undefined ? null : { install, start: `${run} ${script}` },
    install,
    hasVrs: dependencies.has("vrs"),
  };
}

/** Returns the port in a script, as in `--port 4000`, `-p 4000`, or `PORT=4000`. */
function portOf(script: string): number | null {
  const [, port] = /(?:--port[= ]|-p[= ]?|\bPORT=)(\d{2,5})\b/.exec(script) ?? [];
  return port !== undefined && Number(port) < 65_536 ? Number(port) : null;
}

/** Returns the starter configuration of a project, from its files. */
export function starterOf({ baseUrl, hasVrs }: Guess): Starter {
  return { ...DEFAULT_STARTER, baseUrl, hasTypes: hasVrs };
}

const names = z.record(z.string(), z.string()).default({}).catch({});
const manifestSchema = z.object({ scripts: names, dependencies: names, devDependencies: names });

/** Reads a package.json. Returns null if the text is none. */
export function parseManifest(text: string): Manifest | null {
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { scripts, dependencies, devDependencies } = parsed.data;
  return { scripts, dependencies: new Set(Object.keys({ ...dependencies, ...devDependencies })) };
}
