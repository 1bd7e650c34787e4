import { z } from "zod";
import { parseJson } from "../../../shared/json.ts";

/** What a module imports, by the names of modules. */
export type ModuleGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** webpack lists the modules that it joined to one below it. */
interface StatsModule {
  name?: string | null | undefined;
  reasons?: { moduleName?: string | null | undefined }[] | undefined;
  modules?: StatsModule[] | undefined;
}

const moduleSchema: z.ZodType<StatsModule> = z.lazy(() =>
  z.object({
    name: z.string().nullish(),
    reasons: z.array(z.object({ moduleName: z.string().nullish() })).optional(),
    modules: z.array(moduleSchema).optional(),
  }),
);
const statsSchema = z.object({ modules: z.array(moduleSchema) });

/**
 * Reads the modules of a `preview-stats.json`, which Storybook writes for Vite and webpack.
 * @returns null for another format
 */
export function readModules(text: string): ModuleGraph | null {
  const parsed = statsSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const graph = new Map<string, Set<string>>();
  const add = (name: string, imported: string | null) => {
    const known = graph.get(name) ?? new Set();
    graph.set(name, known);
    if (imported !== null && imported !== name) known.add(imported);
  };
  const visit = ({ name, reasons = [], modules = [] }: StatsModule, outer: string | null): void => {
    const own = name ? fileNameOf(name) : outer;
    if (own === null) return;
    add(own, null);
    if (outer !== null) add(outer, own);
    for (const { moduleName } of reasons) if (moduleName) add(fileNameOf(moduleName), own);
    for (const joined of modules) visit(joined, own);
  };
  for (const module of parsed.data.modules) visit(module, null);
  return graph;
}

/**
 * Returns the name of a module's file without webpack's loaders, a query, and the number of joined modules: that of
 * `./node_modules/css-loader/index.js!./src/a.css?inline` and `./src/a.css + 2 modules` is `./src/a.css`.
 */
function fileNameOf(module: string): string {
  const file = module
    .slice(module.lastIndexOf("!") + 1)
    .replace(/^\0/, "")
    .replace(/ \+ \d+ modules?$/, "")
    .replace(/\?.*$/s, "");
  return file.replaceAll("\\", "/");
}

/** Returns whether a module belongs to an installed package. */
export function isInstalled(name: string): boolean {
  return /(?:^|\/)(?:node_modules|\.yarn|\.pnp)\//.test(name);
}

/** Returns the folder of the package of an installed module. */
export function packageOf(name: string): string {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(`/${name}`)?.[0].slice(1) ?? name;
}

/**
 * Returns the modules that each file of stories depends on: its own imports, and what every story depends on, such as
 * the preview. Storybook's list of all stories isn't followed: it is a module without a file that imports stories.
 * @param stories names of the files of stories
 * @param isFile whether a module has a file
 * @returns null for files of stories that the graph doesn't have
 */
export function dependenciesOf(
  graph: ModuleGraph,
  stories: readonly string[],
  isFile: (name: string) => boolean,
): Map<string, ReadonlySet<string> | null> {
  const files = new Set(stories);
  const isList = (name: string) =>
    !isFile(name) && [...(graph.get(name) ?? [])].some(each => files.has(each));
  const follow = (from: Iterable<string>): Set<string> => {
    const found = new Set<string>(from);
    for (const name of found) {
      if (isList(name)) continue;
      for (const each of graph.get(name) ?? []) found.add(each);
    }
    return found;
  };
  const imported = new Set([...graph.values()].flatMap(each => [...each]));
  const entries = [...graph.keys()].filter(name => !imported.has(name) && !files.has(name));
  const shared = follow(entries);
  const own = new Map([...files].map(file => [file, graph.has(file) ? follow([file]) : null] as const));
  const reached = new Set([...shared, ...[...own.values()].flatMap(each => [...(each ?? [])])]);
  const fromLists = [...shared].filter(isList).flatMap(name => [...(graph.get(name) ?? [])]);
  for (const name of follow(fromLists)) reached.add(name);
  // Modules that import each other, and that nothing else imports.
  const rest = [...graph.keys()].filter(name => !reached.has(name));
  const all = [...shared, ...rest];
  return new Map([...own].map(([file, each]) => [file, each === null ? null : new Set([...all, ...each])]));
}
