import assert from "node:assert/strict";
import { planNames } from "../../../services/runs/transfers/plan-names.rule.ts";
import { newId } from "../../../shared/ids.ts";
import { type Remap, remappedId, remapRow } from "../../../shared/transfers/remap.rule.ts";

const [teamId, fromTeamId, runId, otherId] = [newId("team"), newId("team"), newId("run"), newId("run")];
const known = "a".repeat(64);
const unknown = "b".repeat(64);
const remap: Remap = {
  ...{ teamId, fromTeamId, fromUrl: "https://old.example", url: "https://new.example" },
  has: hash => hash === known,
};

describe("remapRow", () => {
  const mapped = remappedId(runId, remap);

  it("gives a row the same new id each time, which keeps the order", () => {
    assert.match(mapped, /^run_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.notEqual(mapped, runId);
    assert.deepEqual(remapRow({ id: runId }, remap), { id: mapped });
    assert.equal(mapped.slice(0, 14), runId.slice(0, 14));
    assert.notEqual(remappedId(otherId, remap), mapped);
  });

  it("gives another team other ids, so that no row can name an object of another team", () => {
    assert.notEqual(remappedId(runId, { teamId: otherId, fromTeamId }), mapped);
  });

  it("replaces ids in nested values and in names of monitors' projects", () => {
    const monitor = newId("mon");
    const row = { carried_by: [{ runId }], name: `monitor/${monitor}/2`, team_id: fromTeamId };
    assert.deepEqual(remapRow(row, remap), {
      carried_by: [{ runId: mapped }],
      name: `monitor/${remappedId(monitor, remap)}/2`,
      team_id: teamId,
    });
  });

  it("moves links with an id, and leaves other URLs and pages alone", () => {
    const text = `(https://old.example/runs/${runId}) and https://old.example/pricing`;
    const url = `https://old.example/runs/${runId}`;
    assert.deepEqual(remapRow({ text, url, route: `/runs/${runId}` }, remap), {
      text: `(https://new.example/runs/${mapped}) and https://old.example/pricing`,
      url,
      route: `/runs/${runId}`,
    });
  });

  it("replaces hashes of files that were not received, except digests", () => {
    const row = remapRow({ hash: known, mask_hash: unknown, fingerprint: unknown, upload: [unknown] }, remap);
    assert.deepEqual([row.hash, row.fingerprint], [known, unknown]);
    assert.match(String(row.mask_hash), /^[0-9a-f]{64}$/);
    assert.notEqual(row.mask_hash, unknown);
    assert.deepEqual(row.upload, [row.mask_hash]);
  });
});

describe("planNames", () => {
  const shop = { id: "proj_1", name: "shop" };
  const taken = { id: "proj_2", name: "shop" };

  it("keeps free names, and the name that an earlier import gave", () => {
    assert.deepEqual(planNames([shop], [], "refuse"), { names: { shop: "shop" } });
    const before = { id: "proj_1", name: "shop-imported" };
    assert.deepEqual(planNames([shop], [before, taken], "refuse"), { names: { shop: "shop-imported" } });
  });

  it("refuses, skips or renames taken names", () => {
    assert.deepEqual(planNames([shop], [taken], "refuse"), { taken: ["shop"] });
    assert.deepEqual(planNames([shop], [taken], "skip"), { names: { shop: null } });
    const more = { id: "proj_3", name: "shop-imported" };
    assert.deepEqual(planNames([shop], [taken], "rename"), { names: { shop: "shop-imported" } });
    assert.deepEqual(planNames([shop, more], [taken], "rename"), {
      names: { shop: "shop-imported-2", "shop-imported": "shop-imported" },
    });
  });

  describe("of named builds", () => {
    const build = { id: "proj_4", name: "shop#storybook" };
    const other = { id: "proj_5", name: "shop#emails" };

    it("keeps them with their project, whichever of them is taken", () => {
      for (const name of ["shop", "shop#storybook", "shop#another"]) {
        const existing = [{ id: "proj_6", name }];
        assert.deepEqual(planNames([shop, build], existing, "refuse"), { taken: [name] });
        assert.deepEqual(planNames([shop, build], existing, "skip"), {
          names: { shop: null, "shop#storybook": null },
        });
        assert.deepEqual(planNames([shop, build], existing, "rename"), {
          names: { shop: "shop-imported", "shop#storybook": "shop-imported#storybook" },
        });
      }
      assert.deepEqual(planNames([shop, build], [], "refuse"), {
        names: { shop: "shop", "shop#storybook": "shop#storybook" },
      });
    });

    it("moves the settings of a project that has only named builds", () => {
      assert.deepEqual(planNames([build], [taken], "rename"), {
        names: { shop: "shop-imported", "shop#storybook": "shop-imported#storybook" },
      });
    });

    it("gives new ones the name that an earlier import gave their project, unless it is taken", () => {
      const before = { id: "proj_1", name: "shop-imported" };
      const mine = { id: "proj_7", name: "shop-imported#emails" };
      assert.deepEqual(planNames([shop, build], [before, taken], "refuse"), {
        names: { shop: "shop-imported", "shop#storybook": "shop-imported#storybook" },
      });
      assert.deepEqual(planNames([shop, other], [before, mine], "refuse"), {
        taken: ["shop-imported#emails"],
      });
      assert.deepEqual(planNames([shop, other], [before, mine], "skip"), {
        names: { shop: "shop-imported", "shop#emails": null },
      });
      assert.deepEqual(planNames([shop, other], [before, mine], "rename"), {
        names: { shop: "shop-imported", "shop#emails": "shop-imported-2#emails" },
      });
    });
  });
});
