import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { listBuildFiles } from "../../../services/renderer/list-build-files.ts";
import { loadedPaths } from "../../../services/renderer/loaded-paths.rule.ts";
import { writeIndex } from "../../../shared/archives/archive-index.ts";

describe("the files of an archive with a Storybook", () => {
  const contents = new Map<string, Buffer>();
  const store = {
    get: async (hash: string) => contents.get(hash) ?? Promise.reject(new Error(`No file ${hash}.`)),
  };
  const put = (bytes: Buffer) => {
    const hash = createHash("sha256").update(bytes).digest("hex");
    contents.set(hash, bytes);
    return hash;
  };

  async function list(texts: Record<string, string>) {
    const files = Object.entries(texts).map(([path, text]) => {
      return { path, bytes: text.length, hash: put(Buffer.from(text)) };
    });
    return await listBuildFiles(store, put(writeIndex(files).bytes), new AbortController().signal);
  }

  it("have names and hashes that another build of the same sources has, too", async () => {
    const before = await list({
      "iframe.html": '<script src="./assets/main-AAAAaaaa.js"></script>',
      "assets/main-AAAAaaaa.js": 'const a = 1; import("./card-bbbbBBBB.js"); use(a)',
      "assets/card-bbbbBBBB.js": "one()",
      "sb-common-assets/font.woff2": "font",
      "sb-manager/runtime.js": "large()",
      "preview-stats.json": "{}",
    });
    const after = await list({
      "iframe.html": '<script src="./assets/main-CCCCcccc.js"></script>',
      "assets/main-CCCCcccc.js": 'const z = 1; import("./card-ddddDDDD.js"); use(z)',
      "assets/card-ddddDDDD.js": "two()",
    });
    assert.deepEqual(Object.keys(before), [
      "assets/card-bbbbBBBB.js",
      "assets/main-AAAAaaaa.js",
      "iframe.html",
      "sb-common-assets/font.woff2",
    ]);
    assert.deepEqual(after["iframe.html"], before["iframe.html"]);
    assert.deepEqual(after["assets/main-CCCCcccc.js"], before["assets/main-AAAAaaaa.js"]);
    assert.equal(after["assets/card-ddddDDDD.js"]?.[0], "assets/card-#.js");
    assert.notDeepEqual(after["assets/card-ddddDDDD.js"], before["assets/card-bbbbBBBB.js"]);
  });

  it("are what its pages load, unless they load something else too", () => {
    const site = "http://archive.invalid/docs/";
    const own = [`${site}iframe.html?id=a`, `${site}assets/a%20b.js`, `${site}index.json`, "data:,x"];
    assert.deepEqual(loadedPaths(own, site), ["assets/a b.js", "iframe.html"]);
    assert.equal(loadedPaths([...own, "https://fonts.example/a.woff2"], site), null);
    assert.equal(loadedPaths([...own, "http://archive.invalid/other.js"], site), null);
    assert.equal(loadedPaths(["data:,x"], site), null);
  });
});
