const LOCKS = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
]);

/** Configuration of compilers, bundlers and style tools. Unknown tools count, too. */
const CONFIGURATION =
  /^(?:package\.json|[tj]sconfig.*\.json|\.env.*|\.babelrc.*|\.swcrc|\.browserslistrc|\.postcssrc.*|angular\.json|project\.json|.+\.config\.(?:[cm]?[jt]s|json))$/;
/** Tools that don't take part in a build. */
const OTHER_TOOLS =
  /^(?:service|eslint|prettier|stylelint|jest|vitest|playwright|cypress|wdio|commitlint|lint-staged|release|knip|lostpixel|backstop)\./;

/** Fields of `package.json` that change no build. */
const UNRELATED = new Set([
  ...["version", "description", "keywords", "author", "contributors", "license", "homepage", "bugs"],
  ...["repository", "funding", "scripts", "files", "private", "publishConfig", "lint-staged", "husky"],
]);

/** Returns whether a file in a project's folder concerns all stories: a lock file, or configuration. */
export function changesBuild(name: string): "lock" | "configuration" | null {
  if (LOCKS.has(name)) return "lock";
  return CONFIGURATION.test(name) && !OTHER_TOOLS.test(name) ? "configuration" : null;
}

/** Returns the fields of a `package.json` that may change a build, as text; null if it is none. */
export function packageFields(content: unknown): string | null {
  if (typeof content !== "object" || content === null) return null;
  const fields = Object.entries(content).filter(([name]) => !UNRELATED.has(name));
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
