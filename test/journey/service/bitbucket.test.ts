import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { after, afterEach, before, describe, it } from "mocha";
import { connectionWithSecret } from "../../../shared/contracts/code-host/connections.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { BitbucketRepository } from "../../support/fakes/bitbucket/bitbucket-repository.ts";
import { BitbucketServer } from "../../support/fakes/bitbucket/bitbucket-server.ts";
import { Site } from "../../support/fixtures/site.ts";

const PAGE = "<!doctype html><title>Site</title><h1>Hello</h1>";

describe("A repository at Bitbucket", () => {
  let bitbucket: BitbucketServer;
  let site: Site;
  let vrs: Vrs;
  const repository = new BitbucketRepository("acme", "shop", { "service.config.ts": "export default {};" });

  before(async () => {
    bitbucket = await BitbucketServer.start();
    bitbucket.addRepository(repository);
    [site, vrs] = await Promise.all([
      Site.start({ "/": PAGE }),
      Vrs.start({ SERVICE_ALLOW_HOSTS: "localhost,127.0.0.1" }),
    ]);
  });
  afterEach(() => assert.deepEqual(bitbucket.complaints, [], vrs.output));
  after(async () => {
    await vrs?.stop();
    await site?.stop();
    await bitbucket?.close();
  });

  /** Sends an event to the webhook that the service created. */
  const send = async (event: string, payload: object, secret = repository.hooks.at(-1)?.secret ?? "") => {
    const body = JSON.stringify(payload);
    const answer = await fetch(repository.hooks.at(-1)?.url ?? "", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Event-Key": event,
        "X-Request-UUID": randomUUID(),
        "X-Hub-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      },
      body,
    });
    return { status: answer.status, body: Object(await answer.json()) };
  };

  it("is connected with an access token, which is never shown", async () => {
    const body = {
      host: "bitbucket",
      url: bitbucket.url,
      repository: "acme/shop",
      token: bitbucket.addToken(),
    };
    const answer = await vrs.post("/v1/connections", body);
    const text = await answer.text();
    assert.equal(answer.status, 201, text);
    const made = connectionWithSecret.parse(JSON.parse(text));
    assert.deepEqual([made.state, made.hasWebhook], ["connected", true]);
    assert.ok(!text.includes(body.token));
  });

  it("gets the result of a preview as a status and a comment", async () => {
    const pull = repository.open("feature/login", { files: { "login.html": "1" } });
    const event = bitbucket.pullEvent(repository, pull);
    assert.equal((await send("pullrequest:created", event, "wrong")).status, 401);
    assert.equal((await send("pullrequest:created", event)).status, 200);
    assert.match(JSON.stringify((await send("pullrequest:created", event)).body), /Duplicate/);
    const status = bitbucket.statusEvent(repository, pull.head.sha, "deploy/preview", { url: site.url });
    const { body } = await send("repo:commit_status_created", status);
    assert.equal(body.triggered, true, JSON.stringify(body));
    const stateOf = () => repository.statuses.find(({ sha }) => sha === pull.head.sha)?.state;
    await until(() => !["INPROGRESS", undefined].includes(stateOf()));
    await until(() => repository.notes.length === 1);
    assert.match(
      repository.notes.at(-1)?.content.raw ?? "",
      /^\[\/\/\]: # \(vrs: .*\)\n\n### Service \/ Preview: /,
    );
  });
});
