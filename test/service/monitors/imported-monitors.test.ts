import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";

for (const database of MAIN_DATABASES)
  describe(`Imported monitors on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    /** Imports a copy of a monitor into a new team. */
    const importWith = async (own: object) => {
      const [source, target] = [context.team(), context.team()];
      await context.create(source, { intervalMinutes: 7 });
      const page = { table: "monitor", teamId: source.teamId, after: null, maxBytes: 1_000_000 };
      const { rows } = await context.ask("monitors.exportRows", page, source);
      const id = newId("mon");
      const copies = rows.map(row => ({ ...row, id, ...own }));
      const request = { teamId: target.teamId, table: "monitor", rows: copies };
      const { written } = await context.ask("monitors.importRows", request, target);
      return { target, id, written };
    };

    it("are refused with a number of URLs that no monitor has", async () => {
      for (const generation of [2_147_483_647, 0, 1.5, "1", null])
        await assert.rejects(importWith({ generation }), /monitors\.monitor/, String(generation));
      assert.equal((await importWith({ generation: 3 })).written, 1);
    });

    it("are due once in each interval, whatever the file says", async () => {
      const { target, id } = await importWith({ phase: 1e300 });
      await driver.change(target, id, { paused: false });
      const { interval, ahead, phase } = (await driver.readSchedule(id)) ?? assert.fail();
      assert.ok(Math.abs((interval % 1) - phase) < 0.001, `${interval} ${phase}`);
      assert.ok(ahead > 0 && ahead <= 420, String(ahead));
    });
  });
