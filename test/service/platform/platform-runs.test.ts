import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "mocha";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import scm from "../../../services/scm/scm.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { ApiClient } from "../../../shared/api/api-client.ts";
import type { ApiError } from "../../../shared/api/api-exchanges.ts";
import { deliveredAnswer } from "../../../shared/contracts/platform/platform.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { Integration } from "../../support/drivers/integration.ts";
import { CodeHostAppServer } from "../../support/fakes/code-host/code-host-app.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { PREVIEW, PREVIEW_DOMAIN, ready } from "../../support/fixtures/platform-events.ts";

const FILE = "service.config.ts";
const FAULTY = "export default {\n  routes: [process.env.A],\n};\n";
const CONFIG = `export default { routes: ["/", "/more"], viewports: [375, 800], threshold: 0.5,
  perRoute: { "/": { viewports: [640] }, "/more": { viewports: [480] } } };`;

describe("Runs that the deployment platform's integration submits", () => {
  let host: CodeHostAppServer;
  let service: Integration;
  let client: ApiClient;
  const repository = new HostedRepository("octo", "site");
  let commits = 0;

  const start = async (env: Record<string, string>) => {
    await service?.stop();
    service = await Integration.start(
      {
        ...host.env,
        PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN,
        SERVICE_BOOTSTRAP_KEY: TEST_KEY,
        SERVICE_API_URL: "http://localhost:$PORT",
        SERVICE_API_KEY: TEST_KEY,
        SERVICE_RATE_LIMIT: "1000000",
        ...env,
      },
      [billing, teams, runs, scm],
    );
    client = new ApiClient({ baseUrl: service.baseUrl, apiKey: TEST_KEY });
  };
  before(async () => {
    host = await CodeHostAppServer.start();
    host.install(repository);
    await start({});
  });
  afterEach(() => {
    host.failures.length = 0;
    host.slow.length = 0;
    assert.deepEqual(host.complaints, []);
  });
  after(async () => {
    await service?.stop();
    await host?.close();
  });

  const commit = (source: string) => {
    commits += 1;
    return repository.open(`topic-${commits}`, { files: { [FILE]: source } }).head.sha;
  };
  const deliver = async (sha: string) => {
    const meta = { scmCommitSha: sha, scmOrg: "octo", scmRepo: "site", scmCommitRef: `topic-${commits}` };
    const { status, body } = await service.deliver(ready({ deployment: { meta } }));
    assert.equal(status, 200, JSON.stringify(body));
    const delivered = deliveredAnswer.parse(body);
    assert.ok(delivered.triggered);
    return delivered.runId;
  };
  const pagesOf = async (id: string) =>
    (await client.listScreenshots(id)).map(({ route, viewport }) => `${route} ${viewport}`);
  const placesOf = ({ warnings }: RunView) =>
    warnings.map(({ place }) => place && `${place.path}:${place.line}:${place.column}`);
  const submit = (fields: Partial<SubmitRunInput>, sha: string) =>
    client.submitRun({ url: `https://${PREVIEW}`, scm: { owner: "octo", repo: "site", sha }, ...fields });

  it("capture / with the configuration's settings, but not its routes unless a setting says so", async () => {
    const run = await client.getRun(await deliver(commit(CONFIG)));
    assert.deepEqual([run.threshold, run.warnings], [0.5, []]);
    assert.deepEqual(await pagesOf(run.id), ["/ 640"]);
  });

  it("continue without a configuration that has errors and list them, while a user's run is refused", async () => {
    const sha = commit(FAULTY);
    const run = await client.getRun(await deliver(sha));
    assert.deepEqual(placesOf(run), [`${FILE}:2:12`, null]);
    assert.match(run.warnings[0]?.message ?? "", /environment/);
    assert.deepEqual(await pagesOf(run.id), ["/ 1280"]);
    await assert.rejects(submit({ rerun: true }, sha), (error: ApiError) => {
      assert.equal(error.status, 422);
      assert.match(error.message, /has errors\. service\.config\.ts:2:12: /);
      return true;
    });
  });

  it("continue while the code host is slow or does not respond", async () => {
    host.failures.push({ match: /contents/, times: 100, status: 503, message: "Unavailable" });
    const away = await client.getRun(await deliver(commit(CONFIG)));
    assert.match(away.warnings[0]?.message ?? "", /code host isn't responding/);
    host.failures.length = 0;
    host.slow.push({ match: /contents/, ms: 6_000 });
    const slow = await client.getRun(await deliver(commit(CONFIG)));
    assert.match(slow.warnings[0]?.message ?? "", /code host isn't responding/);
    assert.deepEqual(
      [placesOf(away), placesOf(slow)],
      [
        [null, null],
        [null, null],
      ],
    );
  });

  it("show the errors in the report", async () => {
    const { links } = await client.getRun(await deliver(commit(FAULTY)));
    const page = await (await fetch(links.report)).text();
    assert.match(page, /<ul class="run-warnings"[^>]*><li>service\.config\.ts:2:12: /);
  });

  it("capture the configuration's routes if a setting says so, and / if it has errors", async () => {
    await start({ SERVICE_ROUTES_FROM_CONFIG: "1" });
    assert.deepEqual(await pagesOf(await deliver(commit(CONFIG))), ["/ 640", "/more 480"]);
    assert.deepEqual(await pagesOf(await deliver(commit(FAULTY))), ["/ 1280"]);
  });
});
