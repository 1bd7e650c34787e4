import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { CheckOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";
import { AlertsTestContext, reportOn } from "../../support/contexts/alerts-context.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { countQueued } from "../../support/rows/alert-rows.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import { needs } from "../../support/servers/server-programs.ts";

const DOWN: CheckOutcome = {
  kind: "down",
  reason: "It answers 500.",
  routes: ["/"],
  isWhole: true,
  regressions: [],
};

describe("Three nodes with one database", () => {
  needs("database");
  let nodes: AlertsTestContext[] = [];
  let made: TestDatabase;
  let receiver: HttpReceiver;

  before(async () => {
    const postgres = DATABASES.find(({ name }) => name === "PostgreSQL");
    assert.ok(postgres);
    made = await postgres.make();
    receiver = await HttpReceiver.start();
    const first = await AlertsTestContext.start(made.env);
    nodes = [first, ...(await Promise.all([first.again(), first.again()]))];
  });
  after(async () => {
    await Promise.all(nodes.map(node => node.stop()));
    await receiver?.close();
    await made?.remove();
  });

  it("send each of 60 alerts once, all three of them, although every report reaches each node", async () => {
    const webhook = { url: receiver.url(), secret: "s" };
    receiver.answers = [{ waitMs: 20 }];
    const reports = Array.from({ length: 60 }, (_, index) => reportOn(`mon_${index}`, { webhook }, DOWN));
    await Promise.all(
      nodes.map(async node => {
        for (const report of reports) await node.call("alerts.report", report);
      }),
    );
    await until(() => receiver.received.length >= 60);
    const [first] = nodes;
    assert.ok(first);
    await until(async () => (await countQueued(first.em())) === 0);
    const ids = receiver.received.map(({ headers }) => headers["vrs-delivery"]);
    assert.deepEqual([ids.length, new Set(ids).size], [60, 60]);
  });
});
