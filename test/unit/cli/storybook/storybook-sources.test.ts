import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { dependenciesOf, readModules } from "../../../../cli/storybook/changes/module-graph.rule.ts";
import { changesBuild } from "../../../../cli/storybook/changes/project-files.rule.ts";
import { SourceFiles } from "../../../../cli/storybook/changes/source-files.ts";
import { ChangeDetector } from "../../../../shared/storybook/changes/change-detector.ts";

/** A module of Vite's statistics. */
const module = (name: string, ...importers: string[]) => ({
  ...{ id: name, name, reasons: importers.map(moduleName => ({ moduleName })) },
});
const LIST = "/virtual:/@storybook/builder-vite/storybook-stories.js";
const VITE = [
  module("./iframe.html", "./iframe.html"),
  module(LIST, "./iframe.html"),
  module("./src/a.stories.jsx", LIST),
  module("./src/b.stories.jsx", LIST),
  module("./src/docs.mdx", LIST),
  module("./src/only-docs.js", "./src/docs.mdx"),
  module("./src/a.jsx", "./src/a.stories.jsx"),
  module("./src/b.jsx?used", "./src/b.stories.jsx"),
  module("./src/shared.js", "./src/a.jsx", "./src/b.jsx"),
  module("./src/theme.css", "./.storybook/preview.js"),
  module("./node_modules/kit/index.js", "./src/a.jsx"),
];

describe("the modules of a build", () => {
  const STORIES = ["./src/a.stories.jsx", "./src/b.stories.jsx"];
  const isFile = (name: string) => name.startsWith("./src/") && !name.includes(" ");
  const namesOf = (stats: unknown, story: string) => {
    const graph = readModules(JSON.stringify({ modules: stats }));
    assert.ok(graph);
    const found = dependenciesOf(graph, STORIES, isFile).get(story);
    return found && [...found].filter(name => isFile(name)).sort();
  };

  it("of Vite belong to the stories that import them, and those of the preview to all", () => {
    assert.deepEqual(namesOf(VITE, "./src/a.stories.jsx"), [
      "./src/a.jsx",
      "./src/a.stories.jsx",
      "./src/shared.js",
      "./src/theme.css",
    ]);
    assert.deepEqual(namesOf(VITE, "./src/b.stories.jsx"), [
      "./src/b.jsx",
      "./src/b.stories.jsx",
      "./src/shared.js",
      "./src/theme.css",
    ]);
  });

  it("of webpack are read through its lists of files, its loaders, and joined modules", () => {
    const context = "./src/ lazy ^\\.\\/.*$ include: (?:\\.stories\\.jsx)$ namespace object";
    const webpack = [
      {
        ...module("./storybook-config-entry.js + 2 modules"),
        modules: [
          module("./storybook-config-entry.js"),
          module("./src/theme.css", "./storybook-config-entry.js"),
        ],
      },
      module(context, "./storybook-config-entry.js + 2 modules"),
      module("./src/b.stories.jsx", context),
      {
        ...module("./src/a.stories.jsx + 1 modules", context),
        modules: [module("./src/a.stories.jsx"), module("./src/a.jsx", "./src/a.stories.jsx")],
      },
      module("./node_modules/css-loader/index.js!./src/a.css", "./src/a.stories.jsx + 1 modules"),
    ];
    assert.deepEqual(namesOf(webpack, "./src/a.stories.jsx"), [
      "./src/a.css",
      "./src/a.jsx",
      "./src/a.stories.jsx",
      "./src/theme.css",
    ]);
    assert.deepEqual(namesOf(webpack, "./src/b.stories.jsx"), ["./src/b.stories.jsx", "./src/theme.css"]);
  });

  it("belong to all stories if only each other imports them", () => {
    const cycle = [module("./src/x.js", "./src/y.js"), module("./src/y.js", "./src/x.js")];
    assert.ok(namesOf([...VITE, ...cycle], "./src/a.stories.jsx")?.includes("./src/x.js"));
  });

  it("are unknown for a story that isn't among them, and for other formats", () => {
    assert.equal(namesOf([module("./iframe.html")], "./src/a.stories.jsx"), null);
    assert.equal(readModules("{"), null);
    assert.equal(readModules('{"modules":[{"name":1}]}'), null);
  });
});

