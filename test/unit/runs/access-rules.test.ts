import assert from "node:assert/strict";
import { mayReportOn, maySeeRun, mayUploadTo } from "../../../services/runs/builds/upload-keys.rule.ts";
import { secretOwnerOf } from "../../../services/runs/secrets/secret-owner.rule.ts";
import { ARCHIVE_URL } from "../../../shared/contracts/builds/archive-url.ts";

const KEY = { uploadProject: "acme/shop" };
const ANY = {};

describe("A key that can only upload", () => {
  it("uploads to its project and to the parts of it", () => {
    for (const project of ["acme/shop", "acme/shop#admin"]) assert.equal(mayUploadTo(KEY, project), true);
    for (const project of ["acme/shop2", "acme", "acme/shop/admin", "x#acme/shop", "#acme/shop#"])
      assert.equal(mayUploadTo(KEY, project), false, project);
    assert.equal(mayUploadTo(ANY, "acme/other"), true);
  });

  it("reports on commits of its repository, in any case of letters", () => {
    for (const scm of [
      { owner: "acme", repo: "shop" },
      { owner: "Acme", repo: "SHOP" },
    ]) {
      assert.equal(mayReportOn(KEY, scm), true);
      assert.equal(mayReportOn({ uploadProject: "ACME/shop#admin" }, scm), true);
      assert.equal(mayReportOn({ uploadProject: "any", uploadRepository: "acme/Shop" }, scm), true);
    }
    for (const scm of [
      { owner: "acme", repo: "blog" },
      { owner: "other", repo: "shop" },
    ]) {
      assert.equal(mayReportOn(KEY, scm), false);
      assert.equal(mayReportOn({ uploadProject: "acme/blog2", uploadRepository: "acme/shop" }, scm), false);
    }
  });

  it("reports without a commit, and on any commit if its project is no repository", () => {
    assert.equal(mayReportOn(KEY, undefined), true);
    assert.equal(mayReportOn({ uploadProject: "shop" }, { owner: "acme", repo: "blog" }), true);
    assert.equal(mayReportOn(ANY, { owner: "acme", repo: "blog" }), true);
  });

  it("sees builds and runs of archives of its project", () => {
    const build = { source: "upload", url: "https://shop.example/", project: "acme/shop" } as const;
    assert.equal(maySeeRun(KEY, build), true);
    assert.equal(maySeeRun(KEY, { ...build, project: "acme/shop#admin" }), true);
    assert.equal(maySeeRun(KEY, { ...build, project: "acme/blog" }), false);
    assert.equal(maySeeRun(KEY, { ...build, source: "capture" }), false);
    assert.equal(maySeeRun(KEY, { ...build, source: "capture", url: ARCHIVE_URL }), true);
    assert.equal(
      maySeeRun(KEY, { ...build, source: "capture", url: ARCHIVE_URL, project: "acme/blog" }),
      false,
    );
    assert.equal(maySeeRun(ANY, { ...build, source: "capture" }), true);
  });
});

describe("secretOwnerOf", () => {
  it("returns one project for all monitors of a team, and else the project itself", () => {
    const owner = (project: string) => secretOwnerOf({ teamId: "team_1", project });
    assert.deepEqual(owner("monitor/mon_1"), { teamId: "team_1", project: "monitors" });
    assert.deepEqual(owner("monitor/mon_2/3"), owner("monitor/mon_1"));
    for (const project of ["shop", "a/monitor/mon_1"])
      assert.deepEqual(owner(project), { teamId: "team_1", project });
  });
});
