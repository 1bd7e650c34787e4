import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { BOUNDS } from "../../../shared/contracts/capture/bounds.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { newId } from "../../../shared/ids.ts";
import { RunsTestContext } from "../../support/contexts/runs-context.ts";
import { FLEET, type TestDatabase } from "../../support/databases/databases.ts";

/** The sweep runs every 15 seconds. */
const SWEEP_TIMEOUT_MS = 40_000;

describe("The recovery sweep of runs", () => {
  FLEET.needed();
  let database: TestDatabase;
  let context: RunsTestContext;
  let client: pg.Client;

  before(async () => {
    database = await FLEET.make();
    context = await RunsTestContext.start({ ...database.env, SERVICES: "runs,teams,billing" });
    client = new pg.Client({ connectionString: database.env.DATABASE_URL });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await context?.stop();
    await database?.remove();
  });

  it("ends other runs if one can't be ended", async function () {
    this.timeout(SWEEP_TIMEOUT_MS);
    const [broken, other] = [await context.submit("broken", 1), await context.submit("other", 1)];
    await client.query(`
      create function public.refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger refuse before update of completed_at on runs.run
        for each row when (new.id = '${broken.id}') execute function public.refuse()`);
    try {
      await client.query("update runs.screenshot set status = 'new', hash = 'h', captured_at = now()");
      assert.equal((await context.ended(other.id)).conclusion, "new");
      assert.equal((await context.ask("runs.get", { id: broken.id })).completedAt, null);
    } finally {
      await client.query("drop trigger refuse on runs.run");
    }
  });

  it("isn't needed for pages and Storybooks whose options are too large for the queue", async function () {
    this.timeout(SWEEP_TIMEOUT_MS);
    const body = randomBytes(BOUNDS.fulfilBodyChars).toString("base64").slice(0, BOUNDS.fulfilBodyChars);
    const network = Array.from({ length: 8 }, (_, index) => ({ url: `**/${index}`, action: "fulfil", body }));
    const submit = async (fields: object) => {
      const about = { url: "https://example.com", project: "large", options: { network }, ...fields };
      const { id } = await context.ask("runs.submit", { id: newId("run"), body: submitRunBody.parse(about) });
      return await context.ended(id);
    };
    const tooLarge = /^The options are too large to send to a renderer/;
    assert.match((await submit({ storybook: true })).error ?? "", tooLarge);
    const { id } = await submit({});
    const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 1 } });
    assert.match(data[0]?.error ?? "", tooLarge);
  });
});
