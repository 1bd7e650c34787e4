import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import module, { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Resolves `import … from "vrs"` in a configuration, if the project has no vrs. */
const OWN_ENTRY = fileURLToPath(new URL("../package/index.ts", import.meta.url));

/** Errors of Node's module loader, not of the module itself. */
const LOADER_ERROR =
  /^ERR_(MODULE_NOT_FOUND|UNKNOWN_FILE_EXTENSION|UNSUPPORTED|PACKAGE|INVALID_TYPESCRIPT|REQUIRE|IMPORT)|^MODULE_NOT_FOUND$/;

/** Parameter of the URLs of modules that are run again. Node runs a module once for each URL. */
const RELOAD = "vrs-reload";
/** Times of the last changes, ms, of the configurations and of what they import from the project, by path. */
const loaded = new Map<string, number>();
let reloads = 0;
let isHooked = false;

/**
 * Runs a configuration file and returns its default export. Node loads most files itself, which is fast. jiti
 * loads the others: enums, imports without an extension, projects without vrs. A file runs again, with the modules of
 * the project that it imports, if one of them has changed since.
 * @throws errors of the file, or why it can't be loaded
 */
export async function importConfig(file: string): Promise<unknown> {
  noteImports();
  if ([...loaded].some(([path, changedMs]) => changedAtMs(path) !== changedMs)) forgetModules();
  loaded.set(file, changedAtMs(file));
  try {
    return await runConfig(file);
  } catch (error) {
    // What it lacks may not be a file that it has loaded.
    loaded.set(file, Number.NaN);
    throw error;
  }
}

async function runConfig(file: string): Promise<unknown> {
  const url = pathToFileURL(file);
  if (reloads > 0) url.searchParams.set(RELOAD, String(reloads));
  if (!(await isReadAsCommonJs(file))) {
    try {
      return defaultOf(await quietly(() => import(url.href)));
    } catch (error) {
      if (!isOfTheLoader(file, error)) throw error;
    }
  }
  const { createJiti } = await import("jiti");
  const jiti = createJiti(file, { alias: { vrs: OWN_ENTRY }, moduleCache: false });
  return defaultOf(await jiti.import(file));
}

/** Returns when a file changed, ms; 0 for none. */
function changedAtMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Lets the next modules run again. CommonJS has a cache of its own. */
function forgetModules(): void {
  const { cache } = createRequire(import.meta.url);
  for (const path of Object.keys(cache).filter(isOfProject)) delete cache[path];
  loaded.clear();
  reloads += 1;
}

/** From here on, modules that configurations import from the project are noted, and have their configuration's parameter. */
function noteImports(): void {
  if (isHooked) return;
  isHooked = true;
  // Node 23 has it only since 23.5. Without it, only the configuration itself is read again.
  module.registerHooks?.({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const parent = URL.parse(context.parentURL ?? "");
      const url = URL.parse(resolved.url);
      if (parent?.protocol !== "file:" || url?.protocol !== "file:") return resolved;
      if (!loaded.has(fileURLToPath(parent)) || !isOfProject(url.pathname)) return resolved;
      loaded.set(fileURLToPath(url), changedAtMs(fileURLToPath(url)));
      if (reloads > 0) url.searchParams.set(RELOAD, String(reloads));
      return { ...resolved, url: url.href };
    },
  });
}

const isOfProject = (path: string) => !/[\\/]node_modules[\\/]/.test(path);

/**
 * Returns whether Node treats the file as CommonJS, as `npm init` sets it up. For an `export` in such a file,
 * Node prints a warning before it fails.
 */
async function isReadAsCommonJs(file: string): Promise<boolean> {
  if (!/\.[jt]s$/.test(file)) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
    if (manifest !== null) return /"type"\s*:\s*"commonjs"/.test(manifest);
    if (dirname(folder) === folder) return false;
  }
}

function defaultOf(module: unknown): unknown {
  if (typeof module !== "object" || module === null || !("default" in module)) return undefined;
  const given = module.default;
  // TypeScript's output for CommonJS: a module within the module.
  if (typeof given === "object" && given !== null && "__esModule" in given && "default" in given) {
    return given.default;
  }
  return given;
}

function isOfTheLoader(file: string, error: unknown): boolean {
  if (error instanceof SyntaxError) return !isThrownBy(file, error);
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") return LOADER_ERROR.test(error.code);
  return (
    error instanceof ReferenceError && /^(require|module|exports|__dirname|__filename) /.test(error.message)
  );
}

/** Errors of JSON that the file reads look alike. Running the file again would repeat its side effects. */
function isThrownBy(file: string, { stack = "" }: Error): boolean {
  return stack.split("\n").some(line => /^\s+at /.test(line) && line.includes(basename(file)));
}

/** Node's warnings about how it reads a file don't concern users, who didn't choose it. */
const LOADER_WARNING = /MODULE_TYPELESS_PACKAGE_JSON|Type Stripping|ExperimentalWarning/;

async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!LOADER_WARNING.test([warning, ...rest.map(part => JSON.stringify(part))].join(" "))) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  try {
    return await work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
