import type { EntityManager } from "../../../mixins/database.ts";
import type {
  CodeHost,
  InstalledRepository,
  Purpose,
  RepositoryHost,
  RepositoryName,
  SeenRepository,
} from "../code-host/code-host.ts";
import { HostError } from "../code-host/host-error.ts";
import { CONNECTION_ERRORS, HOST_NAMES } from "../texts/connections.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { type Connection, findConnection, markAccess } from "./connection.store.ts";
import { isConnection } from "./connection-id.ts";
import type { TokenHosts } from "./token-hosts.ts";

/** What the hosts of connections need. */
export interface ConnectedHostsOptions {
  em(): EntityManager;
  hosts: TokenHosts;
  /** The host of the app; null without an app. */
  app: CodeHost | null;
  warn(error: unknown, what: string): void;
}

/** All code hosts: the app's, and those of the teams' connections. The id of an installation decides which. */
export class ConnectedHosts implements CodeHost {
  readonly #options: ConnectedHostsOptions;

  constructor(options: ConnectedHostsOptions) {
    this.#options = options;
  }

  async installationOf(name: RepositoryName): Promise<string | null> {
    return (await this.#options.app?.installationOf(name)) ?? null;
  }

  async repository(of: InstalledRepository, purpose?: Purpose): Promise<RepositoryHost> {
    if (!isConnection(of.installationId)) return this.#app().repository(of, purpose);
    const connection = await findConnection(this.#options.em(), of.installationId);
    if (!connection) throw new HostError(404, CONNECTION_ERRORS.gone);
    return this.#connected(connection);
  }

  listRepositories(installationId: string): Promise<SeenRepository[]> {
    return this.#app().listRepositories(installationId);
  }

  /** Returns the same hosts for a run of a connected repository, which is the only one that is installed. */
  ofConnection({ id }: Connection): CodeHost {
    return {
      installationOf: async () => id,
      repository: (of, purpose) => this.repository(of, purpose),
      listRepositories: installationId => this.listRepositories(installationId),
    };
  }

  /** Returns the repository of a connection. Its requests note whether the code host accepts the token. */
  #connected(connection: Connection): RepositoryHost {
    const { id, url, hostId, owner, repo, access } = connection;
    let known = connection.error;
    const note = (error: string | null) => {
      if (error === known) return;
      known = error;
      const { em, warn } = this.#options;
      markAccess(em(), connection, error).catch(failed => warn(failed, LOG_MESSAGES.accessNotNoted(id)));
    };
    const of = { connectionId: id, hostId, owner, repo, url, token: access.token };
    return this.#options.hosts[connection.host].repository(of, error => {
      if (error === null) note(null);
      else if (error.status === 401) note(CONNECTION_ERRORS.tokenRejected(HOST_NAMES[connection.host]));
    });
  }

  #app(): CodeHost {
    const { app } = this.#options;
    if (app === null) throw new HostError(404, CONNECTION_ERRORS.noApp);
    return app;
  }
}
