import { ServiceBroker, type ServiceSchema } from "moleculer";
import { brokerOptions } from "../../../../moleculer.config.ts";
import { NatsTransporter } from "../../../../shared/broker/nats-transporter.ts";
import { loadConfig } from "../../../../shared/config.ts";
import type { NatsServer } from "../nats-server.ts";

/** Nodes on one bus, in this process, with services of the test. */
export class BusNodes {
  readonly #nats: NatsServer;
  readonly #brokers = new Set<ServiceBroker>();

  constructor(nats: NatsServer) {
    this.#nats = nats;
  }

  /** Creates a node with these actions of a service `test`, without starting it. */
  make(actions?: ServiceSchema["actions"], env: Record<string, string> = {}): ServiceBroker {
    const config = loadConfig({
      NATS_URL: this.#nats.url,
      SERVICES: "gateway",
      IMAGE_STORE_URL: "file:///tmp/no-images",
      LOG_LEVEL: "fatal",
      ...env,
    });
    const broker = new ServiceBroker(brokerOptions(config));
    if (actions) broker.createService({ name: "test", actions });
    this.#brokers.add(broker);
    return broker;
  }

  /** Creates and starts such a node. */
  async start(actions?: ServiceSchema["actions"], env?: Record<string, string>): Promise<ServiceBroker> {
    const broker = this.make(actions, env);
    await broker.start();
    return broker;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#brokers].map(broker => broker.stop()));
    this.#brokers.clear();
  }
}

/** Returns the node's transporter. */
export function busOf(broker: ServiceBroker): NatsTransporter {
  const transporter = broker.transit?.tx;
  if (!(transporter instanceof NatsTransporter)) throw new Error("This node is alone.");
  return transporter;
}

/** Removes the node from the bus like a crash: without a message. */
export async function dropDead(broker: ServiceBroker): Promise<void> {
  await busOf(broker).client.close();
}

/** Waits until the node sees `times` nodes that offer the action. */
export async function sees(broker: ServiceBroker, action: string, times = 1): Promise<void> {
  const offering = () =>
    broker.registry.actions.get(action)?.endpoints.filter(({ isAvailable }) => isAvailable);
  while (offering()?.length !== times) await new Promise(resolve => setTimeout(resolve, 20));
}
