import { call } from "../../shared/contracts/bus.ts";
import type { Gateway } from "./gateway.ts";
import type { Input } from "./route.ts";

/** Streams how far a run is, from its state now to its end. */
export async function serveProgress(
  gateway: Gateway,
  { caller, context, params: { id = "" }, res }: Input,
): Promise<undefined> {
  await call(context, "runs.get", { id });
  res.setHeader("Content-Type", "text/event-stream; charset=utf-8");
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("X-Accel-Buffering", "no");
  const send = gateway.progress.watch(id, caller?.keyId ?? "", res);
  res.flushHeaders();
  // Read once more after the stream listens: what happened in between would else be missed.
  const { status, conclusion, progress, counts, error } = await call(context, "runs.get", { id });
  send({ id, status, conclusion, progress, counts, error });
}
