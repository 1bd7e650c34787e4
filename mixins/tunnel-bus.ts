import type { ServiceBroker, ServiceSchema } from "moleculer";
import { configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import type { TunnelBus } from "../shared/contracts/runs/tunnels.ts";
import { InProcessTunnels } from "./tunnels/in-process-tunnels.ts";
import { NatsTunnels } from "./tunnels/nats-tunnels.ts";

/** What the mixin adds to its service. */
export interface WithTunnels {
  tunnels: TunnelBus;
}

interface Internal extends WithTunnels {
  broker: ServiceBroker;
}

/** One per node, shared by its services. */
const shared = new WeakMap<ServiceBroker, { tunnels: InProcessTunnels | NatsTunnels; users: number }>();

/** Adds the way between renderers and tunnels to a service. It connects when it is used first. */
export function tunnelBus(): Partial<ServiceSchema> {
  return mixin<Internal>({
    created() {
      const entry = shared.get(this.broker) ?? { tunnels: makeTunnels(this.broker), users: 0 };
      shared.set(this.broker, entry);
      entry.users += 1;
      this.tunnels = entry.tunnels;
    },
    async stopped() {
      const entry = shared.get(this.broker);
      if (!entry) return;
      entry.users -= 1;
      if (entry.users === 0) await entry.tunnels.close();
    },
  });
}

function makeTunnels(broker: ServiceBroker): InProcessTunnels | NatsTunnels {
  const { nats } = configOf(broker);
  if (!nats) return new InProcessTunnels();
  return new NatsTunnels(nats, `${broker.nodeID} tunnels`, broker.getLogger("tunnels"));
}
