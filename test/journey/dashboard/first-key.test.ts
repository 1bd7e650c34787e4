import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { createdKey, keyList } from "../../../shared/contracts/teams/keys.ts";
import { EMBEDDED } from "../../support/databases/databases.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { problemOf } from "../../support/formats/problem.ts";

const PER_MINUTE = 60;
/** The bucket refills in a minute. A burst without a refusal means no limit. */
const NEVER_THIS_OFTEN = PER_MINUTE * 2;

describe("a first start without a key", () => {
  let vrs: Vrs;
  let key: string;

  before(async () => {
    vrs = await Vrs.start({ SERVICE_BOOTSTRAP_KEY: "", SERVICE_RATE_LIMIT: String(PER_MINUTE) }, EMBEDDED);
    key = /vrs_[0-9A-Za-z]{32}/.exec(vrs.output)?.[0] ?? "";
  });

  after(() => vrs?.stop());

  const sendRequest = (path: string, bearer = key) =>
    fetch(`${vrs.baseUrl}${path}`, { headers: { Authorization: `Bearer ${bearer}` } });

  it("prints its address and an admin key, once", async () => {
    assert.equal(vrs.output.split(key).length, 2, vrs.output);
    assert.ok(vrs.output.includes(`vrs is at ${vrs.baseUrl}\n`), vrs.output);
    const { data } = keyList.parse(await (await sendRequest("/v1/keys")).json());
    assert.deepEqual(
      data.map(({ role, tail }) => ({ role, tail })),
      [{ role: "admin", tail: key.slice(-4) }],
    );
  });

  it("prints none at its second start, and the first one still works", async () => {
    await vrs.kill();
    const before = vrs.output.length;
    await vrs.start();
    assert.doesNotMatch(vrs.output.slice(before), /vrs_|Admin API key/);
    assert.equal((await sendRequest("/v1/keys")).status, 200);
  });

  describe("with a rate limit for each key", () => {
    it("refuses requests over the limit with a time to wait, and leaves other keys alone", async () => {
      const made = await fetch(`${vrs.baseUrl}/v1/keys`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ name: "other", role: "viewer" }),
      });
      const other = createdKey.parse(await made.json());

      const refused = await untilRefused();
      assert.equal(refused.headers.get("retry-after"), "1");
      assert.equal(refused.headers.get("ratelimit-limit"), String(PER_MINUTE));
      assert.equal(refused.headers.get("ratelimit-remaining"), "0");
      assert.equal(refused.headers.get("ratelimit-reset"), "60");
      await problemOf(refused, "rate_limited");

      const others = await sendRequest("/v1/runs", other.key);
      assert.equal(others.status, 200);
      assert.equal(others.headers.get("ratelimit-remaining"), String(PER_MINUTE - 1));
    });

    it("admits the key again after that time", async () => {
      const { headers } = await untilRefused();
      await delay(Number(headers.get("retry-after")) * 1_000);
      assert.equal((await sendRequest("/v1/runs")).status, 200);
    });
  });

  async function untilRefused(): Promise<Response> {
    const answers = await Promise.all(
      Array.from({ length: NEVER_THIS_OFTEN }, () => sendRequest("/v1/runs")),
    );
    const refused = answers.find(({ status }) => status === 429);
    assert.ok(refused, "The key was never refused.");
    for (const answer of answers) {
      assert.ok(answer.ok || answer.status === 429, `${answer.status}`);
      if (answer !== refused) await answer.body?.cancel();
    }
    return refused;
  }
});
