import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { fileKey } from "../../../shared/explain/loaded-files.ts";

const keyOf = (name: string) => fileKey(`https://shop.example/assets/${name}`, "https://shop.example/");

describe("fileKey", () => {
  const hashed = [
    ["app.4f2a91bc.css", "app.*.css"],
    ["Avatar-cdzb8D19.css", "Avatar-*.css"],
    ["Avatar-DxQkLmNp.css", "Avatar-*.css"],
    ["Avatar-cd_bDxQk.css", "Avatar-*.css"],
    ["my-long-name-cdzb8D19.js", "my-long-name-*.js"],
    ["my-user-card-DxQkLmNp.js", "my-user-card-*.js"],
    ["chunk-XQKWLZPA.js", "chunk-*.js"],
    ["main.8f3b6e1d.chunk.css", "main.*.chunk.css"],
    ["main-8f3b6e1d0a9b8c7d6e5f.js", "main-*.js"],
  ] as const;
  for (const [name, expected] of hashed)
    it(`replaces the build hash of ${name}`, () => assert.equal(keyOf(name), `/assets/${expected}`));

  for (const name of [
    "app.css",
    "user-settings.css",
    "app-UserCard.css",
    "app-MyButton.js",
    "kit-ui-table.css",
  ])
    it(`keeps ${name}`, () => assert.equal(keyOf(name), `/assets/${name}`));

  it("leaves out the page's own host and queries, and keeps other hosts", () => {
    assert.equal(fileKey("https://shop.example/a.css?v=2", "https://shop.example/"), "/a.css");
    assert.equal(fileKey("https://cdn.example/a.css", "https://shop.example/"), "cdn.example/a.css");
  });
});
