/** The program of a `NodeHost`: Moleculer's runner, which starts one node after the other. */
import { Runner } from "moleculer";
import type { HostMessage } from "./node-host.ts";

const runner = new Runner();
let isFirst = true;

process.on("message", (message: HostMessage) => {
  if (message.kind === "start") void start(message.env);
  else void stop();
});
// Its tests are gone.
process.on("disconnect", () => process.exit(1));

/** Starts a node with only this environment. A failure ends the process, as it does without a host. */
async function start(env: NodeJS.ProcessEnv): Promise<void> {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  if (isFirst) await runner.start(process.argv);
  else await runner.restartBroker();
  isFirst = false;
}

async function stop(): Promise<void> {
  await runner.broker?.stop();
  // The next node listens for signals itself.
  for (const signal of ["SIGTERM", "SIGINT"]) process.removeAllListeners(signal);
  process.send?.("stopped");
}
