import assert from "node:assert/strict";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { api } from "../../../dashboard/api/client.ts";
import { followStream } from "../../../dashboard/api/event-stream.ts";
import { reloadQueries } from "../../../dashboard/api/reloader.ts";
import { offerTeam, rememberTeam, requestJson } from "../../../dashboard/api/request.ts";
import { until } from "../../support/drivers/until.ts";
import { LocalServer } from "../../support/servers/local-server.ts";

/** The store of a browser's tab, or of all tabs. */
function storage() {
  const stored = new Map<string, string>();
  return {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
}

describe("a request of the dashboard", function () {
  this.timeout(20_000);
  let server: LocalServer;
  /** The responses, in order. The last one repeats. */
  let ways: ((res: ServerResponse) => void)[] = [];
  /** The headers of the request. */
  const asked: IncomingHttpHeaders[] = [];

  before(async () => {
    server = new LocalServer((req, res) => {
      asked.push(req.headers);
      (ways.length > 1 ? ways.shift() : ways[0])?.(res);
    });
    await server.listen();
    // The stores of a browser's tab.
    Object.assign(globalThis, {
      document: { baseURI: server.url },
      localStorage: storage(),
      sessionStorage: storage(),
    });
  });
  after(async () => {
    for (const name of ["document", "localStorage", "sessionStorage"])
      Reflect.deleteProperty(globalThis, name);
    await server.close();
  });

  const json = (res: ServerResponse) => res.writeHead(200, { "Content-Type": "application/json" });
  const stream = (res: ServerResponse) => res.writeHead(200, { "Content-Type": "text/event-stream" });
  const unreachable = { name: "ApiProblem", code: "unreachable" };

  it("times out without a response, and with half of one", async () => {
    ways = [() => {}];
    await assert.rejects(requestJson("v1/runs", { withinMs: 200 }), unreachable);
    ways = [res => json(res).write('{"data":')];
    await assert.rejects(requestJson("v1/runs", { withinMs: 200 }), unreachable);
    ways = [res => json(res).end('{"data":[]}')];
    assert.deepEqual(await requestJson("v1/runs", { withinMs: 10_000 }), { data: [] });
  });

  it("without a response says that the page retries, unless it is a change", async () => {
    ways = [() => {}];
    await assert.rejects(requestJson("v1/runs", { withinMs: 200 }), /This page retries automatically/);
    const error = await requestJson("v1/runs", { method: "POST", withinMs: 200 }).catch(String);
    assert.equal(error, "ApiProblem: Can't reach the service. Check your connection and try again.");
  });

  it("forgets a team that requires another sign-in, unless there is no other", async () => {
    const forbidden = (res: ServerResponse) =>
      void res
        .writeHead(403, { "Content-Type": "application/problem+json" })
        .end('{"code":"forbidden","detail":"Sign in again."}');
    rememberTeam("team_closed");
    ways = [forbidden, res => json(res).end('{"teams":[]}')];
    assert.deepEqual(await api.session(), { teams: [] });
    assert.equal(asked.at(-1)?.["vrs-team"], undefined);
    ways = [forbidden];
    await assert.rejects(api.session(), { status: 403, message: "Sign in again." });
  });

  it("is for the team of its tab, whatever other tabs choose", async () => {
    ways = [res => json(res).end("{}")];
    const requestsOf = async (how = {}) => {
      await requestJson("v1/runs", how);
      return asked.at(-1)?.["vrs-team"] ?? null;
    };
    const inTab = (tab: object) => Object.assign(globalThis, { sessionStorage: tab });
    const [first, second, third] = [storage(), storage(), storage()];
    inTab(first);
    assert.equal(await requestsOf(), null);
    inTab(second);
    rememberTeam("team_b");
    assert.equal(await requestsOf(), "team_b");
    inTab(first);
    assert.equal(await requestsOf(), null);
    rememberTeam("team_a");
    inTab(second);
    assert.equal(await requestsOf(), "team_b");
    assert.equal(await requestsOf({ team: "team_c" }), "team_c");
    inTab(third);
    assert.equal(await requestsOf(), "team_a", "a new tab begins with what was chosen last");
    inTab(second);
    offerTeam();
    inTab(storage());
    assert.equal(await requestsOf(), "team_b", "or with what the tab has that was used last");
    rememberTeam(null);
    assert.equal(await requestsOf(), null);
  });

  it("ends with the caller's reason", async () => {
    ways = [() => {}];
    await assert.rejects(
      requestJson("v1/runs", { signal: AbortSignal.abort(new Error("Enough.")) }),
      /Enough/,
    );
  });

  it("for a stream is repeated if no response starts or no more data arrives", async () => {
    ways = [() => {}, res => stream(res).write(":\n\n"), () => {}];
    const [said, stop]: [string[], AbortController] = [[], new AbortController()];
    const listener = {
      path: "v1/events",
      onEvent: () => said.push("event"),
      onOpened: () => said.push("opened"),
      onBroken: () => said.push("broke"),
      silenceTimeoutMs: 200,
    };
    const followed = followStream(listener, stop.signal);
    await until(() => said.length === 3);
    stop.abort();
    await followed;
    assert.deepEqual(said, ["broke", "opened", "broke"]);
  });

  it("for a stream is open after the first data, and not for another page", async () => {
    const event = "event: runs\ndata: {}\n\n";
    ways = [
      res => stream(res).end(),
      res => res.writeHead(200, { "Content-Type": "text/html" }).end(`<p>Wait.\n\n${event}`),
      res => stream(res).write(":\n\n"),
    ];
    const [said, stop]: [string[], AbortController] = [[], new AbortController()];
    const listener = {
      path: "v1/events",
      onEvent: () => said.push("event"),
      onOpened: () => said.push("opened"),
      onBroken: () => said.push("broke"),
    };
    const followed = followStream(listener, stop.signal);
    await until(() => said.length === 3);
    stop.abort();
    await followed;
    assert.deepEqual(said, ["broke", "broke", "opened"]);
  });

  it("is repeated after a load that was in progress during the change", async () => {
    const client = new QueryClient();
    const answers: ((version: number) => void)[] = [];
    const queryFn = () => new Promise<number>(resolve => answers.push(resolve));
    const observer = new QueryObserver(client, { queryKey: ["runs"], queryFn });
    const leave = observer.subscribe(() => {});
    const read = reloadQueries(client, { queryKey: ["runs"] });
    answers[0]?.(1);
    await until(() => answers.length === 2);
    answers[1]?.(2);
    await read;
    assert.equal(observer.getCurrentResult().data, 2);
    leave();
    client.clear();
  });
});
