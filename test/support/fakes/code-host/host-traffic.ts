import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { HostFailure } from "./code-host-app.ts";
import { Refusal } from "./host-answer.ts";

/** How a fake code host answers a request. */
interface HostResponder {
  /** Sends an error. */
  refuse(status: number, message: string, headers?: Record<string, string>): void;
  /** Does what the request says. @returns what sends the response @throws Refusal, or another error for an invalid request */
  handle(body: string): (() => void) | Promise<() => void>;
}

/** The requests to a fake code host, with those that fail and those that are invalid. */
export class HostTraffic {
  /** Descriptions of invalid requests. */
  readonly complaints: string[] = [];
  /** The method and path of every request, in order. */
  readonly requests: string[] = [];
  readonly failures: HostFailure[] = [];

  reset(): void {
    for (const list of [this.complaints, this.requests, this.failures]) list.length = 0;
  }

  /** @param name the method and path */
  async answer(req: IncomingMessage, name: string, { refuse, handle }: HostResponder): Promise<void> {
    this.requests.push(name);
    try {
      const body = await text(req);
      const failure = this.failures.find(({ match, times }) => times > 0 && match.test(name));
      if (failure) failure.times -= 1;
      if (failure && !failure.afterwards)
        return refuse(failure.status, failure.message ?? "Told to fail", failure.headers);
      const respond = await handle(body);
      if (failure) req.socket.destroy();
      else respond();
    } catch (error) {
      if (error instanceof Refusal) return refuse(error.status, error.message);
      this.complaints.push(error instanceof Error ? error.message : String(error));
      refuse(400, "Complained");
    }
  }
}

/** Returns the value of a JSON body, or undefined for an empty one. */
export function jsonOf(body: string): unknown {
  return body === "" ? undefined : JSON.parse(body);
}
