import { randomUUID } from "node:crypto";
import { CheckRunEntity } from "../../../../services/scm/checks/check-run.entity.ts";
import { ConnectedHosts } from "../../../../services/scm/connections/connected-hosts.ts";
import { type ConnectionContext, connect } from "../../../../services/scm/connections/manage-connections.ts";
import { makeTokenHosts } from "../../../../services/scm/connections/token-hosts.ts";
import { migrations } from "../../../../services/scm/migrations/index.ts";
import { PreviewCache } from "../../../../services/scm/pull-requests/preview-cache.ts";
import type { ScmContext } from "../../../../services/scm/scm-context.ts";
import { sealedColumns } from "../../../../services/scm/sealed-columns.ts";
import { receiveConnected } from "../../../../services/scm/webhooks/connected/receive-connected.ts";
import { addressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import { loadConfig } from "../../../../shared/config.ts";
import { type Connect, connectBody } from "../../../../shared/contracts/code-host/connections.ts";
import type { DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import type { Caller } from "../../../../shared/contracts/teams/caller.ts";
import { DatabaseNode } from "../../databases/database-node.ts";
import type { DatabaseKind, TestDatabase } from "../../databases/databases.ts";
import type { HostedPull } from "../../fakes/code-host/hosted-repository.ts";
import { GitLabProject } from "../../fakes/gitlab/gitlab-project.ts";
import { GitLabServer } from "../../fakes/gitlab/gitlab-server.ts";
import { ageScmRows, deleteScmRows } from "../../rows/scm-rows.ts";
import { deliver, TestCloud } from "./scm-context.ts";

export const ADMIN: Caller = {
  teamId: "team_a",
  role: "admin",
  actor: { kind: "user", id: "user_a", name: "ada" },
};
/** An admin of another team. */
export const OTHER: Caller = {
  ...ADMIN,
  teamId: "team_b",
  actor: { kind: "user", id: "user_b", name: "bob" },
};

export const BASE_URL = "https://vrs.example";

/** The use cases of connections on a database, between a fake GitLab and fake Cloud APIs of two teams. */
export class GitLabTestContext {
  readonly gitlab: GitLabServer;
  readonly #database: TestDatabase;
  readonly #node: DatabaseNode;
  readonly warnings: unknown[] = [];
  readonly clouds = new Map<string, TestCloud>();
  project: GitLabProject;
  pull: HostedPull;
  scm: ScmContext & ConnectionContext;

  private constructor(gitlab: GitLabServer, database: TestDatabase, node: DatabaseNode) {
    this.gitlab = gitlab;
    this.#database = database;
    this.#node = node;
    this.project = gitlab.addProject(new GitLabProject("acme/web", "shop"));
    this.pull = this.project.open("feature/login", { files: { "login.html": "1" } });
    this.scm = this.makeNode();
  }

  static async start(kind: DatabaseKind): Promise<GitLabTestContext> {
    const [gitlab, database] = await Promise.all([GitLabServer.start(), kind.make()]);
    const schema = { schema: "scm", entities: [CheckRunEntity], migrations, sealed: sealedColumns };
    return new GitLabTestContext(gitlab, database, await DatabaseNode.start(database.env, schema));
  }

  em = () => this.#node.em();

  async reset(): Promise<void> {
    await deleteScmRows(this.em());
    this.clouds.clear();
    this.warnings.length = 0;
    this.gitlab.reset();
    this.project = this.gitlab.addProject(new GitLabProject("acme/web", "shop"));
    this.pull = this.project.open("feature/login", { files: { "login.html": "1" } });
    this.scm = this.makeNode();
  }

  cloudOf(teamId: string | null): TestCloud {
    const name = teamId ?? "app";
    const cloud = this.clouds.get(name) ?? new TestCloud();
    this.clouds.set(name, cloud);
    return cloud;
  }

  get cloud(): TestCloud {
    return this.cloudOf(ADMIN.teamId);
  }

  /** Returns the context of another node of the same service. */
  makeNode(env: Record<string, string> = {}): ScmContext & ConnectionContext {
    const { scm: settings, allowHosts } = loadConfig({ SERVICE_ALLOW_HOSTS: "127.0.0.1,localhost", ...env });
    const policy = addressPolicy(allowHosts);
    const warn = (error: unknown, what: string) => void this.warnings.push(error, what);
    const hosts = makeTokenHosts(policy);
    return {
      em: this.em,
      bus: {
        call: async () => Promise.reject(new Error("Nobody is there.")),
        emit: async () => {},
        broadcast: async () => {},
      },
      hasApp: false,
      host: new ConnectedHosts({ em: this.em, hosts, app: null, warn }),
      cloudOf: teamId => this.cloudOf(teamId),
      previews: new PreviewCache(),
      expected: new PreviewCache(),
      ...{ settings, policy, warn, hosts, baseUrl: BASE_URL, isRemote: false },
    };
  }

  body(more: Partial<Connect> = {}): Connect {
    const usual = { host: "gitlab", url: this.gitlab.url, repository: this.project.path };
    return connectBody.parse({ token: this.gitlab.addToken(), ...usual, ...more });
  }

  connect(more: Partial<Connect> = {}, caller = ADMIN) {
    return connect(this.scm, caller, this.body(more));
  }

  /** Sends an event as GitLab does, with the webhook that the connection created. */
  send(
    connection: { id: string; webhookSecret: string },
    event: string,
    payload: object,
    { headers = {}, node = this.scm }: { headers?: Record<string, string>; node?: ScmContext } = {},
  ): Promise<DeliveryAnswer> {
    const usual = {
      "X-Gitlab-Event": event,
      "X-Gitlab-Token": connection.webhookSecret,
      "X-Gitlab-Event-UUID": randomUUID(),
      "Idempotency-Key": randomUUID(),
    };
    return receiveConnected(
      node,
      deliver({ ...usual, ...headers }, JSON.stringify(payload), { id: connection.id }),
    );
  }

  /** Makes all work due. */
  age(interval: string): Promise<void> {
    return ageScmRows(this.em(), interval);
  }

  async stop(): Promise<void> {
    await this.#node.stop();
    await this.#database.remove();
    await this.gitlab.close();
  }
}
