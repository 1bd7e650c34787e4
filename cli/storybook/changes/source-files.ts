import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { mapBounded } from "../../concurrency.ts";
import { ancestorsOf, CommonFiles, readHash } from "./common-files.ts";
import {
  dependenciesOf,
  isInstalled,
  type ModuleGraph,
  packageOf,
  readModules,
} from "./module-graph.rule.ts";

/** Storybook writes it with `--stats-json`, version 7 with `--webpack-stats-json`, too. */
const STATS = "preview-stats.json";
const READ_CONCURRENCY = 32;
/** Files of stories that are tried to find the project's folder. */
const MAX_TRIED = 20;

/**
 * The source files of a build's stories, by the statistics of its bundler. They say which stories a change of a file
 * concerns, also if the bundler puts several components into one file.
 */
export class SourceFiles {
  readonly #project: string;
  /** When the build was made, ms. */
  readonly #builtMs: number;
  readonly #dependencies: ReadonlyMap<string, ReadonlySet<string> | null>;
  /** Hash of what concerns all stories; null if it can't be known. */
  readonly #common: string | null;
  /** Whether the content of a module counts. A lock file names the versions of installed packages. */
  readonly #isRead: (name: string) => boolean;
  readonly #files = new Map<string, Promise<string | null>>();
  readonly #hashes = new Map<string, Promise<string | null>>();

  private constructor(parts: {
    project: string;
    builtMs: number;
    dependencies: ReadonlyMap<string, ReadonlySet<string> | null>;
    common: string | null;
    isRead: (name: string) => boolean;
  }) {
    this.#project = parts.project;
    this.#builtMs = parts.builtMs;
    this.#dependencies = parts.dependencies;
    this.#common = parts.common;
    this.#isRead = parts.isRead;
  }

  /**
   * Reads the statistics of a build.
   * @param folder of the build
   * @param stories their import paths
   * @param roots other folders that may be the project's
   * @returns null without statistics, or if the project's folder isn't on this machine
   */
  static async open(
    folder: string,
    stories: readonly string[],
    roots: readonly string[],
  ): Promise<SourceFiles | null> {
    const path = join(folder, STATS);
    const [text, made] = await Promise.all([readFile(path, "utf8"), stat(path)]).catch(() => ["", null]);
    const graph = typeof text === "string" ? readModules(text) : null;
    const unique = [...new Set(stories)];
    const project = graph && (await findProject([...ancestorsOf(folder), ...roots], unique));
    if (!graph || !project || !made || typeof made === "string") return null;
    const found = await filesIn(graph, project);
    const linked = await linkedPackages(graph, project);
    const dependencies = dependenciesOf(graph, unique, name => isInstalled(name) || found.has(name));
    const builtMs = made.mtimeMs;
    const common = new CommonFiles(project, builtMs);
    await common.read();
    const { hash, isLocked } = common;
    const isRead = (name: string) => !isLocked || !isInstalled(name) || linked.has(packageOf(name));
    return new SourceFiles({ project, builtMs, dependencies, common: hash, isRead });
  }

  /**
   * Returns a hash of all files that the stories of a file depend on. Null if one of them isn't known, or is newer than
   * the build.
   */
  async hashOf(importPath: string): Promise<string | null> {
    const known = this.#hashes.get(importPath) ?? this.#hash(importPath);
    this.#hashes.set(importPath, known);
    return await known;
  }

  async #hash(importPath: string): Promise<string | null> {
    const names = this.#dependencies.get(importPath);
    if (!names || this.#common === null) return null;
    const hash = createHash("sha256").update(this.#common);
    for (const name of [...names].filter(this.#isRead).sort()) {
      const content = await this.#fileHash(name);
      if (content === null) return null;
      hash.update(`\0${name}\0${content}`);
    }
    return hash.digest("hex").slice(0, 16);
  }

  async #fileHash(name: string): Promise<string | null> {
    const known = this.#files.get(name) ?? readHash(resolve(this.#project, name), this.#builtMs);
    this.#files.set(name, known);
    return await known;
  }
}

/** Returns the first folder that has a file of stories. */
async function findProject(folders: readonly string[], stories: readonly string[]): Promise<string | null> {
  for (const folder of folders)
    for (const story of stories.slice(0, MAX_TRIED))
      if (story !== "" && (await isFile(resolve(folder, story)))) return folder;
  return null;
}

async function filesIn(graph: ModuleGraph, project: string): Promise<Set<string>> {
  const names = [...graph.keys()].filter(name => !isInstalled(name));
  const found = await mapBounded(names, READ_CONCURRENCY, name => isFile(resolve(project, name)));
  return new Set(names.filter((_, index) => found[index]));
}

/** Returns the packages that are links to folders of the project, such as those of a workspace. */
async function linkedPackages(graph: ModuleGraph, project: string): Promise<Set<string>> {
  const packages = [...new Set([...graph.keys()].filter(isInstalled).map(packageOf))];
  const real = await mapBounded(packages, READ_CONCURRENCY, name =>
    realpath(resolve(project, name)).catch(() => null),
  );
  return new Set(packages.filter((_, index) => real[index] != null && !isInstalled(`${real[index]}/`)));
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
