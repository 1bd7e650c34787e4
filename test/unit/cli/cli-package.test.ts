import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { LIBRARIES, REPORTER, TOOL } from "../../../cli/package/contents.ts";
import { type Lock, pruneLock } from "../../../cli/package/prune-lock.ts";
import { sourceGraph } from "../../../cli/package/source-graph.ts";

/** All dependencies of the package. Think twice before you add one. */
const PACKAGES = [
  "@modelcontextprotocol/server",
  "@sparticuz/chromium",
  "commander",
  "eventsource-parser",
  "ipaddr.js",
  "jiti",
  "lru-cache",
  "mrmime",
  "oxc-parser",
  "piscina",
  "pixelmatch",
  "playwright",
  "sharp",
  "string-width",
  "tar-fs",
  "tar-stream",
  "ws",
  "yaml",
  "yauzl",
  "zod",
];

describe("the package of the tool", () => {
  it("needs only these npm packages, and none of the service", async () => {
    const { files, packages } = await sourceGraph([TOOL, REPORTER, ...Object.values(LIBRARIES)]);
    assert.deepEqual(packages, PACKAGES);
    assert.deepEqual(
      files.filter(file => !/^(cli|shared)\//.test(file) || file.endsWith("shared/config.ts")),
      [],
    );
  });

  it("has files of threads and processes, and lazy imports", async () => {
    const { files } = await sourceGraph([TOOL]);
    for (const file of [
      "shared/compare/compare-worker.ts",
      "shared/project-config/static-reading/source-process.ts",
      "cli/check/run-check.ts",
    ])
      assert.ok(files.includes(file), file);
  });
});

describe("a pruned lock", () => {
  const lock: Lock = {
    name: "all",
    version: "1.0.0",
    packages: {
      "": { dependencies: { a: "1.0.0", b: "2.0.0" } },
      "node_modules/a": { dependencies: { c: "^1" }, peerDependencies: { nobody: "*" } },
      "node_modules/a/node_modules/c": { optionalDependencies: { "@x/d": "1" } },
      "node_modules/c": {},
      "node_modules/@x/d": { dependencies: { c: "^2" } },
      "node_modules/b": { dependencies: { a: "1" } },
    },
  };

  it("keeps the needed packages, at the position where Node finds them", () => {
    const { manifest, lock: pruned } = pruneLock(lock, ["a"]);
    assert.deepEqual(manifest.dependencies, { a: "1.0.0" });
    assert.deepEqual(Object.keys(pruned.packages), [
      "",
      "node_modules/a",
      "node_modules/a/node_modules/c",
      "node_modules/c",
      "node_modules/@x/d",
    ]);
    assert.deepEqual(pruned.packages[""], { dependencies: { a: "1.0.0" } });
  });

  it("refuses a package that isn't locked", () => {
    assert.throws(() => pruneLock(lock, ["e"]), /e is imported, but is not a dependency/);
  });

  it("holds none of the service's packages in this repository", async () => {
    const whole: Lock = JSON.parse(
      await readFile(new URL("../../../package-lock.json", import.meta.url), "utf8"),
    );
    const { packages } = pruneLock(whole, PACKAGES).lock;
    assert.ok(Object.keys(packages).length < 130);
    for (const name of ["moleculer", "@mikro-orm/core", "@aws-sdk/client-s3", "pg", "nats", "react"])
      assert.ok(!(`node_modules/${name}` in packages), name);
  });
});
