import assert from "node:assert/strict";
import { liveChange } from "../../../shared/contracts/teams/live.ts";

/** A reader of a team's stream: what it was told, until it ends. */
export class TeamStream {
  readonly told: { kind: string; ids: string[] | null }[] = [];
  /** Resolves once the service has ended the stream. */
  readonly ended: Promise<void>;
  readonly #stop: AbortController;

  private constructor(body: ReadableStream<Uint8Array>, stop: AbortController) {
    this.#stop = stop;
    this.ended = this.#read(body);
    // A test that ends it itself does not wait for it.
    this.ended.catch(() => {});
  }

  /** Opens it; once this resolves everything is told. */
  static async open(baseUrl: string, key: string, query = ""): Promise<TeamStream> {
    const stop = new AbortController();
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${baseUrl}/v1/events${query}`, { headers, signal: stop.signal });
    assert.equal(answer.status, 200, answer.ok ? "" : await answer.text());
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.ok(answer.body);
    return new TeamStream(answer.body, stop);
  }

  /** All ids that were told of this kind. */
  ids(kind: string): string[] {
    return this.told.filter(nudge => nudge.kind === kind).flatMap(nudge => nudge.ids ?? []);
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
        this.told.push({ kind, ...liveChange.strict().parse(JSON.parse(data)) });
      }
    }
  }
}
