import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "mocha";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { ApiClient } from "../../../shared/api/api-client.ts";
import { deliveredAnswer } from "../../../shared/contracts/platform/platform.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { Integration } from "../../support/drivers/integration.ts";
import { DeploymentPlatform } from "../../support/fakes/deployment-platform.ts";
import { PREVIEW_DOMAIN, ready } from "../../support/fixtures/platform-events.ts";

const plain = (key: string, value: string, more: object = {}) => ({
  key,
  value,
  type: "plain",
  target: ["production", "preview"],
  ...more,
});

describe("Variables of the platform's projects", () => {
  let platform: DeploymentPlatform;
  let service: Integration;
  let own: { id: string; key: string };
  let other: { id: string; key: string };
  let projects = 0;

  const put = async (path: string, body: object, method = "PUT") => {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${TEST_KEY}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, await answer.clone().text());
    return answer;
  };
  const newTeam = async (name: string) => {
    const { id, key = "" } = createdTeam.parse(await (await put("/v1/teams", { name }, "POST")).json());
    return { id, key };
  };
  before(async () => {
    platform = await DeploymentPlatform.start();
    service = await Integration.start(
      {
        ...platform.env,
        PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN,
        SERVICE_BOOTSTRAP_KEY: TEST_KEY,
        SERVICE_API_URL: "http://localhost:$PORT",
        SERVICE_API_KEY: TEST_KEY,
        SERVICE_ROUTES: "/of-the-process",
        SERVICE_RATE_LIMIT: "1000000",
      },
      [billing, teams, runs],
    );
    [own, other] = [await newTeam("Own"), await newTeam("Other")];
    await put("/v1/admin/installs/icfg_1", { apiKey: own.key });
    const chosen = { id: "icfg_1", teamId: "acme", userId: "user", projects: [] };
    const back = platform.fromMarketplace(`${service.baseUrl}/api/install`, {
      ...chosen,
      projectSelection: "all",
    });
    assert.equal((await fetch(back, { redirect: "manual" })).status, 302);
  });
  afterEach(() => {
    platform.instead.clear();
    assert.deepEqual(platform.invalidRequests, []);
  });
  after(async () => {
    await service?.stop();
    await platform?.close();
  });

  const newProject = (...variables: unknown[]) => {
    projects += 1;
    platform.variables.set(`prj_${projects}`, variables);
    return `prj_${projects}`;
  };
  const deliver = (project: string, branch = "topic") => {
    const payload = { project: { id: project }, team: { id: "acme" } };
    return service.deliver(ready({ deployment: { meta: { scmCommitRef: branch } }, payload }));
  };
  const pagesOf = async (project: string, { key } = own, branch = "topic") => {
    const { status, body } = await deliver(project, branch);
    const delivered = deliveredAnswer.parse(body);
    assert.ok(status === 200 && delivered.triggered, JSON.stringify(body));
    const client = new ApiClient({ baseUrl: service.baseUrl, apiKey: key });
    return (await client.listScreenshots(delivered.runId)).map(({ route }) => route);
  };

  it("come after the project's settings, and before the installation's team and the process", async () => {
    const project = newProject(plain("SERVICE_ROUTES", "/a, /b,/a"), plain("SERVICE_API_KEY", other.key));
    assert.deepEqual(await pagesOf(project, other), ["/a", "/b"]);
    await put(`/v1/installs/icfg_1/projects/${project}`, { routes: ["/set"], apiKey: own.key });
    assert.deepEqual(await pagesOf(project, own), ["/set"]);
    assert.deepEqual(await pagesOf(newProject(), own), ["/of-the-process"]);
  });

  it("apply to previews if the platform lets them be read, and a branch's own come first", async () => {
    const unreadable = [
      plain("SERVICE_ROUTES", "/sensitive", { type: "sensitive" }),
      plain("SERVICE_ROUTES", "eyJ2Ijoi", { type: "encrypted", decrypted: false }),
      plain("SERVICE_ROUTES", "/production", { target: ["production"] }),
      plain("SERVICE_ROUTES", "/elsewhere", { gitBranch: "elsewhere" }),
      { key: "SERVICE_ROUTES" },
      "none",
    ];
    assert.deepEqual(await pagesOf(newProject(...unreadable)), ["/of-the-process"]);
    const project = newProject(
      plain("SERVICE_ROUTES", "/all", { type: "encrypted", decrypted: true, target: "preview" }),
      plain("SERVICE_ROUTES", "/topic", { gitBranch: "topic" }),
    );
    assert.deepEqual(await pagesOf(project), ["/topic"]);
    assert.deepEqual(await pagesOf(project, own, "else"), ["/all"]);
  });

  it("are left out if they are invalid, and a key also if the Cloud API refuses it", async () => {
    const invalid = [
      plain("SERVICE_ROUTES", "https://evil.example/,/a"),
      plain("SERVICE_ROUTES_FROM_CONFIG", "yes"),
      plain("SERVICE_API_KEY", "vrs_none"),
    ];
    assert.deepEqual(await pagesOf(newProject(...invalid)), ["/of-the-process"]);
    assert.deepEqual(await pagesOf(newProject(plain("SERVICE_API_KEY", "a b"))), ["/of-the-process"]);
  });

  it("send no run to another team while a project's key can't be read", async () => {
    const settings = (project: string, apiKey: string | null) =>
      put(`/v1/installs/icfg_1/projects/${project}`, { apiKey });
    const fail = (project: string) => {
      service.forgetVariables();
      platform.instead.set(`/v10/projects/${project}/env`, res => void res.writeHead(500).end("x"));
    };
    const project = newProject(plain("SERVICE_API_KEY", other.key));
    assert.deepEqual(await pagesOf(project, other), ["/of-the-process"]);
    fail(project);
    const { status, body } = await deliver(project);
    assert.equal(status, 503);
    assert.match(JSON.stringify(body), /"triggered":false,"error":"The project's variables .* can't be read/);
    await settings(project, own.key);
    assert.deepEqual(await pagesOf(project, own), ["/of-the-process"]);
    await settings(project, null);
    platform.instead.clear();
    service.forgetVariables();
    platform.variables.set(project, []);
    assert.deepEqual(await pagesOf(project, own), ["/of-the-process"]);
    fail(project);
    assert.deepEqual(await pagesOf(project, own), ["/of-the-process"], "it has no key anymore");
  });

  it("are cached, and stop no run while the platform's API fails", async () => {
    const project = newProject(plain("SERVICE_ROUTES", "/kept"));
    const asked = platform.projectRequests.length;
    for (let time = 0; time < 3; time += 1) assert.deepEqual(await pagesOf(project), ["/kept"]);
    assert.equal(platform.projectRequests.length, asked + 1);
    for (const status of [403, 500, 200]) {
      const failing = newProject();
      platform.instead.set(`/v10/projects/${failing}/env`, res => void res.writeHead(status).end("x"));
      assert.deepEqual(await pagesOf(failing), ["/of-the-process"]);
    }
  });
});
