import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { mock } from "node:test";
import type { Gateway } from "../../../services/gateway/gateway-context.ts";
import { serveImport } from "../../../services/gateway/handlers/transfers/serve-import.ts";
import type { Input } from "../../../services/gateway/routes/route.ts";
import type { ImportQuery } from "../../../shared/contracts/transfers/transfers.ts";

describe("The gateway's uploads of imports", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  /** The parts that an upload without an entry needs. */
  const start = (gateway: Gateway, teamId: string) => {
    const req = new PassThrough();
    // biome-ignore lint/plugin: no entry arrives, so nothing else of the request is read.
    const input = { req: req as unknown as IncomingMessage, caller: { teamId }, query: { from: 0 } } as Input<
      unknown,
      ImportQuery
    >;
    return { req, answer: serveImport(gateway, input).catch((error: unknown) => error) };
  };
  // biome-ignore lint/plugin: an upload without an entry needs nothing of the gateway.
  const newGateway = () => ({}) as Gateway;

  it("end once their sender stalls, and keep out no other sender until then", async () => {
    const gateway = newGateway();
    const first = start(gateway, "team_1");
    const second = start(gateway, "team_2");
    assert.match(String(await start(gateway, "team_3").answer), /Too many imports/);
    mock.timers.tick(29_000);
    first.req.write(Buffer.alloc(100));
    await new Promise(setImmediate);
    mock.timers.tick(29_000);
    assert.match(String(await second.answer), /not a complete tar/);
    assert.equal(first.req.destroyed, false);
    const third = start(gateway, "team_3");
    mock.timers.tick(30_000);
    await Promise.all([first.answer, third.answer]);
    assert.ok(first.req.destroyed && third.req.destroyed);
  });

  it("are one at a time for each team", async () => {
    const gateway = newGateway();
    const first = start(gateway, "team_1");
    assert.match(String(await start(gateway, "team_1").answer), /Too many imports/);
    const other = start(gateway, "team_2");
    mock.timers.tick(30_000);
    assert.match(String(await first.answer), /not a complete tar/);
    assert.match(String(await other.answer), /not a complete tar/);
  });
});
