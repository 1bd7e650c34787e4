import { createHmac, randomUUID } from "node:crypto";
import { connect } from "../../../services/scm/connections/manage-connections.ts";
import type { ScmContext } from "../../../services/scm/scm-context.ts";
import { receiveConnected } from "../../../services/scm/webhooks/connected/receive-connected.ts";
import {
  type Connect,
  type ConnectionWithSecret,
  connectBody,
} from "../../../shared/contracts/code-host/connections.ts";
import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { DatabaseKind } from "../databases/databases.ts";
import { BitbucketRepository } from "../fakes/bitbucket/bitbucket-repository.ts";
import { BitbucketServer } from "../fakes/bitbucket/bitbucket-server.ts";
import type { HostedPull } from "../fakes/code-host/hosted-repository.ts";
import { ADMIN, GitLabTestContext } from "./gitlab-context.ts";
import { deliver, type TestCloud } from "./scm-context.ts";

/** The use cases of connections on a database, between a fake Bitbucket and fake Cloud APIs of teams. */
export class BitbucketTestContext {
  readonly bitbucket: BitbucketServer;
  /** Its node and database also serve connections of GitLab. */
  readonly base: GitLabTestContext;
  repository = new BitbucketRepository("acme", "shop");
  pull: HostedPull = this.repository.open("feature/login", { files: { "login.html": "1" } });

  private constructor(bitbucket: BitbucketServer, base: GitLabTestContext) {
    this.bitbucket = bitbucket;
    this.base = base;
  }

  static async start(kind: DatabaseKind): Promise<BitbucketTestContext> {
    const [bitbucket, base] = await Promise.all([BitbucketServer.start(), GitLabTestContext.start(kind)]);
    return new BitbucketTestContext(bitbucket, base);
  }

  async reset(): Promise<void> {
    await this.base.reset();
    const { failures, complaints, requests, repositories } = this.bitbucket;
    for (const list of [failures, complaints, requests, repositories]) list.length = 0;
    this.bitbucket.maxPageSize = 100;
    this.repository = this.bitbucket.addRepository(new BitbucketRepository("acme", "shop"));
    this.pull = this.repository.open("feature/login", { files: { "login.html": "1" } });
  }

  get scm(): GitLabTestContext["scm"] {
    return this.base.scm;
  }

  get cloud(): TestCloud {
    return this.base.cloud;
  }

  em = () => this.base.em();

  connect(more: Partial<Connect> = {}): Promise<ConnectionWithSecret> {
    const usual = { host: "bitbucket", url: this.bitbucket.url, repository: this.repository.path };
    return connect(
      this.scm,
      ADMIN,
      connectBody.parse({ token: this.bitbucket.addToken(), ...usual, ...more }),
    );
  }

  /** Sends an event as Bitbucket does, with the webhook that the connection created. */
  send(
    connection: { id: string; webhookSecret: string },
    event: string,
    payload: object,
    { headers = {}, node = this.scm }: { headers?: Record<string, string>; node?: ScmContext } = {},
  ): Promise<DeliveryAnswer> {
    const body = JSON.stringify(payload);
    const digest = createHmac("sha256", connection.webhookSecret).update(body).digest("hex");
    const usual = {
      "X-Event-Key": event,
      "X-Request-UUID": randomUUID(),
      "X-Hub-Signature": `sha256=${digest}`,
    };
    return receiveConnected(node, deliver({ ...usual, ...headers }, body, { id: connection.id }));
  }

  async stop(): Promise<void> {
    await this.base.stop();
    await this.bitbucket.close();
  }
}
