/**
 * `npm run package`: builds the npm package of the command-line tool in `dist/vrs`, as compiled JavaScript
 * with types, and packs it with a bill of materials. `node cli/package/build-package.ts <folder>` builds it
 * elsewhere.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { PACKAGE_ERRORS, PACKAGE_TEXTS } from "../texts/package.ts";
import { ASSETS, LIBRARIES, NODE_VERSIONS, OPTIONAL_PEERS, REPORTER, TOOL } from "./contents.ts";
import { type SourceGraph, sourceGraph } from "./source-graph.ts";
import { writeSbom } from "./write-sbom.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..", "..");

/**
 * Recreates the package in a folder.
 * @throws Error with the compiler's output
 */
export async function buildPackage(folder: string): Promise<void> {
  const libraries = Object.values(LIBRARIES);
  const graph = await sourceGraph([TOOL, REPORTER, ...libraries]);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const settings = compilerSettings(folder);
  await compile([...graph.files, ...settings, "--removeComments"]);
  await compile([...libraries, ...settings, "--declaration", "--emitDeclarationOnly"]);
  await nameCompiledWorkers(folder, graph);
  for (const asset of ASSETS) await cp(join(ROOT, asset), join(folder, asset), { recursive: true });
  await writeFile(join(folder, "package.json"), await manifestOf(graph));
  await cp(join(ROOT, "cli", "package", "README.md"), join(folder, "README.md"));
  await cp(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
}

const compiled = (path: string) => path.replace(/\.ts$/, ".js");

/** `npm run check` checks the types. Here they are only removed. */
function compilerSettings(folder: string): string[] {
  const settings = {
    target: "es2024",
    lib: "es2024,esnext.collection,esnext.iterator,esnext.disposable,dom,dom.iterable",
    module: "nodenext",
    types: "node",
    rootDir: ROOT,
    outDir: folder,
  };
  return [
    "--ignoreConfig",
    "--rewriteRelativeImportExtensions",
    "--verbatimModuleSyntax",
    "--skipLibCheck",
    "--noCheck",
    ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
  ];
}

async function compile(args: string[]): Promise<void> {
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  try {
    // The compiler trusts PWD. With a link in it, the compiler would find no source below `rootDir`, and
    // write beside the sources.
    await run(process.execPath, [compiler, ...args], { cwd: ROOT, env: { ...process.env, PWD: ROOT } });
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(PACKAGE_ERRORS.notCompiled(output), { cause: error });
  }
}

/** Renames references to worker files. The compiler only does this for imports. */
async function nameCompiledWorkers(folder: string, { files }: SourceGraph): Promise<void> {
  for (const file of files.map(each => join(folder, compiled(each)))) {
    const text = await readFile(file, "utf8");
    const named = text.replace(/(new URL\("\.[^"]+)\.ts(", import\.meta\.url\))/g, "$1.js$2");
    if (named !== text) await writeFile(file, named);
  }
}

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** Takes the name and all versions from the root's package.json. */
async function manifestOf({ packages }: SourceGraph): Promise<string> {
  const root = manifestSchema.parse(JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")));
  const dependencies = packages.map(name => {
    const version = root.dependencies[name];
    if (version === undefined) throw new Error(PACKAGE_ERRORS.notADependency(name));
    return [name, version] as const;
  });
  const { name, version, license } = root;
  const manifest = {
    name,
    version,
    description: PACKAGE_TEXTS.description,
    keywords: ["visual regression", "screenshot", "testing"],
    license,
    type: "module",
    bin: { vrs: compiled(TOOL) },
    exports: {
      ...Object.fromEntries(
        Object.entries(LIBRARIES).map(([name, path]) => [
          name,
          { types: `./${path.replace(/\.ts$/, ".d.ts")}`, default: `./${compiled(path)}` },
        ]),
      ),
      "./playwright/reporter": `./${compiled(REPORTER)}`,
      "./package.json": "./package.json",
    },
    files: ["cli", "shared"],
    engines: { node: NODE_VERSIONS },
    dependencies: Object.fromEntries(dependencies),
    peerDependencies: OPTIONAL_PEERS,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(OPTIONAL_PEERS).map(name => [name, { optional: true }]),
    ),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Packs a built folder. @returns the path of the archive */
export async function pack(folder: string, destination: string): Promise<string> {
  await mkdir(destination, { recursive: true });
  const { stdout } = await run("npm", ["pack", folder, "--pack-destination", destination, "--json"]);
  const [{ filename }] = z.tuple([z.object({ filename: z.string() })]).parse(JSON.parse(stdout));
  return join(destination, filename);
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, "dist", "vrs"));
  await buildPackage(folder);
  console.log(await pack(folder, resolve(folder, "..")));
  const sbom = resolve(folder, "..", "sbom.cdx.json");
  await writeSbom(sbom);
  // Standard output has only the package's path, for `cp "$(npm run --silent package)" vrs.tgz`.
  console.error(sbom);
}
