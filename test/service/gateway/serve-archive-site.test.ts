import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, ServiceBroker } from "moleculer";
import { imageStore, type WithImages } from "../../../mixins/image-store.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import { writeIndex } from "../../../shared/archives/archive-index.ts";
import { loadConfig } from "../../../shared/config.ts";
import { action, service } from "../../../shared/contracts/bus.ts";
import { DEFAULT_LINK_SETTINGS, type LinkRules } from "../../../shared/links/link-rules.ts";
import { Links } from "../../../shared/links/links.ts";
import { freePort } from "../../support/drivers/free-port.ts";

const KEY = "a key of the tests";
const DAY_MS = 86_400_000;
const FILES: Record<string, string> = {
  "iframe.html": "<!doctype html><script src='./assets/a b.js'></script>",
  "assets/a b.js": "story()",
  "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
};

describe("A run's archive through the gateway", () => {
  let folder: string;
  let broker: ServiceBroker;
  let links: Links;
  let archive: string;
  let rules: LinkRules | null = { ...DEFAULT_LINK_SETTINGS, generation: 0 };
  let runs = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-sites-"));
    const config = loadConfig({
      PORT: String(await freePort()),
      SERVICE_DATA_DIR: folder,
      LOG_LEVEL: "fatal",
    });
    links = new Links(config.baseUrl, KEY);
    broker = new ServiceBroker(brokerOptions(config));
    broker.createService(gateway);
    broker.createService(
      service<Service & WithImages>({
        name: "runs",
        mixins: [imageStore({ writes: true })],
        actions: {
          linkKey: action("runs.linkKey", async () => KEY),
          linkRules: action("runs.linkRules", async () => rules),
        },
        async started() {
          const files = await Promise.all(
            Object.entries(FILES).map(async ([path, text]) => ({
              ...{ path, bytes: text.length },
              hash: await this.archiveFiles.put(Buffer.from(text)),
            })),
          );
          archive = await this.archiveFiles.put(writeIndex(files).bytes);
        },
      }),
    );
    await broker.start();
  });
  after(async () => {
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Each run is new, so that nothing is cached. */
  const site = ({ generation = 0, until = 0, daysAgo = 0 } = {}) =>
    links.site(
      "team",
      archive,
      { id: `run_${++runs}`, linkGeneration: generation },
      until,
      Date.now() - daysAgo * DAY_MS,
    );
  const statusOf = async (url: string) => {
    const answer = await fetch(url, { redirect: "manual" });
    await answer.body?.cancel();
    return answer.status;
  };

  it("is a page without the service's origin, which loads only its own files", async () => {
    const base = site({ daysAgo: 2 });
    for (const [path, type] of [
      ["iframe.html?viewMode=story&id=a", "text/html; charset=utf-8"],
      ["assets/a%20b.js", "text/javascript; charset=utf-8"],
      ["icon.svg", "image/svg+xml; charset=utf-8"],
    ]) {
      const answer = await fetch(`${base}${path}`);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get("content-type"), type);
      const policy = answer.headers.get("content-security-policy") ?? "";
      assert.equal(
        policy,
        `sandbox allow-scripts; default-src ${base} data: blob: 'unsafe-inline' 'unsafe-eval'; base-uri ${base}; form-action 'none'; frame-ancestors 'none'`,
      );
      assert.equal(answer.headers.get("access-control-allow-origin"), "*");
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
      assert.equal(await answer.text(), FILES[decodeURIComponent(path?.split("?")[0] ?? "")]);
    }
    const head = await fetch(`${base}iframe.html`, { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), String(FILES["iframe.html"]?.length));
  });

  it("has no other files, whatever the path says", async () => {
    const base = site();
    const paths = ["missing.js", "..%2f..%2fetc%2fpasswd", "assets", "%2e%2e/iframe.html"];
    assert.deepEqual(await Promise.all(paths.map(path => statusOf(base + path))), [404, 404, 404, 404]);
  });

  it("opens only by a link that the service signed, as long as its run's links are valid", async () => {
    const other = site().replace(/[0-9a-f]{64}/, "0".repeat(64));
    assert.equal(await statusOf(`${other}iframe.html`), 401);
    assert.equal(await statusOf(`${site().replace("/team/", "/team_b/")}iframe.html`), 401);
    assert.equal(await statusOf(`${site({ daysAgo: 91 })}iframe.html`), 401);
    rules = { ...DEFAULT_LINK_SETTINGS, generation: 1 };
    assert.equal(await statusOf(`${site()}iframe.html`), 401);
    rules = null;
    assert.equal(await statusOf(`${site()}iframe.html`), 401);
    rules = { ...DEFAULT_LINK_SETTINGS, generation: 0, publicLinks: false };
    const nowSeconds = Math.floor(Date.now() / 1_000);
    assert.equal(await statusOf(`${site()}iframe.html`), 401);
    assert.equal(await statusOf(`${site({ until: nowSeconds + 60 })}iframe.html`), 200);
    assert.equal(await statusOf(`${site({ until: nowSeconds - 60 })}iframe.html`), 401);
    rules = { ...DEFAULT_LINK_SETTINGS, generation: 0 };
  });
});
