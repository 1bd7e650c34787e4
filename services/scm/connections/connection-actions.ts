import type { Service } from "moleculer";
import { action, callerOf, NO_RETRY } from "../../../shared/contracts/bus.ts";
import {
  type ConnectionContext,
  changeConnection,
  connect,
  disconnect,
  getConnection,
  listConnections,
  rotateSecret,
} from "./manage-connections.ts";

interface Connecting extends Service {
  connecting: ConnectionContext;
}

/** The actions of the scm service on connections. Those that write at the code host are not retried. */
export const connectionActions = {
  connections: action("scm.connections", function (this: Connecting, _params, context) {
    return listConnections(this.connecting, callerOf(context));
  }),
  connection: action("scm.connection", function (this: Connecting, { id }, context) {
    return getConnection(this.connecting, callerOf(context), id);
  }),
  connect: action(
    "scm.connect",
    function (this: Connecting, params, context) {
      return connect(this.connecting, callerOf(context), params);
    },
    NO_RETRY,
  ),
  changeConnection: action(
    "scm.changeConnection",
    function (this: Connecting, params, context) {
      return changeConnection(this.connecting, callerOf(context), params);
    },
    NO_RETRY,
  ),
  rotateConnectionSecret: action(
    "scm.rotateConnectionSecret",
    function (this: Connecting, { id }, context) {
      return rotateSecret(this.connecting, callerOf(context), id);
    },
    NO_RETRY,
  ),
  disconnect: action(
    "scm.disconnect",
    function (this: Connecting, { id }, context) {
      return disconnect(this.connecting, callerOf(context), id);
    },
    NO_RETRY,
  ),
};
