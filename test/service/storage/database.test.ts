import assert from "node:assert/strict";
import { DatabaseNode, NoteEntity } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

/** Characters with a meaning in SQL, JSON, or statement parameters. */
const ODD = `it's "odd" \\ \\' ? ?? $1 :name {} % -- /* */ E'' \n\t ❤ 👩‍💻`;

for (const database of DATABASES) {
  describe(`A service's schema in ${database.name}`, () => {
    database.needed();
    let made: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      made = await database.make();
      node = await DatabaseNode.start(made.env);
    });
    after(async () => {
      await node?.stop();
      await made?.remove();
    });

    it("reports an invalid statement, and continues", async () => {
      await assert.rejects(node.ask("select nonsense"), /column "nonsense" does not exist/);
      await assert.rejects(node.ask("select nonsense"), (error: Error) => error.name !== "ServiceError");
      assert.deepEqual(await node.ask("select 1 as one"), [{ one: 1 }]);
    });

    it("rolls back a failed transaction completely", async () => {
      const failing = node.em().transactional(async em => {
        await em.insert(NoteEntity, { ...NOTE, id: "undone" });
        await em.insert(NoteEntity, { ...NOTE, id: "undone" });
      });
      await assert.rejects(failing, { name: "UniqueConstraintViolationException" });
      assert.equal(await node.em().findOne(NoteEntity, { id: "undone" }), null);
    });

    it("keeps any character, in rows as in parameters of statements", async () => {
      await node.em().insert(NoteEntity, { ...NOTE, id: ODD, text: ODD, facts: { [ODD]: [ODD] } });
      const note = await node.em().findOneOrFail(NoteEntity, { text: ODD });
      assert.deepEqual([note.id, note.facts], [ODD, { [ODD]: [ODD] }]);
      const rows = await node
        .em()
        .execute(
          "select v.text, facts from jsonb_to_recordset(?::jsonb) as v (text text) join sample.note n on n.text = v.text where id in (?)",
          [JSON.stringify([{ text: ODD }]), ["other", ODD]],
        );
      assert.deepEqual(rows, [{ text: ODD, facts: { [ODD]: [ODD] } }]);
    });

    it("reads times as dates, counts as numbers, and JSON unchanged, in entities and statements", async () => {
      await node.em().insert(NoteEntity, { ...NOTE, id: "types" });
      const note = await node.em().findOneOrFail(NoteEntity, { id: "types" });
      assert.deepEqual({ ...note }, { ...NOTE, id: "types" });
      const [row] = await node
        .em()
        .execute(
          "select at, facts, ratio, count(*) over () as count, ratio > 0 as more, null as nothing from sample.note where at <= ? and id = 'types'",
          [NOTE.at],
        );
      const { at, facts, ratio } = NOTE;
      assert.deepEqual({ ...row }, { at, facts, ratio, count: 1, more: true, nothing: null });
    });

    it("keeps its data over a restart", async () => {
      await node.em().insert(NoteEntity, { ...NOTE, id: "kept" });
      await node.stop();
      node = await DatabaseNode.start(made.env);
      assert.equal((await node.em().findOneOrFail(NoteEntity, { id: "kept" })).text, "plain");
      assert.deepEqual(await node.ask("select name from sample.migration"), [{ name: "2026-01-01-notes" }]);
    });
  });
}

const NOTE = {
  text: "plain",
  facts: { list: [1, 2.5, null], deep: { yes: true } },
  ratio: 0.1,
  at: new Date("2026-03-01T12:34:56.789Z"),
};
