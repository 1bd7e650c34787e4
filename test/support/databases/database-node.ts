import { defineEntity, p } from "@mikro-orm/core";
import { Migration } from "@mikro-orm/migrations";
import { type Context, type Service, ServiceBroker } from "moleculer";
import { database, type EntityManager, type WithDatabase } from "../../../mixins/database.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import { loadConfig } from "../../../shared/config.ts";
import { service } from "../../../shared/contracts/bus.ts";
import { TEST_SECRET_KEY } from "../drivers/api-access.ts";

export const NoteEntity = defineEntity({
  name: "Note",
  tableName: "note",
  properties: {
    id: p.string().primary(),
    text: p.string(),
    facts: p.json<object>(),
    ratio: p.float(),
    at: p.datetime(),
  },
});

class Notes extends Migration {
  override up(): void {
    this.addSql(`create table sample.note (
      id text primary key, text text not null, facts jsonb not null, ratio double precision not null,
      at timestamptz not null)`);
  }
}

const migrations = [{ name: "2026-01-01-notes", class: Notes }];
const SAMPLE = { schema: "sample", entities: [NoteEntity], migrations };

type Sample = Service & WithDatabase;

/** A node with a small service that has a database. */
export class DatabaseNode {
  readonly broker: ServiceBroker;
  /** Warnings of its service. */
  readonly warnings: string[] = [];
  /** Returns a new unit of work. */
  em: () => EntityManager = () => {
    throw new Error("The node has not started.");
  };

  constructor(env: Record<string, string>, options: Parameters<typeof database>[0] = SAMPLE) {
    const config = loadConfig({ LOG_LEVEL: "fatal", SERVICE_SECRET_KEY: TEST_SECRET_KEY, ...env });
    this.broker = new ServiceBroker(brokerOptions(config));
    const node = this;
    this.broker.createService(
      service<Sample>({
        name: options.schema,
        mixins: [database(options)],
        created() {
          const { warn } = this.logger;
          this.logger.warn = (...args: unknown[]) => {
            node.warnings.push(args.map(String).join(" "));
            warn.apply(this.logger, args);
          };
        },
        actions: {
          ask: {
            handler(context: Context<{ sql: string }>) {
              return this.em().execute(context.params.sql);
            },
          },
        },
        started() {
          node.em = () => this.em();
        },
      }),
    );
  }

  /** Creates and starts a node. */
  static async start(...args: ConstructorParameters<typeof DatabaseNode>): Promise<DatabaseNode> {
    const node = new DatabaseNode(...args);
    await node.broker.start();
    return node;
  }

  /** Runs this statement in an action, without retries, and returns its rows. */
  ask(sql: string): Promise<Record<string, unknown>[]> {
    return this.broker.call("sample.ask", { sql }, { retries: 0 });
  }

  stop(): Promise<void> {
    return this.broker.stop();
  }
}
