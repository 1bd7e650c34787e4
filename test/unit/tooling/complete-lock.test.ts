import assert from "node:assert/strict";
import { missingFrom, platformOf, readLockedPackages, withoutChecksum } from "../../../cli/complete-lock.ts";

describe("package-lock.json", () => {
  it("holds the packages of every platform, so that npm ci accepts it anywhere", async () => {
    const missing = missingFrom(await readLockedPackages()).map(({ name, version }) => `${name}@${version}`);
    assert.deepEqual(missing, [], "run: node cli/complete-lock.ts");
  });
});

describe("every lock file", () => {
  const LOCKS = ["../../../package-lock.json", "../../../bench/package-lock.json"];
  for (const path of LOCKS) {
    it(`${path.replace("../../../", "")} has a checksum for each package`, async () => {
      const packages = await readLockedPackages(new URL(path, import.meta.url));
      assert.ok(Object.keys(packages).length > 100);
      assert.deepEqual(withoutChecksum(packages), []);
    });
  }

  it("names what has none, and nothing that its parent's archive or a link brings", () => {
    const found = withoutChecksum({
      "": {},
      "node_modules/a": { version: "1.0.0", integrity: "sha512-x" },
      "node_modules/@b/c": { version: "2.0.0" },
      "node_modules/a/node_modules/d": { version: "3.0.0", inBundle: true },
      "node_modules/e": { link: true },
    });
    assert.deepEqual(found, ["@b/c@2.0.0"]);
  });
});

describe("completing a lock", () => {
  it("finds what a parent names and no folder around it holds", () => {
    const missing = missingFrom({
      "": {},
      "node_modules/a": { optionalDependencies: { "@b/linux-x64": "1.0.0", "c-darwin-arm64": "2.0.0" } },
      "node_modules/@b/linux-x64": {},
      "node_modules/d/node_modules/e": {
        optionalDependencies: { inner: "1.0.0", outer: "1.0.0", absent: "3.0.0" },
      },
      "node_modules/d/node_modules/inner": {},
      "node_modules/outer": {},
      "node_modules/other/node_modules/absent": {},
    });
    assert.deepEqual(missing, [
      { parent: "node_modules/a", name: "c-darwin-arm64", version: "2.0.0" },
      { parent: "node_modules/d/node_modules/e", name: "absent", version: "3.0.0" },
    ]);
  });

  it("reads a platform from a package's name", () => {
    assert.deepEqual(platformOf("@swc/core-win32-ia32-msvc"), { os: ["win32"], cpu: ["ia32"] });
    assert.deepEqual(platformOf("@biomejs/cli-linux-arm64-musl"), {
      os: ["linux"],
      cpu: ["arm64"],
      libc: ["musl"],
    });
    assert.deepEqual(platformOf("binding-linux-arm-gnueabihf"), {
      os: ["linux"],
      cpu: ["arm"],
      libc: ["glibc"],
    });
    assert.throws(() => platformOf("left-pad"), /platform of left-pad is unknown/);
  });
});
