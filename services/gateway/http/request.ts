import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "moleculer";
import type { Meta } from "../../../shared/contracts/bus.ts";

/** A request as the HTTP service hands it on. */
export interface Request {
  req: IncomingMessage;
  res: ServerResponse;
  params: Record<string, string>;
  query: unknown;
  context: Context<unknown, Meta>;
}