describe("the source files of stories", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "vrs-sources-"));
    for (const name of ["a.stories.jsx", "b.stories.jsx", "a.jsx", "b.jsx", "shared.js", "theme.css"])
      await write(`src/${name}`, name);
    await write(".storybook/preview.js", "");
    await write("package.json", '{ "version": "1.0.0", "dependencies": {} }');
    await write("package-lock.json", "{}");
    await write("node_modules/kit/index.js", "kit");
    await build();
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function write(name: string, text: string): Promise<void> {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    // Earlier than the build.
    await utimes(path, 1_000, 1_000);
  }

  async function build(modules: unknown = VITE): Promise<void> {
    await mkdir(join(root, "out"), { recursive: true });
    await writeFile(join(root, "out/preview-stats.json"), JSON.stringify({ modules }));
  }

  async function hashes(): Promise<(string | null)[]> {
    const stories = ["./src/a.stories.jsx", "./src/b.stories.jsx"];
    const sources = await SourceFiles.open(join(root, "out"), stories, []);
    assert.ok(sources);
    return await Promise.all(stories.map(story => sources.hashOf(story)));
  }

  /** Returns which of the two files of stories have other sources after a change. */
  async function changedBy(change: () => Promise<void>): Promise<string> {
    const before = await hashes();
    assert.ok(before.every(hash => hash !== null));
    await change();
    const after = await hashes();
    return ["a", "b"].filter((_, index) => before[index] !== after[index]).join("");
  }

  it("change with a file that only one of them imports", async () => {
    assert.equal(await changedBy(() => write("src/a.jsx", "changed")), "a");
  });

  it("change with a file that both of them or the preview import", async () => {
    assert.equal(await changedBy(() => write("src/shared.js", "changed")), "ab");
    assert.equal(await changedBy(() => write("src/theme.css", "changed")), "ab");
  });

  it("change with renamed, deleted and added files", async () => {
    const renamed = async () => {
      await rename(join(root, "src/a.jsx"), join(root, "src/new.jsx"));
      await build(JSON.parse(JSON.stringify(VITE).replaceAll("./src/a.jsx", "./src/new.jsx")));
    };
    assert.equal(await changedBy(renamed), "a");
    await rename(join(root, "src/new.jsx"), join(root, "src/a.jsx"));
    await build();
    assert.equal(await changedBy(() => rm(join(root, "src/b.jsx"))), "b");
    const added = async () => {
      await write("src/added.js", "");
      await build([...VITE, module("./src/added.js", "./src/b.stories.jsx")]);
    };
    assert.equal(await changedBy(added), "b");
  });

  it("change with the lock file, Storybook's configuration, tools of the build, and patches", async () => {
    for (const name of [
      ...["package-lock.json", ".storybook/main.js", ".storybook/new/theme.js", "vite.config.js"],
      ...["tsconfig.app.json", ".env", "patches/kit.patch"],
    ])
      assert.equal(await changedBy(() => write(name, "changed")), "ab", name);
    const dependency = '{ "version": "1.0.0", "dependencies": { "kit": "2" } }';
    assert.equal(await changedBy(() => write("package.json", dependency)), "ab");
  });

  it("change with the lock file of the repository around the project", async () => {
    await mkdir(join(root, ".git"));
    const outer = root;
    root = join(outer, "packages/library");
    await mkdir(root, { recursive: true });
    for (const name of ["src", ".storybook", "out"]) await rename(join(outer, name), join(root, name));
    assert.equal(await changedBy(() => writeLock(outer)), "ab");
    root = outer;
  });
  async function writeLock(folder: string): Promise<void> {
    await writeFile(join(folder, "package-lock.json"), '{ "changed": true }');
    await utimes(join(folder, "package-lock.json"), 1_000, 1_000);
  }

  it("stay the same after a release, and after changes of other files and tools", async () => {
    const released = '{ "version": "2.0.0", "scripts": { "x": "y" }, "dependencies": {} }';
    assert.equal(await changedBy(() => write("package.json", released)), "");
    for (const name of ["src/only-docs.js", "eslint.config.js", "service.config.ts", "README.md"])
      assert.equal(await changedBy(() => write(name, "changed")), "", name);
  });

  it("count files of packages without a lock file, and of packages that are links", async () => {
    assert.equal(await changedBy(() => write("node_modules/kit/index.js", "changed")), "");
    await rename(join(root, "node_modules/kit"), join(root, "kit"));
    await symlink(join(root, "kit"), join(root, "node_modules/kit"));
    assert.equal(await changedBy(() => write("kit/index.js", "linked")), "a");
    await rm(join(root, "node_modules/kit"));
    await rename(join(root, "kit"), join(root, "node_modules/kit"));
    await rm(join(root, "package-lock.json"));
    assert.equal(await changedBy(() => write("node_modules/kit/index.js", "unlocked")), "a");
  });

  it("are unknown if one of them is newer than the build", async () => {
    const later = new Date(Date.now() + 60_000);
    await utimes(join(root, "src/a.jsx"), later, later);
    const [a, b] = await hashes();
    assert.equal(a, null);
    assert.ok(b);
    await utimes(join(root, "package-lock.json"), later, later);
    assert.deepEqual(await hashes(), [null, null]);
  });

  it("are unknown without statistics, a project, or Storybook's configuration", async () => {
    await rm(join(root, ".storybook"), { recursive: true });
    assert.deepEqual(await hashes(), [null, null]);
    assert.equal(await SourceFiles.open(join(root, "out"), ["./src/none.stories.jsx"], []), null);
    await writeFile(join(root, "out/preview-stats.json"), "[]");
    assert.equal(await SourceFiles.open(join(root, "out"), ["./src/a.stories.jsx"], []), null);
    await rm(join(root, "out/preview-stats.json"));
    assert.equal(await SourceFiles.open(join(root, "out"), ["./src/a.stories.jsx"], []), null);
  });
});

