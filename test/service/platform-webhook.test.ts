import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { CloudApi, problem } from "../support/cloud-api.ts";
import { Integration, SECRET, sign } from "../support/integration.ts";
import { PREVIEW, PREVIEW_DOMAIN, ready, readyEvent, SHA } from "../support/platform-events.ts";

const INVALID = { status: 401, body: { error: "Invalid signature" } };
const NOT_ALLOWED = { status: 400, body: { triggered: false, error: "Preview URL not allowed" } };
const NOT_JSON = { status: 400, body: { triggered: false, error: "Body is not a JSON object" } };
const skipped = (reason: string) => ({ status: 200, body: { triggered: false, reason } });
const DUPLICATE = skipped("Duplicate delivery (already processed)");
const triggered = (runId = "run_1", previewUrl = `https://${PREVIEW}`) => ({
  status: 200,
  body: { triggered: true, runId, previewUrl },
});

/** Numbers that look random and are the same each time. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe("The deployment platform's webhook", function () {
  this.timeout(60_000);
  let api: CloudApi;
  let integration: Integration;

  before(async () => {
    api = await CloudApi.start();
    const settings = { PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN, SERVICE_ROUTES: " /, ,/pricing?a=1 ," };
    integration = await Integration.start({ ...api.env, ...settings });
  });
  beforeEach(() => api.reset());
  afterEach(() => assert.deepEqual(api.faults, []));
  after(async () => {
    await integration?.stop();
    await api?.close();
  });

  const deliver: Integration["deliver"] = (...args) => integration.deliver(...args);
  const answer = async (...args: Parameters<Integration["deliver"]>) => {
    const { status, body } = await deliver(...args);
    return { status, body };
  };
  const sql = (text: string, values: unknown[] = []) => integration.em().execute(text, values);

  describe("the signature", () => {
    const body = ready();
    const right = sign(body);
    const cases: Record<string, string> = {
      "of other bytes": sign(`${body} `),
      "with another secret": sign(body, `${SECRET}x`),
      "of zeros": "0".repeat(40),
      "too short": right.slice(1),
      "too long": `${right}0`,
      "twice as long": right + right,
      "not in hex": `g${right.slice(1)}`,
      "with a name before it": `sha1=${right}`,
      "in base64": Buffer.from(right, "hex").toString("base64"),
      "with a blank within": `${right.slice(0, 20)} ${right.slice(20)}`,
      "of characters that are not ASCII": "é".repeat(40),
      empty: "",
    };
    for (const [name, signature] of Object.entries(cases))
      it(`is refused when it is ${name}`, async () => {
        assert.deepEqual(await answer(body, { headers: { "x-platform-signature": signature } }), INVALID);
        assert.equal(api.asked, 0);
      });

    it("is refused when there is none, and whatever the body is", async () => {
      const unsigned = await fetch(`${integration.baseUrl}/api/webhook`, { method: "POST", body });
      assert.deepEqual({ status: unsigned.status, body: await unsigned.json() }, INVALID);
      assert.deepEqual(await answer("{", { headers: { "x-platform-signature": sign("}") } }), INVALID);
    });

    it("is over the bytes: the same JSON written anew is refused", async () => {
      const signature = { "x-platform-signature": right };
      for (const rewritten of [JSON.stringify(JSON.parse(body), null, 2), `${body}\n`, `\ufeff${body}`])
        assert.deepEqual(await answer(rewritten, { headers: signature }), INVALID);
    });

    it("is over the bytes as they came: of what was inside a compressed body it is refused", async () => {
      const zipped = gzipSync(body);
      const headers = { "content-encoding": "gzip" };
      assert.deepEqual(
        await answer(zipped, { headers: { ...headers, "x-platform-signature": right } }),
        INVALID,
      );
      // Rightly signed it is from the platform, but nothing that can be read.
      assert.deepEqual(await answer(zipped, { headers }), NOT_JSON);
    });

    it("is right in capitals, over a body in chunks, and whatever the content type", async () => {
      const event = ready();
      const headers = { "x-platform-signature": sign(event).toUpperCase(), "content-type": "text/plain" };
      assert.deepEqual(await answer(event, { headers, chunked: true }), triggered());
    });
  });

  describe("the body", () => {
    const bodies: Record<string, string | Buffer> = {
      empty: "",
      "cut off": ready().slice(0, -1),
      "two objects": "{}{}",
      "a list": "[]",
      "a text": '"deployment.succeeded"',
      null: "null",
      "not UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      "nested too deeply to be an event": "[".repeat(400_000) + "]".repeat(400_000),
    };
    for (const [name, bytes] of Object.entries(bodies))
      it(`${name} is no event, although it is signed`, async () => {
        assert.deepEqual(await answer(bytes), NOT_JSON);
      });

    it("of more than 1 MiB is refused unread, with its length told and without", async () => {
      const large = Buffer.alloc(10 * 1024 * 1024, " ");
      assert.equal((await answer(large)).status, 413);
      const chunks = new ReadableStream({
        start(controller) {
          for (let sent = 0; sent < large.length; sent += 65_536)
            controller.enqueue(large.subarray(0, 65_536));
          controller.close();
        },
      });
      const init = {
        method: "POST",
        body: chunks,
        duplex: "half",
        headers: { "x-platform-signature": sign(large) },
      };
      const outcome = await fetch(`${integration.baseUrl}/api/webhook`, init).then(
        ({ status }) => status,
        () => "hung up",
      );
      assert.ok([413, "hung up"].includes(outcome), String(outcome));
      // 1 MiB itself is read.
      assert.deepEqual(await answer(ready().padEnd(1024 * 1024, " ")), triggered());
    });

    it("counts with the last of two equal keys, and pollutes nothing", async () => {
      const twice = ready().replace('"target":null', '"target":"production","target":null');
      assert.deepEqual(await answer(twice), triggered());
      const production = ready().replace('"target":null', '"target":null,"target":"production"');
      assert.deepEqual(await answer(production), skipped("Skipping production deployment"));
      const proto = ready().replace(
        '"meta":{}',
        '"meta":{"__proto__":{"scmOrg":"o","scmRepo":"r","gitCommitSha":"0123456"}}',
      );
      assert.deepEqual(await answer(proto), triggered("run_2"));
      assert.deepEqual(
        api.runs.map(({ scm }) => scm),
        [undefined, undefined],
      );
      const polluting = '{"__proto__":{"type":"deployment.ready"},"constructor":{"prototype":{"type":"x"}}}';
      assert.deepEqual(await answer(polluting), skipped("Ignored event type: none"));
      assert.equal(Reflect.get({}, "type"), undefined);
    });
  });

  describe("an event", () => {
    for (const type of [
      "deployment.created",
      "deployment.error",
      "deployment.canceled",
      "deployment",
      "Deployment.Ready",
    ])
      it(`${type} starts nothing`, async () => {
        assert.deepEqual(await answer(ready({ type })), skipped(`Ignored event type: ${type}`));
        assert.equal(api.asked, 0);
      });

    it("of no type, or of one that is no text or very long, starts nothing", async () => {
      for (const type of [null, 5, {}, ""])
        assert.deepEqual(await answer(ready({ type })), skipped("Ignored event type: none"));
      assert.deepEqual(
        await answer(ready({ type: "x".repeat(9_000) })),
        skipped(`Ignored event type: ${"x".repeat(100)}`),
      );
    });

    const targets: [unknown, string][] = [
      ["production", "Skipping production deployment"],
      ["staging", "Skipping staging deployment"],
      ["", "Skipping production deployment"],
      [false, "Skipping production deployment"],
      [0, "Skipping production deployment"],
      [{}, "Skipping production deployment"],
      ["<script>", "Skipping production deployment"],
    ];
    for (const [target, reason] of targets)
      it(`for ${JSON.stringify(target)} starts nothing`, async () => {
        assert.deepEqual(await answer(ready({ deployment: { target } })), skipped(reason));
        assert.equal(api.asked, 0);
      });

    it("without a URL starts nothing", async () => {
      for (const url of [undefined, null, "", 5, ["a"]])
        assert.deepEqual(await answer(ready({ deployment: { url } })), skipped("Deployment has no URL"));
      const without = { ...readyEvent(), payload: "none" };
      assert.deepEqual(await answer(JSON.stringify(without)), skipped("Deployment has no URL"));
    });

    it("of a preview starts a run, of either type, with and without a target", async () => {
      assert.deepEqual(await answer(ready({ type: "deployment.ready" })), triggered("run_1"));
      assert.deepEqual(await answer(ready({ deployment: { target: undefined } })), triggered("run_2"));
      assert.deepEqual(
        api.runs.map(({ url, routes, project, scm }) => ({ url, routes, project, scm })),
        [
          { url: `https://${PREVIEW}`, routes: ["/", "/pricing?a=1"], project: "shop", scm: undefined },
          { url: `https://${PREVIEW}`, routes: ["/", "/pricing?a=1"], project: "shop", scm: undefined },
        ],
      );
    });

    it("is judged for its type before its target, and for that before its URL", async () => {
      const all = ready({ type: "other", deployment: { target: "production", url: "http://127.0.0.1" } });
      assert.deepEqual(await answer(all), skipped("Ignored event type: other"));
      const two = ready({ deployment: { target: "production", url: "http://127.0.0.1" } });
      assert.deepEqual(await answer(two), skipped("Skipping production deployment"));
    });
  });

  describe("a commit", () => {
    const meta = {
      scmCommitSha: SHA,
      scmPrId: "7",
      scmOrg: "acme",
      scmRepo: "shop",
      scmCommitRef: "topic",
    };

    it("goes along, and its number as one", async () => {
      await deliver(ready({ deployment: { meta } }));
      const [run] = api.runs;
      assert.deepEqual(run?.scm, { owner: "acme", repo: "shop", sha: SHA, pr: 7, branch: "topic" });
      // The API names it owner/repo, as it does everybody's runs of that repository.
      assert.equal(run?.project, undefined);
    });
  });

  describe("a delivery", () => {
    it("that comes again is answered as a duplicate, for 24 hours", async () => {
      const body = ready();
      assert.deepEqual(await answer(body), triggered());
      assert.deepEqual(await answer(body), DUPLICATE);
      await sql("update platform.delivery set done_at = done_at - interval '23 hours 59 minutes'");
      assert.deepEqual(await answer(body), DUPLICATE);
      await sql("update platform.delivery set done_at = done_at - interval '2 minutes'");
      api.reset();
      assert.deepEqual(await answer(body), triggered());
      assert.deepEqual(await answer(body), DUPLICATE);
    });

    it("is known by its id alone, whatever else is in it and however long it is", async () => {
      const id = `\u0000${"é".repeat(900)}`;
      assert.deepEqual(await answer(ready({ id })), triggered());
      assert.deepEqual(await answer(ready({ id, deployment: { url: "http://127.0.0.1" } })), DUPLICATE);
      assert.deepEqual(await answer(ready({ id: `${id}.` })), triggered("run_2"));
    });

    it("without an id cannot be told from others", async () => {
      for (const run of ["run_1", "run_2"])
        assert.deepEqual(await answer(ready({ id: null })), triggered(run));
    });

    it("that comes ten times at the same moment is one run, whose id one of them gets", async () => {
      const body = ready();
      let open = () => {};
      api.gate = new Promise<void>(resolve => {
        open = resolve;
      });
      const all = Promise.all(Array.from({ length: 10 }, () => answer(body)));
      while (api.asked === 0) await new Promise(resolve => setTimeout(resolve, 10));
      open();
      const answers = await all;
      assert.equal(api.asked, 1);
      assert.deepEqual(
        answers.filter(({ body }) => JSON.stringify(body).includes("run_1")),
        [triggered()],
      );
      assert.equal(answers.filter(({ body }) => JSON.stringify(body).includes("Duplicate")).length, 9);
    });

    it("that fails while an equal one waits is the other's to try", async () => {
      const body = ready();
      let open = () => {};
      api.gate = new Promise<void>((_, reject) => {
        open = () => reject(new Error("failed"));
      });
      api.gate.catch(() => {});
      const first = answer(body);
      while (api.asked === 0) await new Promise(resolve => setTimeout(resolve, 10));
      const second = answer(body);
      await new Promise(resolve => setTimeout(resolve, 200));
      const failed = api.gate;
      api.gate = Promise.resolve();
      open();
      await failed.catch(() => {});
      assert.equal((await first).status, 502);
      assert.deepEqual(await second, triggered());
      assert.match(api.faults.splice(0).join(), /failed/);
    });

    it("whose node died is processed when it comes again after the claim is over", async () => {
      const event = readyEvent();
      api.fail.push("hang up");
      const answers = answer(JSON.stringify(event));
      assert.equal((await answers).status, 502);
      // As a node leaves it that ends between claim and answer.
      await deliver(JSON.stringify(event));
      await sql(
        "update platform.delivery set done_at = null, claimed_at = now() - interval '12.5 seconds', claim = 'dead'",
      );
      api.reset();
      const began = Date.now();
      assert.deepEqual(await answer(JSON.stringify(event)), triggered());
      assert.ok(Date.now() - began < 10_000);
    });

    it("that was refused or not wanted yet is judged anew when it comes again", async () => {
      const event = readyEvent({
        deployment: { url: "https://shop.example" },
        payload: { project: { id: "prj_later" } },
      });
      const body = JSON.stringify(event);
      for (let time = 0; time < 2; time++) assert.deepEqual(await answer(body), NOT_ALLOWED);
      await sql("insert into platform.consent (key, registered_at) values ('project:prj_later', now())");
      assert.deepEqual(await answer(body), triggered("run_1", "https://shop.example"));
      assert.deepEqual(await answer(body), DUPLICATE);
    });
  });

  describe("consent", () => {
    beforeEach(() => sql("delete from platform.consent"));
    const consent = (key: string) =>
      sql("insert into platform.consent (key, registered_at) values (?, now())", [key]);
    const custom = (project: unknown = "prj_a", team: unknown = "team_a") =>
      ready({
        deployment: { url: "shop.example" },
        payload: { project: { id: project }, team: { id: team } },
      });
    const allowed = async (body: string) => {
      const { status, body: answered } = await answer(body);
      if (status === 400) assert.deepEqual(answered, NOT_ALLOWED.body);
      else assert.equal(status, 200);
      return status === 200;
    };

    it("is needed for a custom domain: of the project, or of all of the team's", async () => {
      assert.equal(await allowed(custom()), false);
      await consent("project:prj_b");
      await consent("team:team_b");
      assert.equal(await allowed(custom()), false);
      assert.equal(await allowed(custom("prj_b")), true);
      assert.equal(await allowed(custom("prj_c", "team_b")), true);
      assert.equal(await allowed(custom("prj_a", "team_a")), false);
    });

    it("of a team registers a project that is new, and goes for both in one moment", async () => {
      await consent("team:team_a");
      assert.equal(await allowed(custom()), true);
      const keys = async () =>
        (await sql("select key from platform.consent order by key")).map(({ key }) => key);
      assert.deepEqual(await keys(), ["project:prj_a", "team:team_a"]);
      assert.equal(await allowed(custom()), true);
      // What is registered under one team's record opens nothing for another team.
      assert.equal(await allowed(custom("prj_a", "team_b")), false);
      await sql("delete from platform.consent where key = 'team:team_a'");
      assert.deepEqual(await keys(), []);
      assert.equal(await allowed(custom()), false);
    });

    it("of a project is over at once when its record is deleted", async () => {
      await consent("project:prj_a");
      assert.equal(await allowed(custom()), true);
      await sql("delete from platform.consent where key = 'project:prj_a'");
      assert.equal(await allowed(custom()), false);
    });

    it("is asked for by ids only: nothing that is none opens anything", async () => {
      await consent("project:");
      await consent("project:null");
      await consent("team:undefined");
      for (const id of [null, undefined, "", {}, [], "a b", "a\u0000", "x".repeat(201)])
        assert.equal(await allowed(custom(id, id)), false, JSON.stringify(id));
    });

    it("takes ids that are numbers, and a person's where there is no team", async () => {
      await consent("project:17");
      await consent("team:user_a");
      assert.equal(await allowed(custom(17)), true);
      const personal = {
        deployment: { url: "shop.example" },
        payload: { team: null, user: { id: "user_a" } },
      };
      assert.equal(await allowed(ready(personal)), true);
      const ofTeam = { ...personal, payload: { team: { id: "team_x" }, user: { id: "user_a" } } };
      assert.equal(await allowed(ready(ofTeam)), false);
    });

    for (const host of [
      "a.previews.example",
      "a.b.previews.example",
      "A.PREVIEWS.EXAMPLE",
      "a.previews.example.",
    ])
      it(`is not needed for ${host}`, async () => {
        assert.equal(await allowed(ready({ deployment: { url: host } })), true);
      });

    for (const host of [
      "evilpreviews.example",
      "previews.example.evil.example",
      "previews.example",
      "evil.example/previews.example",
      "evil.example?.previews.example",
      "evil.example#.previews.example",
      "evil.example\\.previews.example",
      "a.previews.example@evil.example",
      "evil.example:443/a.previews.example",
      "a.previews.exаmple",
      "a.previews.example%2eevil.example",
    ])
      it(`is needed for ${host}`, async () => {
        assert.equal(await allowed(ready({ deployment: { url: host } })), false);
      });
  });

  describe("the URL guard", () => {
    before(() => sql("insert into platform.consent (key, registered_at) values ('project:prj_all', now())"));
    after(() => sql("delete from platform.consent"));
    const withConsent = (url: string) =>
      ready({ deployment: { url }, payload: { project: { id: "prj_all" } } });

    const refused = [
      // Schemes.
      "http://shop.example",
      "ftp://shop.example",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:text/html,x",
      "wss://shop.example",
      // Loopback.
      "https://127.0.0.1",
      "https://127.255.255.254:8443/a",
      "https://[::1]",
      "https://localhost",
      "https://LOCALHOST.",
      "localhost:8443",
      "https://localhost.localdomain",
      "https://a.localhost",
      "https://ⓛocalhost",
      "https://2130706433",
      "https://0x7f000001",
      "https://0x7f.1",
      "https://0177.0.0.1",
      "https://127.1",
      "https://127。0。0。1",
      "https://127.0.0.1.",
      // Link-local, and the metadata address in it.
      "https://169.254.0.1",
      "https://169.254.169.254/latest/meta-data",
      "https://2852039166",
      // Private.
      "https://10.0.0.1",
      "https://10.255.255.255",
      "https://172.16.0.1",
      "https://172.31.255.255",
      "https://192.168.1.1",
      // IPv6.
      "https://[fc00::1]",
      "https://[fdff:ffff::1]",
      "https://[fe80::1]",
      "https://[febf::1]",
      "https://[::]",
      "https://[::ffff:127.0.0.1]",
      "https://[::ffff:a00:1]",
      "https://[::127.0.0.1]",
      "https://[64:ff9b::7f00:1]",
      "https://[2002:7f00:1::]",
      "https://[ff02::1]",
      // Carrier-grade NAT.
      "https://100.64.0.1",
      "https://100.127.255.255",
      // Multicast, reserved, this network.
      "https://224.0.0.1",
      "https://239.255.255.255",
      "https://240.0.0.1",
      "https://255.255.255.255",
      "https://0.0.0.0",
      "https://0.1.2.3",
      "https://0",
      // Metadata names.
      "https://metadata.google.internal",
      "https://metadata.google.internal./computeMetadata/v1",
      "https://metadata",
      "https://METADATA.",
      // What is no address of a page.
      "https://user@shop.example",
      "https://user:password@shop.example",
      "https://shop.example:22",
      "https://shop.example:0",
      "https://shop.example:99999",
      "https://",
      "https:///",
      "https://a b.example",
      "https://[::1",
      "https://256.256.256.256",
      `https://shop.example/${"a".repeat(2_000)}`,
    ];
    for (const url of refused)
      it(`refuses ${url.slice(0, 60)}, with consent too`, async () => {
        assert.deepEqual(await answer(withConsent(url)), NOT_ALLOWED);
        assert.equal(api.asked, 0);
      });

    it("is not done with when the host is on the platform's own domain", async () => {
      for (const url of [`http://${PREVIEW}`, `https://user@${PREVIEW}`, `https://${PREVIEW}:22`])
        assert.deepEqual(await answer(ready({ deployment: { url } })), NOT_ALLOWED);
    });

    const taken: Record<string, string> = {
      "shop.example": "https://shop.example",
      "https://shop.example": "https://shop.example",
      "HTTPS://Shop.Example/": "https://shop.example/",
      " shop.example/a?b=c ": "https://shop.example/a?b=c",
      "shop.example:8443": "https://shop.example:8443",
      "https://bücher.example": "https://xn--bcher-kva.example",
      "https://8.8.8.8": "https://8.8.8.8",
      "https://172.32.0.1": "https://172.32.0.1",
      "https://100.128.0.1": "https://100.128.0.1",
      "https://[2606:4700::1111]": "https://[2606:4700::1111]",
      "https://metadata.example": "https://metadata.example",
      "https://localhost.example": "https://localhost.example",
      "https://sh\top.example": "https://shop.example",
    };
    for (const [url, sent] of Object.entries(taken))
      it(`takes ${JSON.stringify(url)}, and sends on what it judged`, async () => {
        assert.deepEqual(await answer(withConsent(url)), triggered("run_1", sent));
        assert.deepEqual(
          api.runs.map(run => run.url),
          [sent],
        );
      });
  });

  describe("the Cloud API", () => {
    const faults: Record<string, [(typeof api.fail)[number], object]> = {
      "refuses the run": [
        res => problem(res, 402, "plan_limit_exceeded", "The team has used 50 of the 50 runs."),
        {
          status: 402,
          code: "plan_limit_exceeded",
          error: "The team has used 50 of the 50 runs.",
          requestId: "request-1",
        },
      ],
      "does not know the key, as in the middle of a key's exchange": [
        res => problem(res, 401, "unauthorized", "This API key is unknown or was revoked."),
        {
          status: 401,
          code: "unauthorized",
          error: "This API key is unknown or was revoked.",
          requestId: "request-1",
        },
      ],
      "asks for patience": [
        res => problem(res, 503, "unavailable", "Try again shortly.", { "Retry-After": "60" }),
        { status: 503, code: "unavailable", error: "Try again shortly.", requestId: "request-1" },
      ],
      "answers with a proxy's page that has the key in it": [
        res => void res.writeHead(500).end(`<h1>Bad: Bearer ${api.key}</h1>`),
        { status: 500, code: "unknown", error: "500 <h1>Bad: Bearer …</h1>", requestId: null },
      ],
      "answers with something else than a run": [
        res => void res.writeHead(200).end("<h1>Welcome</h1>"),
        {
          status: null,
          code: "unreachable",
          error: "The Cloud API's answer could not be read",
          requestId: null,
        },
      ],
      "answers with an error of ten thousand words": [
        res => problem(res, 500, "internal", "word ".repeat(10_000)),
        { status: 500, code: "internal", error: "word ".repeat(100), requestId: "request-1" },
      ],
    };
    for (const [name, [fault, body]] of Object.entries(faults))
      it(`that ${name}: 502 with its error, and the delivery may come again`, async () => {
        const bytes = ready();
        api.fail.push(fault);
        assert.deepEqual(await answer(bytes), { status: 502, body: { triggered: false, ...body } });
        assert.deepEqual(await answer(bytes), triggered());
        assert.deepEqual(await answer(bytes), DUPLICATE);
      });

    it("that hangs up: 502, and the delivery may come again", async () => {
      const bytes = ready();
      api.fail.push("hang up");
      const { status, body } = await answer(bytes);
      assert.equal(status, 502);
      assert.match(
        JSON.stringify(body),
        /"triggered":false,"error":"The Cloud API could not be reached: .+"status":null/,
      );
      assert.deepEqual(await answer(bytes), triggered());
    });
  });

  it("never fails, and never starts a run for what is not signed: a thousand mutations", async () => {
    const below = seeded(20_251_121);
    const original = Buffer.from(
      ready({ deployment: { meta: { scmCommitSha: SHA, scmOrg: "acme", scmRepo: "shop", scmPrId: 7 } } }),
    );
    const mutate = () => {
      const bytes = Buffer.from(original);
      for (let changes = 1 + below(4); changes > 0; changes--) bytes[below(bytes.length)] = below(256);
      const [from, to] = [below(bytes.length), below(bytes.length)];
      // Some lose a part, or have one twice.
      if (below(4) === 0) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
      return bytes;
    };
    const statuses = new Map<number, number>();
    for (let round = 0; round < 100; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const bytes = mutate();
          const isSigned = below(2) === 0;
          const headers = { "x-platform-signature": sign(isSigned ? bytes : original) };
          const { status, body } = await answer(bytes, { headers });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const same = bytes.equals(original);
          if (!isSigned && !same) assert.deepEqual({ status, body }, INVALID);
          else assert.ok([200, 400].includes(status), `${status} ${JSON.stringify(body)} ${bytes}`);
          if (status === 400)
            assert.ok(
              [NOT_ALLOWED, NOT_JSON].some(({ body: { error } }) => JSON.stringify(body).includes(error)),
            );
        }),
      );
    }
    // It saw all there is.
    for (const status of [200, 400, 401])
      assert.ok((statuses.get(status) ?? 0) > 50, JSON.stringify([...statuses]));
  });

  describe("a node that is only the integration", () => {
    it("says what it is, is ready without the other services, and leads the API's callers elsewhere", async () => {
      const get = async (path: string) => {
        const response = await fetch(`${integration.baseUrl}${path}`);
        return { status: response.status, body: JSON.parse(await response.text()) };
      };
      assert.deepEqual(await get("/health"), {
        status: 200,
        body: { status: "ok", integration: "platform" },
      });
      assert.deepEqual(await get("/ready"), { status: 200, body: { status: "ready", missing: [] } });
      const began = Date.now();
      const runs = await get("/v1/runs");
      assert.deepEqual([runs.status, runs.body.code], [404, "not_found"]);
      assert.match(runs.body.detail, /SERVICE_API_URL/);
      assert.equal((await fetch(`${integration.baseUrl}/v1/runs`, { method: "PUT" })).status, 404);
      assert.ok(Date.now() - began < 5_000, "without waiting for services that never come");
      const { paths } = (await get("/v1/openapi.json")).body;
      assert.ok("/api/webhook" in paths && !("/v1/runs" in paths));
    });
  });
});

describe("The deployment platform's webhook, not set up", function () {
  this.timeout(30_000);

  it("without a secret refuses everything, signed or not", async () => {
    const integration = await Integration.start({ PLATFORM_CLIENT_SECRET: "" });
    try {
      const NOT_CONFIGURED = { status: 500, body: { error: "Webhook secret not configured" } };
      for (const [bytes, secret] of [
        [ready(), SECRET],
        [ready(), ""],
        ["{", SECRET],
      ] as const) {
        const headers = { "x-platform-signature": sign(bytes, secret) };
        const { status, body } = await integration.deliver(bytes, { headers });
        assert.deepEqual({ status, body }, NOT_CONFIGURED);
      }
    } finally {
      await integration.stop();
    }
  });

  it("without the API's address or key says so last of all; with other names it is another platform's", async () => {
    const integration = await Integration.start({
      SERVICE_API_URL: "http://localhost:9",
      PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN,
      PLATFORM_SIGNATURE_HEADER: "X-Other-Signature",
      PLATFORM_INTEGRATION_NAME: "Other",
    });
    try {
      const send = async (bytes: string) => {
        const headers = { "x-platform-signature": "none", "x-other-signature": sign(bytes) };
        const { status, body } = await integration.deliver(bytes, { headers });
        return { status, body };
      };
      const NOT_CONFIGURED = skipped("Service API not configured (SERVICE_API_URL / SERVICE_API_KEY)");
      const body = ready();
      assert.deepEqual(await send(body), NOT_CONFIGURED);
      assert.deepEqual(await send(body), NOT_CONFIGURED);
      assert.deepEqual(await send(ready({ deployment: { url: "https://shop.example" } })), NOT_ALLOWED);
      const { status, body: refused } = await integration.deliver(body);
      assert.deepEqual({ status, body: refused }, INVALID);
      const health = await fetch(`${integration.baseUrl}/health`);
      assert.deepEqual(await health.json(), { status: "ok", integration: "Other" });
    } finally {
      await integration.stop();
    }
  });
});
