import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { Vrs } from "../../support/drivers/vrs.ts";

const PER_MINUTE = 20;

describe("Status pages, badges and reports for everyone", () => {
  let vrs: Vrs;
  before(async () => {
    vrs = await Vrs.start({ SERVICE_RATE_LIMIT: String(PER_MINUTE) });
  });
  after(() => vrs?.stop());

  it("are limited for each address, apart from the requests with a key", async () => {
    const read = (path: string) => fetch(`${vrs.baseUrl}${path}`);
    const badge = `/badges/${"a".repeat(24)}.svg`;
    const answers: Response[] = [];
    // The bucket is refilled slowly meanwhile.
    while (answers.at(-1)?.status !== 429 && answers.length < 5 * PER_MINUTE) {
      const answer = await read(answers.length % 2 === 0 ? "/status/none" : badge);
      await answer.text();
      answers.push(answer);
    }
    assert.ok(answers.length > PER_MINUTE, `refused after ${answers.length}`);
    assert.ok(answers.slice(0, -1).every(({ status }) => status === 404));
    const refused = await Promise.all([read("/status/none"), read(badge)]);
    for (const [index, type] of ["text/html", "image/svg+xml"].entries()) {
      const answer = refused[index];
      assert.equal(answer?.status, 429);
      assert.ok(Number(answer.headers.get("retry-after")) >= 1);
      assert.match(answer.headers.get("content-type") ?? "", new RegExp(`^${type.replace("+", "\\+")}`));
      assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
      assert.equal(answer.headers.get("ratelimit-remaining"), null);
    }
    const opened = await fetch(`${vrs.baseUrl}/status/none`, { method: "POST", body: "password=x" });
    assert.equal(opened.status, 429);
    const report = await read("/v1/reports/run_none?token=guessed");
    assert.equal(report.status, 429, "links of reports count too");
    assert.ok(Number(report.headers.get("retry-after")) >= 1);
    assert.match((await refused[0]?.text()) ?? "", /Too many|too many requests/);
    const headers = { Authorization: `Bearer ${vrs.key}` };
    assert.equal((await fetch(`${vrs.baseUrl}/v1/usage`, { headers })).status, 200);
  });
});
