import assert from "node:assert/strict";
import { expectedChanges, SECOND_VERSION } from "../../../cli/demo/site/second-version.ts";
import { type SampleSite, SITE_ROUTES, startSite } from "../../../cli/demo/site-server.ts";

describe("sample site", () => {
  let site: SampleSite;
  const text = async (path: string) => {
    const response = await fetch(`${site.url}${path}`);
    assert.equal(response.status, 200, path);
    return await response.text();
  };

  before(async () => {
    site = await startSite();
  });
  after(() => site.close());
  afterEach(() => site.show(1));

  for (const version of [1, 2] as const) {
    it(`serves every page of version ${version} completely`, async () => {
      site.show(version);
      for (const route of SITE_ROUTES) {
        const page = await text(route);
        assert.match(page, /<title>[^<]+ · Tidewell<\/title>/, route);
        assert.doesNotMatch(page, /\{\{/, `${route} has a placeholder left`);
      }
    });
  }

  it("has every file that its first version references", async () => {
    const pages = await Promise.all([...SITE_ROUTES, "/site.css"].map(text));
    const paths = new Set(
      pages.flatMap(page =>
        [...page.matchAll(/(?:src|href|url)[=(]"(\/[^"#]*)/g)].map(([, path]) => path ?? ""),
      ),
    );
    assert.ok(paths.size > 20);
    for (const path of paths) await text(path);
  });

  it("serves the same bytes at every request", async () => {
    for (const path of [...SITE_ROUTES, "/images/kirkness.svg", "/api/arrivals"]) {
      assert.equal(await text(path), await text(path), path);
    }
  });

  it("differs in its second version only where its list of changes says", async () => {
    const read = async (paths: string[]) =>
      new Map(await Promise.all(paths.map(async path => [path, await text(path)] as const)));
    const paths = [...SITE_ROUTES, "/site.css", "/site.js"];
    const first = await read(paths);
    site.show(2);
    const second = await read(paths);
    const differing = paths.filter(path => first.get(path) !== second.get(path));
    const listed = SECOND_VERSION.map(({ file }) =>
      file === "site.css" ? "/site.css" : file.replace(/^pages(\/.*)\.html$/, "$1").replace("/home", "/"),
    );
    assert.deepEqual(differing.toSorted(), [...new Set(listed)].toSorted());
  });

  it("keeps some screenshots of its second version unchanged", () => {
    const changes = expectedChanges(SITE_ROUTES, [375, 1280]);
    assert.deepEqual(
      [...changes.keys()].filter(change => /about|guide|contact/.test(change)),
      ["/guide 1280", "/about 1280", "/contact 1280"],
    );
    assert.equal(changes.get("/pricing 375"), 1);
    assert.equal(changes.get("/pricing 1280"), 2);
  });

  it("returns 404 for unknown paths and for paths outside its folder", async () => {
    for (const path of [
      "/nothing",
      "/images/nothing.svg",
      "/fonts/nothing",
      "/layout.html",
      "/pages%2Fhome",
      "/..%2Fmain.ts",
      "/images/constructor.svg",
      "/api/constructor",
    ]) {
      assert.equal((await fetch(`${site.url}${path}`)).status, 404, path);
    }
  });
});
