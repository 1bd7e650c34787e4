import { advanceDueChecks } from "../../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../../services/scm/checks/check.store.ts";
import { connect } from "../../../../services/scm/connections/manage-connections.ts";
import type { ScmContext } from "../../../../services/scm/scm-context.ts";
import { receiveConnected } from "../../../../services/scm/webhooks/connected/receive-connected.ts";
import {
  type Connect,
  type ConnectedHost,
  type ConnectionWithSecret,
  connectBody,
} from "../../../../shared/contracts/code-host/connections.ts";
import type { DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import type { HostedPull, HostedRepository } from "../../fakes/code-host/hosted-repository.ts";
import { makeScreenshot } from "../../fixtures/run-views.ts";
import { ADMIN, type GitLabTestContext } from "./gitlab-context.ts";
import { deliver, type TestCloud } from "./scm-context.ts";

/** A fake code host. */
interface FakeServer<Repository> {
  readonly url: string;
  addRepository(repository: Repository): Repository;
  addToken(): string;
  reset(): void;
  close(): Promise<void>;
}

/** A kind of code host, with how it signs its events. */
interface FakeHost<Server, Repository> {
  host: ConnectedHost;
  server: Server;
  makeRepository(): Repository;
  headersOf(event: string, body: string, secret: string): Record<string, string>;
}

/** The use cases of connections on a database, between a fake code host and fake Cloud APIs of teams. */
export class ConnectedTestContext<
  Server extends FakeServer<Repository>,
  Repository extends HostedRepository & { path: string },
> {
  readonly server: Server;
  readonly #kind: FakeHost<Server, Repository>;
  /** Its node and database also serve connections of GitLab. */
  readonly base: GitLabTestContext;
  repository: Repository;
  pull: HostedPull;

  constructor(kind: FakeHost<Server, Repository>, base: GitLabTestContext) {
    this.#kind = kind;
    this.server = kind.server;
    this.base = base;
    this.repository = kind.makeRepository();
    this.pull = openPull(this.repository);
  }

  async reset(): Promise<void> {
    await this.base.reset();
    this.server.reset();
    this.repository = this.server.addRepository(this.#kind.makeRepository());
    this.pull = openPull(this.repository);
  }

  get scm(): GitLabTestContext["scm"] {
    return this.base.scm;
  }

  get cloud(): TestCloud {
    return this.base.cloud;
  }

  em = () => this.base.em();

  connect(more: Partial<Connect> = {}): Promise<ConnectionWithSecret> {
    const { host } = this.#kind;
    const usual = { host, url: this.server.url, repository: this.repository.path };
    return connect(this.scm, ADMIN, connectBody.parse({ token: this.server.addToken(), ...usual, ...more }));
  }

  /** Sends an event as the code host does, with the webhook that the connection created. */
  send(
    connection: { id: string; webhookSecret: string },
    event: string,
    payload: object,
    { headers = {}, node = this.scm }: { headers?: Record<string, string>; node?: ScmContext } = {},
  ): Promise<DeliveryAnswer> {
    const body = JSON.stringify(payload);
    const usual = this.#kind.headersOf(event, body, connection.webhookSecret);
    return receiveConnected(node, deliver({ ...usual, ...headers }, body, { id: connection.id }));
  }

  async stop(): Promise<void> {
    await this.base.stop();
    await this.server.close();
  }
}

function openPull(repository: HostedRepository): HostedPull {
  return repository.open("feature/login", { files: { "login.html": "1" } });
}

/** Ends the first run of a team, and lets the service report it. */
export async function endFirstRun(
  { scm, em, cloud: own }: Pick<GitLabTestContext, "scm" | "em" | "cloud">,
  conclusion: "passed" | "changed" | "approved" | "rejected",
  cloud = own,
): Promise<void> {
  cloud.end("run_0", conclusion, conclusion === "passed" ? [] : [makeScreenshot({ route: "/login" })]);
  await wakeCheckOfRun(em(), "run_0");
  await advanceDueChecks(scm);
}
