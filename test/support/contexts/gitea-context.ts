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
import type { HostedPull } from "../fakes/code-host/hosted-repository.ts";
import { GiteaRepository } from "../fakes/gitea/gitea-repository.ts";
import { GiteaServer } from "../fakes/gitea/gitea-server.ts";
import { ADMIN, GitLabTestContext } from "./gitlab-context.ts";
import { deliver, type TestCloud } from "./scm-context.ts";

/** The use cases of connections on a database, between a fake Gitea and fake Cloud APIs of teams. */
export class GiteaTestContext {
  readonly gitea: GiteaServer;
  /** Its node and database also serve connections of GitLab. */
  readonly base: GitLabTestContext;
  repository = new GiteaRepository("acme", "shop");
  pull: HostedPull = this.repository.open("feature/login", { files: { "login.html": "1" } });

  private constructor(gitea: GiteaServer, base: GitLabTestContext) {
    this.gitea = gitea;
    this.base = base;
  }

  static async start(kind: DatabaseKind): Promise<GiteaTestContext> {
    const [gitea, base] = await Promise.all([GiteaServer.start(), GitLabTestContext.start(kind)]);
    return new GiteaTestContext(gitea, base);
  }

  async reset(): Promise<void> {
    await this.base.reset();
    const { failures, complaints, requests, repositories } = this.gitea;
    for (const list of [failures, complaints, requests, repositories]) list.length = 0;
    this.gitea.moved.clear();
    this.repository = this.gitea.addRepository(new GiteaRepository("acme", "shop"));
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
    const usual = { host: "gitea", url: this.gitea.url, repository: this.repository.path };
    return connect(this.scm, ADMIN, connectBody.parse({ token: this.gitea.addToken(), ...usual, ...more }));
  }

  /** Sends an event as Gitea does, with the webhook that the connection created. */
  send(
    connection: { id: string; webhookSecret: string },
    event: string,
    payload: object,
    { headers = {}, node = this.scm }: { headers?: Record<string, string>; node?: ScmContext } = {},
  ): Promise<DeliveryAnswer> {
    const body = JSON.stringify(payload);
    const usual = {
      "X-Gitea-Event": event,
      "X-Gitea-Delivery": randomUUID(),
      "X-Gitea-Signature": createHmac("sha256", connection.webhookSecret).update(body).digest("hex"),
    };
    return receiveConnected(node, deliver({ ...usual, ...headers }, body, { id: connection.id }));
  }

  async stop(): Promise<void> {
    await this.base.stop();
    await this.gitea.close();
  }
}
