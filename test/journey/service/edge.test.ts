import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { runList, runView } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { BAD_RUNS, BAD_URLS, numbered, URL_OK } from "../../support/fixtures/bad-runs.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

describe("the edge", () => {
  let vrs: Vrs;
  let site: Site;

  before(async () => {
    [vrs, site] = await Promise.all([Vrs.start(), Site.start({ "/": "<h1>Home</h1>", "/a": "<h1>A</h1>" })]);
  });

  after(async () => {
    await vrs?.stop();
    await site?.stop();
  });

  const submit = (body: unknown, headers: Record<string, string> = {}) =>
    vrs.request("/v1/run", {
      method: "POST",
      headers: { ...JSON_TYPE, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  const accepted = async (response: Response, status: 200 | 202) => {
    const text = await response.text();
    assert.equal(response.status, status, text);
    return submittedRun.parse(JSON.parse(text));
  };

  describe("refuses a body", () => {
    for (const [what, body, paths] of BAD_RUNS) {
      it(what, async () => {
        const { errors = [] } = await problemOf(await submit(body), "invalid_request");
        assert.deepEqual([...new Set(errors.map(error => error.path))].sort(), paths.toSorted());
        for (const { message } of errors) assert.notEqual(message, "");
      });
    }

    for (const [kind, ...urls] of BAD_URLS) {
      it(`with an address ${kind}`, async () => {
        for (const url of urls) {
          const { errors = [] } = await problemOf(await submit({ url }), "invalid_request");
          assert.deepEqual(
            errors.map(error => error.path),
            ["url"],
            url,
          );
        }
      });
    }

    it("that is not JSON", async () => {
      for (const body of ["{", "nope", "{'url':1}", `{"url":"${URL_OK}"`]) {
        await problemOf(await submit(body), "malformed_json");
      }
    });

    it("that is empty", async () => {
      const answer = await vrs.request("/v1/run", { method: "POST", headers: JSON_TYPE });
      await problemOf(answer, "invalid_request");
    });

    it("over 1 MiB", async () => {
      const space = " ".repeat(1024 * 1024);
      await problemOf(await submit(`{"url":"${URL_OK}"${space}}`), "payload_too_large");
    });

    it("of another type, encoding or charset", async () => {
      const body = JSON.stringify({ url: URL_OK });
      for (const [name, value] of [
        ["Content-Type", "text/plain"],
        ["Content-Type", "application/jsonp"],
        ["Content-Type", "application/json; charset=latin1"],
        ["Content-Type", "application/json; charset=utf-16le"],
        ["Content-Encoding", "compress"],
      ] as const) {
        await problemOf(await submit(body, { [name]: value }), "unsupported_media_type");
      }
    });

    it("that is not UTF-8", async () => {
      const body = Buffer.concat([
        Buffer.from(`{"url":"${URL_OK}","project":"caf`),
        Buffer.from([0xe9]),
        Buffer.from('"}'),
      ]);
      const answer = await vrs.request("/v1/run", {
        method: "POST",
        headers: JSON_TYPE,
        body: new Uint8Array(body),
      });
      const { detail } = await problemOf(answer, "malformed_json");
      assert.match(detail, /not valid UTF-8/);
    });

    it("that is not compressed as declared, and names the encoding", async () => {
      const packed = gzipSync(JSON.stringify({ url: URL_OK }));
      const bodies: [encoding: string, body: Buffer][] = [
        ["gzip", Buffer.from("{}")],
        ["gzip", packed.subarray(0, packed.length - 12)],
        ["br", packed],
      ];
      const send = (encoding: string, body: Buffer) =>
        vrs.request("/v1/run", {
          method: "POST",
          headers: { ...JSON_TYPE, "Content-Encoding": encoding },
          body: new Uint8Array(body),
        });
      for (const [encoding, body] of bodies) {
        const { detail } = await problemOf(await send(encoding, body), "malformed_json");
        assert.match(detail, new RegExp(`not valid ${encoding}, although its Content-Encoding`));
      }
      const { detail } = await problemOf(await send("compress", packed), "unsupported_media_type");
      assert.match(detail, /Content-Encoding compress is not supported.*gzip/);
    });

    it("with an invalid Idempotency-Key", async () => {
      for (const key of ["", "two words", "x".repeat(201), "schlüssel"]) {
        const answer = await submit({ url: URL_OK }, { "Idempotency-Key": key });
        const { errors = [] } = await problemOf(answer, "invalid_request");
        assert.equal(errors[0]?.path, "Idempotency-Key");
      }
    });

    it("without any effect", async () => {
      const { data } = runList.parse(await (await vrs.request("/v1/runs")).json());
      assert.deepEqual(data, []);
    });
  });

  describe("refuses a request", () => {
    it("for an unknown path", async () => {
      for (const path of [
        "/v1/runs/run_01m7yh08zgfev961ch0fdydy21",
        "/v1/runs/none/events",
        "/v1/screenshots/none",
        "/v1/reports/none",
        "/v1/reports/none?token=none",
        "/v1/nothing",
        "/V1/usage",
        "/v1/Runs",
        "/v1/runs/a/b",
        "//v1/runs",
        "/.env",
      ]) {
        await problemOf(await vrs.request(path), "not_found");
      }
      await problemOf(await vrs.request("/V1/usage", { method: "PUT" }), "not_found");
      await problemOf(await vrs.post("/v1/runs/none/cancel", undefined), "not_found");
      await problemOf(await vrs.post("/v1/baselines/none/approve", {}), "not_found");
      await problemOf(await vrs.request("/v1/keys/none", { method: "DELETE" }), "not_found");
    });

    it("with a hostile id, as for an unknown one", async () => {
      for (const id of [
        "%zz",
        "%00",
        "%ed%a0%80",
        "..%2f..%2fetc%2fpasswd",
        "'%20or%201=1--",
        "x".repeat(8_000),
      ]) {
        await problemOf(await vrs.request(`/v1/runs/${id}`), "not_found");
        await problemOf(await vrs.request(`/v1/screenshots/${id}`), "not_found");
        await problemOf(await vrs.request(`/v1/reports/${id}?token=x`), "not_found");
        await problemOf(await vrs.post(`/v1/baselines/${id}/approve`, {}), "not_found");
      }
    });

    it("with another method, and lists the allowed ones", async () => {
      const others: [method: string, path: string, allow: string][] = [
        ["GET", "/v1/run", "POST"],
        ["POST", "/v1/runs", "GET, HEAD"],
        ["PUT", "/v1/runs/x", "GET, HEAD"],
        ["PATCH", "/v1/keys", "GET, HEAD, POST"],
        ["OPTIONS", "/v1/keys", "GET, HEAD, POST"],
        ["DELETE", "/health", "GET, HEAD"],
      ];
      for (const [method, path, allow] of others) {
        const answer = await vrs.request(path, { method });
        assert.equal(answer.headers.get("allow"), allow);
        await problemOf(answer, "method_not_allowed");
      }
    });

    it("that is disguised as a preflight", async () => {
      const asked = { "Access-Control-Request-Method": "POST", Origin: "https://evil.example" };
      const answer = await vrs.request("/v1/runs/none/cancel", { method: "OPTIONS", headers: asked });
      assert.equal(answer.headers.get("access-control-allow-origin"), null);
      await problemOf(answer, "method_not_allowed");
    });

    it("with an unknown query parameter", async () => {
      const queries: [query: string, path: string][] = [
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["limit=1.5", "limit"],
        ["limit=abc", "limit"],
        ["limit=", "limit"],
        ["limit=1&limit=2", "limit"],
        ["page=2", "page"],
        ["cursor=none", "cursor"],
        ["cursor=", "cursor"],
        ["cursor=%00", "cursor"],
        ["status=done", "status"],
        ["conclusion=failed", "conclusion"],
        ["project=a&project=b", "project"],
        ["project=%00", "project"],
        ["branch=%00", "branch"],
      ];
      for (const [query, path] of queries) {
        const { errors } = await problemOf(await vrs.request(`/v1/runs?${query}`), "invalid_request");
        assert.equal(errors?.[0]?.path, path, query);
      }
      await problemOf(await vrs.request("/v1/keys?status=queued"), "invalid_request");
      await problemOf(await vrs.request("/v1/screenshots/none?limit=2001"), "invalid_request");
    });

    it("on a connection that stays open longer than those of load balancers", async () => {
      const answer = await vrs.request("/v1/nothing");
      assert.equal(answer.headers.get("keep-alive"), "timeout=75");
      await problemOf(answer, "not_found");
    });

    it("with the caller's request id, if it is valid", async () => {
      const ask = (id: string) => vrs.request("/v1/nothing", { headers: { "X-Request-Id": id } });
      assert.equal((await problemOf(await ask("trace-7:a.b"), "not_found")).requestId, "trace-7:a.b");
      assert.match((await problemOf(await ask("<script>"), "not_found")).requestId, /^[0-9a-f-]{36}$/);
    });
  });

  describe("accepts a run", () => {
    it("and removes duplicate routes and widths", async () => {
      const body = { url: site.url, routes: ["/", "/a", "/"], viewports: [800, 400, 800] };
      const { id } = await accepted(await submit(body), 202);
      const run = runView.parse(await (await vrs.request(`/v1/runs/${id}`)).json());
      assert.equal(run.progress.total, 4);
    });

    it("and lists all its screenshots, or as many as requested", async () => {
      const routes = numbered(400);
      const body = { url: URL_OK, routes, viewports: [300, 400, 500], project: "long list" };
      const { id } = await accepted(await submit(body), 202);
      await vrs.request(`/v1/runs/${id}/cancel`, { method: "POST" });
      const read = async (query: string) =>
        screenshotList.parse(await (await vrs.request(`/v1/screenshots/${id}${query}`)).json());
      const whole = await read("");
      assert.deepEqual([whole.data.length, whole.nextCursor], [1200, null]);
      const first = await read("?limit=700");
      const rest = await read(`?limit=700&cursor=${first.nextCursor}`);
      assert.deepEqual([first.data.length, rest.data.length, rest.nextCursor], [700, 500, null]);
      const ids = [...first.data, ...rest.data].map(screenshot => screenshot.id);
      assert.deepEqual(
        ids,
        whole.data.map(screenshot => screenshot.id),
      );
    });

    it("at every bound", async () => {
      const body = { url: site.url, routes: numbered(500), viewports: [240, 640, 1280, 3840], threshold: 1 };
      const { id } = await accepted(await submit(body), 202);
      const canceled = runView.parse(await (await vrs.post(`/v1/runs/${id}/cancel`, undefined)).json());
      assert.equal(canceled.progress.total, 2_000);
      assert.equal(canceled.status, "canceled");
    });

    it("once for an Idempotency-Key of concurrent requests", async () => {
      const ask = async () => {
        const answer = await submit({ url: site.url }, { "Idempotency-Key": "once" });
        return accepted(answer, answer.status === 202 ? 202 : 200);
      };
      const runs = await Promise.all(Array.from({ length: 8 }, ask));
      assert.equal(new Set(runs.map(run => run.id)).size, 1);
      assert.equal(runs.filter(run => run.deduplicated).length, 7);
      const other = await submit({ url: site.url, threshold: 0 }, { "Idempotency-Key": "once" });
      const { detail, errors } = await problemOf(other, "invalid_request");
      assert.equal(errors?.[0]?.path, "Idempotency-Key");
      assert.ok(detail.includes(runs[0]?.id ?? "an id"), detail);
    });

    it("once for a URL and a commit, whatever else differs", async () => {
      const at = (sha: string) => ({ url: site.url, scm: { owner: "acme", repo: "shop", sha } });
      const first = await accepted(await submit(at("abcdef1234")), 202);
      const again = await accepted(await submit({ ...at("ABCDEF1234"), viewports: [375] }), 200);
      assert.deepEqual([again.id, again.deduplicated, again.project], [first.id, true, "acme/shop"]);
      for (const spelled of [`${site.url}/`, site.url.toUpperCase(), `${site.url}#top`]) {
        const same = await accepted(await submit({ ...at("abcdef1234"), url: spelled }), 200);
        assert.deepEqual([same.id, same.deduplicated], [first.id, true], spelled);
      }
      const next = await accepted(await submit(at("abcdef1235")), 202);
      const elsewhere = await accepted(await submit({ ...at("abcdef1234"), url: `${site.url}/a` }), 202);
      assert.equal(new Set([first.id, next.id, elsewhere.id]).size, 3);
    });

    it("whose body has any JSON content type", async () => {
      const answer = await submit(
        { url: site.url },
        { "Content-Type": "application/vnd.api+json; charset=UTF-8" },
      );
      await accepted(answer, 202);
    });
  });

  describe("after all of this", () => {
    it("has no unexpected errors in its log", async () => {
      await vrs.stop();
      assert.doesNotMatch(vrs.output, /Request \S+ failed/);
    });
  });
});
