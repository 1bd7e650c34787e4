import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PlatformApiError, type ProjectVariable } from "../../../services/platform/api/platform-api.ts";
import { VariableCache } from "../../../services/platform/api/variable-cache.ts";

const TOKEN = { accessToken: "token", teamId: null };
const ROUTES: ProjectVariable[] = [{ key: "SERVICE_ROUTES", value: "/a", gitBranch: null }];

describe("The cache of projects' variables", () => {
  it("keeps the last known values while the platform's API fails, and logs that once", async () => {
    const realNow = Date.now;
    const warnings: string[] = [];
    let asked = 0;
    let isAway = false;
    const projectVariables = async () => {
      asked += 1;
      if (isAway) throw new PlatformApiError("platform.example does not answer", false);
      return ROUTES;
    };
    const cache = new VariableCache({
      api: { projectVariables },
      apiUrl: null,
      warn: (_error, what) => void warnings.push(what),
    });
    const routes = async () =>
      (await cache.settingsOf({ configurationId: "c", projectId: "p", branch: null, token: TOKEN }))?.settings
        .routes;
    try {
      assert.deepEqual(await Promise.all([routes(), routes()]), [["/a"], ["/a"]]);
      assert.equal(asked, 1);
      isAway = true;
      for (const minutes of [6, 8, 10]) {
        Date.now = () => realNow() + minutes * 60_000;
        assert.deepEqual(await routes(), ["/a"]);
      }
      assert.deepEqual([asked, warnings.length], [4, 1]);
      assert.match(warnings[0] ?? "", /project p can't be read: platform\.example does not answer/);
    } finally {
      Date.now = realNow;
    }
  });

  it("sends no request for an installation without a token", async () => {
    const api = { projectVariables: () => assert.fail("it was asked") };
    const cache = new VariableCache({ api, apiUrl: null, warn: () => {} });
    const of = { configurationId: "c", projectId: "p", branch: null, token: null };
    assert.equal(await cache.settingsOf(of), null);
  });
});
