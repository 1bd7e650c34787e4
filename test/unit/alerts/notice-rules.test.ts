import assert from "node:assert/strict";
import { digestOf } from "../../../services/alerts/notices/digest.rule.ts";
import { isProjectReceiver, receiversOf } from "../../../services/alerts/notices/email-receivers.rule.ts";
import { noticesOf } from "../../../services/alerts/notices/receivers.rule.ts";
import type { DigestFacts } from "../../../shared/contracts/reviews/digest.ts";
import { DEFAULT_NOTICES, type NoticePerson, type Notify } from "../../../shared/contracts/teams/notices.ts";

const person = (name: string, more: Partial<NoticePerson> = {}): NoticePerson => ({
  ...{ id: `user_${name}`, login: name, role: "reviewer", email: `${name}@example.com`, ...DEFAULT_NOTICES },
  ...more,
});
const receivers = (
  notify: Partial<Notify>,
  people: NoticePerson[],
  hasChat = false,
  addresses: ReturnType<typeof receiversOf> = [],
) =>
  noticesOf([{ kind: "review", users: [], except: null, ...notify }], people, hasChat, addresses).map(
    ({ receiver }) => receiver,
  );

describe("The receivers of a notice", () => {
  const [ada, bob] = [person("ada"), person("bob")];

  it("are the named people, without who caused it", () => {
    assert.deepEqual(receivers({ users: ["user_ada", "user_bob"], except: "user_bob" }, [ada, bob]), [
      "user_ada",
    ]);
    assert.deepEqual(receivers({ kind: "decision", login: "BOB" }, [ada, bob]), ["user_bob"]);
    assert.deepEqual(receivers({ users: ["user_gone"] }, [ada]), []);
  });

  it("follow their preferences", () => {
    const all = person("all", { reviews: "all" });
    const none = person("none", { reviews: "none", mentions: false, decisions: false });
    assert.deepEqual(receivers({ isForAll: true }, [ada, all, none]), ["user_all"]);
    assert.deepEqual(receivers({ users: ["user_none", "user_ada"] }, [ada, all, none]), ["user_ada"]);
    for (const kind of ["mention", "reply", "decision"] as const)
      assert.deepEqual(
        receivers({ kind, users: ["user_none", "user_ada"] }, [ada, none]),
        ["user_ada"],
        kind,
      );
  });

  it("have an address, and can review what needs review", () => {
    assert.deepEqual(receivers({ users: ["user_ada"] }, [person("ada", { email: null })]), []);
    const viewer = person("eve", { role: "viewer", reviews: "all" });
    assert.deepEqual(receivers({ users: ["user_eve"], isForAll: true }, [viewer]), []);
    assert.deepEqual(receivers({ kind: "mention", users: ["user_eve"] }, [viewer]), ["user_eve"]);
  });

  it("include the project's chat channel, except for replies", () => {
    assert.deepEqual(receivers({ users: ["user_ada"] }, [ada], true), ["user_ada", "chat"]);
    assert.deepEqual(receivers({ kind: "reply", users: ["user_ada"] }, [ada], true), ["user_ada"]);
  });
});

describe("The addresses of a project", () => {
  const stored = (addresses: string[], optedOut: string[] = []) => ({ id: "eml_1", addresses, optedOut });
  const [ada] = [person("ada")];

  it("are receivers that don't show them, other ones in each team", () => {
    const [own, other] = ["team_1", "team_2"].map(team => receiversOf(team, stored(["Ops@example.com"])));
    assert.equal(own?.[0]?.address, "Ops@example.com");
    assert.ok(isProjectReceiver(own[0].receiver) && !own[0].receiver.includes("example"));
    assert.notEqual(own[0].receiver, other?.[0]?.receiver);
    assert.deepEqual(receiversOf("team_1", null), []);
  });

  it("are left out once they unsubscribed, in any letter case", () => {
    const left = receiversOf("team_1", stored(["Ops@example.com", "qa@example.com"], ["ops@example.com"]));
    assert.deepEqual(
      left.map(({ address }) => address),
      ["qa@example.com"],
    );
  });

  it("get runs that need review, unless a member with the address gets an own email", () => {
    const all = receiversOf("team_1", stored(["ADA@example.com", "qa@example.com"]));
    const [ofAda, ofQa] = all.map(({ receiver }) => receiver);
    assert.deepEqual(receivers({ isForAll: true }, [ada], false, all), [ofAda, ofQa]);
    assert.deepEqual(receivers({ isForAll: true, users: ["user_ada"] }, [ada], false, all), [
      "user_ada",
      ofQa,
    ]);
    assert.deepEqual(receivers({ users: ["user_ada"] }, [ada], false, all), ["user_ada"], "assigned by hand");
    assert.deepEqual(receivers({ kind: "mention", users: [] }, [ada], false, all), []);
  });
});

describe("A digest", () => {
  const facts = (more: Partial<DigestFacts> = {}): DigestFacts => ({
    run: {
      ...{ id: "run_1", project: "acme/shop", branch: "main", pullRequest: 7, sha: "3f9c1aa0" },
      ...{ message: "Fix", author: "grace", conclusion: "changed" },
    },
    open: 3,
    regressions: [],
    decision: { by: [], reason: null },
    comments: [{ id: "com_1", by: "bob", text: "Look", screenshotId: null, page: null }],
    ...more,
  });
  const [review, mention, decision] = [
    { eventId: "evt_1", kind: "review", commentId: null },
    { eventId: "evt_2", kind: "mention", commentId: "com_1" },
    { eventId: "evt_3", kind: "decision", commentId: null },
  ] as const;
  const digest = (
    notices: Parameters<typeof digestOf>[1],
    of = facts(),
    who: NoticePerson | null = person("ada"),
  ) => digestOf("team_1", notices, of, who);

  it("has all that happened", () => {
    const message = digest([review, mention]);
    assert.deepEqual(message?.kinds, ["review", "mention"]);
    assert.deepEqual([message?.open, message?.comments.length, message?.decision], [3, 1, null]);
  });

  it("has nothing that is no longer true", () => {
    assert.equal(digest([review], facts({ open: 0 })), null);
    assert.equal(digest([mention], facts({ comments: [] })), null);
    assert.equal(digest([decision]), null, "the decision was dismissed");
    assert.equal(digest([review, mention], facts({ open: 0 }))?.open, null);
  });

  it("has nothing that the person no longer wants", () => {
    assert.equal(digest([review], facts(), person("ada", { reviews: "none" })), null);
    assert.equal(digest([mention], facts(), person("ada", { mentions: false })), null);
    assert.notEqual(digest([mention], facts(), null), null);
  });

  it("has a decision with its reviewers", () => {
    const run = { ...facts().run, conclusion: "rejected" as const };
    const message = digest([decision], facts({ run, open: 0, decision: { by: ["bob"], reason: "Too red" } }));
    assert.deepEqual(message?.decision, { conclusion: "rejected", by: ["bob"], reason: "Too red" });
  });
});
