import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { restoreRule } from "../../../dashboard/noise/restore-rule.ts";
import { acceptRegionBody, type IgnoreRegionView } from "../../../shared/contracts/noise/ignore-rules.ts";
import { LocalServer, send } from "../../support/servers/local-server.ts";

const ENDED: IgnoreRegionView = {
  ...{ id: "ign_1", project: "shop", route: "/", state: null, environment: null, viewport: 375 },
  ...{ x: 1, y: 2, width: 3, height: 4, threshold: null, appliesTo: "page", reason: "Clock" },
  ...{ acceptedBy: "ada", acceptedAt: "2026-11-19T16:20:00.000Z", changedBy: null, changedAt: null },
  ...{ expiresAt: "2026-11-20T16:20:00.000Z", isActive: false },
};

describe("An ended ignore rule that was deleted", () => {
  let server: LocalServer;
  /** An equal rule of someone else, which the service keeps as it is. */
  let active: IgnoreRegionView | null = null;
  const changes: string[] = [];

  before(async () => {
    server = new LocalServer(async (req, res) => {
      const body = await text(req);
      if (req.method !== "POST") changes.push(`${req.method} ${req.url} ${body}`);
      const { expiresAt = null } = req.method === "POST" ? acceptRegionBody.parse(JSON.parse(body)) : {};
      send(res, 200, active ?? { ...ENDED, id: "ign_2", expiresAt, isActive: true });
    });
    await server.listen();
    const storage = { getItem: () => null, setItem: () => {} };
    const document = { baseURI: server.url };
    Object.assign(globalThis, { document, localStorage: storage, sessionStorage: storage });
  });
  after(async () => {
    for (const name of ["document", "localStorage", "sessionStorage"])
      Reflect.deleteProperty(globalThis, name);
    await server.close();
  });
  beforeEach(() => {
    changes.length = 0;
  });

  it("is restored with its end", async () => {
    active = null;
    await restoreRule("shop", ENDED);
    assert.deepEqual(changes, [`PATCH /v1/ignore-regions/ign_2 {"expiresAt":"${ENDED.expiresAt}"}`]);
  });

  it("doesn't end an equal rule that was added meanwhile", async () => {
    for (const expiresAt of [null, "2099-12-31T23:59:59.999Z"]) {
      active = { ...ENDED, id: "ign_3", expiresAt, isActive: true };
      await restoreRule("shop", ENDED);
    }
    assert.deepEqual(changes, []);
  });
});
