import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { withPermissions } from "../../../services/scm/code-host/github/app-docs.ts";
import {
  APP_EVENTS,
  APP_PERMISSIONS,
  appManifest,
} from "../../../services/scm/code-host/github/app-manifest.ts";
import { EVENTS } from "../../../services/scm/webhooks/events/index.ts";

describe("The manifest of the code-host app", () => {
  it("subscribes to every handled event, except installation events", () => {
    const handled = [...EVENTS.keys()].filter(name => !name.startsWith("installation"));
    assert.deepEqual(APP_EVENTS.map(({ name }) => name).toSorted(), handled.toSorted());
  });

  it("requests what merge queues need", () => {
    const { default_permissions, default_events } = appManifest("https://vrs.example");
    assert.equal(default_permissions.merge_queues, "read");
    assert.ok(default_events.includes("merge_group"));
    assert.equal(Object.keys(default_permissions).length, APP_PERMISSIONS.length);
  });

  it("has a name within the code host's limit for any host of the service", () => {
    const { name } = appManifest(`https://${"a".repeat(60)}.example`);
    assert.ok(name.length <= 34);
  });
});

describe("docs/reference/pull-requests.md", () => {
  it("matches the manifest's permissions and events; npm run docs writes them", () => {
    const page = readFileSync(new URL("../../../docs/reference/pull-requests.md", import.meta.url), "utf8");
    assert.equal(page, withPermissions(page));
    for (const { label, access } of APP_PERMISSIONS)
      assert.ok(page.includes(`| ${label} | ${access}`), label);
  });
});
