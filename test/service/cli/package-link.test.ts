import assert from "node:assert/strict";
import { access, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage } from "../../../cli/package/build-package.ts";

describe("the package of the tool, built through a symbolic link", function () {
  this.timeout(120_000);
  const { PWD } = process.env;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-package-"));
  });
  after(async () => {
    process.env.PWD = PWD;
    await rm(folder, { recursive: true, force: true });
  });

  it("is written to its folder", async () => {
    const link = join(folder, "clone");
    await symlink(join(import.meta.dirname, "../../.."), link);
    process.env.PWD = link;
    await buildPackage(join(folder, "vrs"));
    await assert.doesNotReject(access(join(folder, "vrs", "cli", "main.js")));
  });
});
