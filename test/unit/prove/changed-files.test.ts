import assert from "node:assert/strict";
import type { Capsule } from "../../../shared/capture/capsule/capsule.ts";
import { mayKeepBody } from "../../../shared/capture/capsule/may-keep-body.rule.ts";
import { findChangedFiles, replacementsOf } from "../../../shared/prove/changed-files.ts";
import { capsuleOf } from "../../support/fixtures/sites/capsule-pages.ts";

const BODY = "b".repeat(64);

function page(host: string, files: Record<string, string>, failed: Capsule["failed"] = []): Capsule {
  const typeOf = (path: string) =>
    path === "/"
      ? "document"
      : path.endsWith(".css")
        ? "stylesheet"
        : path.endsWith(".js")
          ? "script"
          : "fetch";
  const responses = Object.entries(files).map(([path, hash]) => {
    return {
      url: `https://${host}${path}`,
      type: typeOf(path),
      status: 200,
      hash,
      body: BODY,
      contentType: "text/x",
    };
  });
  return capsuleOf([], { url: `https://${host}/`, responses, failed });
}

describe("changed files of a page", () => {
  const before = page("one.example", { "/": "p1", "/app.1a2b3c4d.css": "s1", "/same.js": "j" });
  const after = page("two.example", {
    "/": "p2",
    "/app.9f8e7d6c.css": "s2",
    "/same.js": "j",
    "/chat.js": "c",
  });

  it("are those with another hash and new ones, suspects first", () => {
    // The explanation may be of an earlier deployment.
    for (const suspect of [
      "https://two.example/app.9f8e7d6c.css",
      "https://three.example/app.5a5b5c5d.css",
    ]) {
      const { files, unkept } = findChangedFiles(before, after, [suspect]);
      assert.deepEqual(
        files.map(({ url }) => new URL(url).pathname),
        ["/app.9f8e7d6c.css", "/", "/chat.js"],
      );
      assert.equal(unkept, 0);
    }
  });

  it("include failed ones, and count those without kept content", () => {
    const url = "https://two.example/app.9f8e7d6c.css";
    const failed = [{ url, type: "stylesheet", status: null, error: "blocked" }];
    const missing = page("two.example", { "/": "p1", "/same.js": "j" }, failed);
    assert.deepEqual(
      findChangedFiles(before, missing).files.map(file => file.url),
      [url],
    );
    const bare = { ...before, responses: before.responses.map(({ body: _, ...response }) => response) };
    assert.deepEqual(findChangedFiles(bare, missing), { files: [], unkept: 1 });
  });

  it("are replaced by their earlier content, and new ones by nothing", () => {
    const { files } = findChangedFiles(before, after);
    const content = Buffer.from("old");
    const find = replacementsOf(files, after, new Map([[BODY, content]]));
    const of = (path: string, type: string) => find({ url: `https://two.example${path}`, type });
    assert.deepEqual(of("/app.9f8e7d6c.css", "stylesheet"), {
      kind: "body",
      body: content,
      contentType: "text/x",
    });
    assert.deepEqual(of("/chat.js", "script"), { kind: "none" });
    assert.equal(of("/same.js", "script"), null);
    // The earlier page requests the file of its own deployment.
    assert.equal(of("/app.1a2b3c4d.css", "stylesheet")?.kind, "body");
    const onlyPage = replacementsOf(
      files.filter(({ key }) => key === "document"),
      after,
      new Map([[BODY, content]]),
    );
    assert.deepEqual(onlyPage({ url: "https://two.example/app.1a2b3c4d.css", type: "stylesheet" }), {
      kind: "url",
      url: "https://two.example/app.9f8e7d6c.css",
    });
  });

  it("leave alone what has the same path and another query", () => {
    const data = (hash: string) => page("one.example", { "/api?a=1": hash, "/api?a=2": "x" });
    const { files } = findChangedFiles(data("1"), data("2"));
    const find = replacementsOf(files, data("2"), new Map());
    assert.deepEqual(find({ url: "https://one.example/api?a=1", type: "fetch" }), { kind: "none" });
    assert.equal(find({ url: "https://one.example/api?a=2", type: "fetch" }), null);
  });
});

describe("kept bodies", () => {
  const facts = {
    ...{ url: "https://one.example/a.css", page: "https://one.example/", method: "GET" },
    ...{ type: "stylesheet", status: 200, requestHeaders: {}, responseHeaders: {} },
  };
  const rows: [string, Partial<Parameters<typeof mayKeepBody>[0]>, boolean][] = [
    ["a stylesheet", {}, true],
    ["a stylesheet behind a cookie", { requestHeaders: { cookie: "a=1" } }, true],
    ["a document", { type: "document" }, true],
    ["a document behind a cookie", { type: "document", requestHeaders: { cookie: "a=1" } }, false],
    ["data behind a cookie", { type: "fetch", requestHeaders: { cookie: "a=1" } }, false],
    ["a request with credentials", { requestHeaders: { authorization: "Basic x" } }, false],
    ["a response that sets a cookie", { responseHeaders: { "set-cookie": "a=1" } }, false],
    ["another origin", { url: "https://cdn.example/a.css" }, false],
    ["another port", { url: "https://one.example:8443/a.css" }, false],
    ["another method", { method: "POST" }, false],
    ["an error", { status: 404 }, false],
    ["a video", { type: "media" }, false],
    ["no URL", { url: "" }, false],
  ];
  for (const [name, more, expected] of rows)
    it(`${expected ? "are" : "are not"} those of ${name}`, () => {
      assert.equal(mayKeepBody({ ...facts, ...more }), expected);
    });
});
