import assert from "node:assert/strict";
import { liveChange } from "../../../shared/contracts/teams/live.ts";

/** A reader of a team's stream, which records its events. */
export class TeamStream {
  readonly received: { kind: string; ids: string[] | null }[] = [];
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>;
  readonly #stop: AbortController;

  private constructor(body: ReadableStream<Uint8Array>, stop: AbortController) {
    this.#stop = stop;
    this.ended = this.#read(body);
    // A test that closes the stream itself doesn't wait for it.
    this.ended.catch(() => {});
  }

  /** Opens the stream. It receives all events after this resolves. */
  static async open(baseUrl: string, key: string, query = ""): Promise<TeamStream> {
    const stop = new AbortController();
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${baseUrl}/v1/events${query}`, { headers, signal: stop.signal });
    assert.equal(response.status, 200, response.ok ? "" : await response.text());
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.ok(response.body);
    return new TeamStream(response.body, stop);
  }

  /** Returns all ids in events of this kind. */
  ids(kind: string): string[] {
    return this.received.filter(event => event.kind === kind).flatMap(event => event.ids ?? []);
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const bytes of body) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const found = /^event: (\w+)\ndata: (.*)$/.exec(block);
        if (!found) continue;
        const [, kind = "", data = ""] = found;
        this.received.push({ kind, ...liveChange.strict().parse(JSON.parse(data)) });
      }
    }
  }
}