describe("files that concern all stories", () => {
  it("are lock files and the configuration of builds", () => {
    assert.equal(changesBuild("pnpm-lock.yaml"), "lock");
    for (const name of ["tailwind.config.ts", "unknown.config.mjs", ".babelrc", "angular.json", ".env.local"])
      assert.equal(changesBuild(name), "configuration", name);
    for (const name of ["vitest.config.ts", "jest.config.js", "index.js", "tsconfig.md"])
      assert.equal(changesBuild(name), null, name);
  });
});

describe("finding out whether stories changed", () => {
  const detect = async (
    loaded: Record<string, string>,
    recorded: { sources?: string | undefined },
    sources: string | null = null,
  ) => {
    const built: Record<string, string> = { "assets/a-#.js": "new", "logo.svg": "same", "theme.css": "same" };
    const detector = new ChangeDetector({
      records: { files: [{ id: "set", loaded }] },
      build: { hasHash: async (name, hash) => built[name] === hash },
      sources: { hashOf: async () => sources },
    });
    return await detector.isUnchanged({ files: "set", ...recorded }, "./a.stories.js");
  };

  it("takes equal sources as proof, although a file of the bundler changed", async () => {
    assert.ok(await detect({ "assets/a-#.js": "old" }, { sources: "s" }, "s"));
    assert.ok(!(await detect({ "assets/a-#.js": "old" }, { sources: "s" }, "other")));
    assert.ok(!(await detect({ "assets/a-#.js": "old" }, { sources: "s" }, null)));
    assert.ok(!(await detect({ "assets/a-#.js": "old" }, {}, null)));
  });

  it("takes equal files of the build as proof, although a source changed", async () => {
    assert.ok(await detect({ "assets/a-#.js": "new" }, { sources: "s" }, "other"));
  });

  it("notices static files that the bundler doesn't know", async () => {
    for (const name of ["logo.svg", "theme.css", "gone.png"])
      assert.ok(!(await detect({ [name]: "old" }, { sources: "s" }, "s")), name);
    assert.ok(await detect({ "logo.svg": "same" }, { sources: "s" }, "s"));
  });
});
