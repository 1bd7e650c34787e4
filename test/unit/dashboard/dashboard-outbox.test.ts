import assert from "node:assert/strict";
import { ApiProblem } from "../../../dashboard/api/request.ts";
import type { Decision } from "../../../dashboard/review/decisions/decision.ts";
import { Outbox } from "../../../dashboard/review/decisions/outbox.ts";
import { until } from "../../support/drivers/until.ts";

/** The store of a browser's tab. */
class Tab {
  readonly stored = new Map<string, string>();
  getItem(name: string): string | null {
    return this.stored.get(name) ?? null;
  }
  setItem(name: string, value: string): void {
    this.stored.set(name, value);
  }
  removeItem(name: string): void {
    this.stored.delete(name);
  }
}

const approval = (id: string): Decision => ({ ids: [id], verdict: "approved", reason: null });
const undone = (id: string): Decision => ({ ids: [id], verdict: null, reason: null });
const away = new ApiProblem(0, "unreachable", "The service does not answer.");
const over = new ApiProblem(401, "unauthorized", "This session is over.");
const conflict = new ApiProblem(409, "conflict", "Nothing to dismiss.");

/** An outbox for a service with these responses, which then accepts everything. */
function outboxTo(answers: (ApiProblem | null)[], tab = new Tab()) {
  const sent: string[] = [];
  const onHandled: string[] = [];
  let onSignedOut = 0;
  const links = {
    send: async ({ ids }: Decision) => {
      const answer = answers.shift() ?? null;
      if (answer) throw answer;
      sent.push(ids.join());
    },
    onHandled: ({ ids }: Decision) => {
      onHandled.push(ids.join());
    },
    onSignedOut: () => {
      onSignedOut += 1;
    },
  };
  const outbox = new Outbox(links, tab, "unsaved");
  return { outbox, tab, sent, onHandled, onSignedOut: () => onSignedOut };
}

describe("unsaved decisions", () => {
  it("are sent in order, and kept until they are confirmed", async () => {
    const { outbox, tab, sent, onHandled } = outboxTo([]);
    outbox.add(approval("a"));
    outbox.add(approval("b"));
    assert.equal(JSON.parse(tab.stored.get("unsaved") ?? "").length, 2);
    await until(() => onHandled.length === 2);
    assert.deepEqual(
      [sent, onHandled],
      [
        ["a", "b"],
        ["a", "b"],
      ],
    );
    assert.equal(tab.stored.size, 0);
  });

  it("wait in order for an unreachable service, and continue without help", async () => {
    const { outbox, sent } = outboxTo([away]);
    outbox.add(approval("a"));
    outbox.add(undone("a"));
    await until(() => outbox.unsaved.trouble !== null);
    assert.match(outbox.unsaved.trouble ?? "", /retries automatically/);
    assert.equal(outbox.unsaved.waiting.length, 2);
    await until(() => sent.length === 2);
    assert.deepEqual(outbox.unsaved, { waiting: [], refused: [], trouble: null });
  });

  it("don't wait behind refused ones", async () => {
    const { outbox, sent, onHandled } = outboxTo([conflict]);
    outbox.add(approval("a"));
    outbox.add(approval("b"));
    await until(() => onHandled.length === 2);
    assert.deepEqual(sent, ["b"]);
    const [refused] = outbox.unsaved.refused;
    assert.deepEqual(refused, { decision: approval("a"), why: conflict.message });
    if (refused) outbox.dismiss(refused);
    assert.deepEqual(outbox.unsaved.refused, []);
  });

  it("wait for the next session, also after a reload", async () => {
    const first = outboxTo([over]);
    first.outbox.add(approval("a"));
    await until(() => first.onSignedOut() === 1);
    const second = outboxTo([], first.tab);
    assert.deepEqual(second.outbox.unsaved.waiting, [approval("a")]);
    second.outbox.retry();
    await until(() => second.onHandled.length === 1);
    assert.equal(first.tab.stored.size, 0);
  });

  it("count as saved if the service has saved an unconfirmed undo", async () => {
    const { outbox, onHandled } = outboxTo([away, conflict]);
    outbox.add(undone("a"));
    await until(() => onHandled.length === 1);
    assert.deepEqual(outbox.unsaved.refused, []);
    const again = outboxTo([conflict]);
    again.outbox.add(undone("a"));
    await until(() => again.onHandled.length === 1);
    assert.equal(again.outbox.unsaved.refused.length, 1, "nothing had been sent before");
  });

  it("ignore invalid stored data", () => {
    for (const text of ["", "{", "3", '[{"ids":"a"}]', "[null]"]) {
      const tab = new Tab();
      tab.setItem("unsaved", text);
      assert.deepEqual(outboxTo([], tab).outbox.unsaved.waiting, [], text);
    }
  });
});
