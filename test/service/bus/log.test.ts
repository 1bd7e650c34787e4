import assert from "node:assert/strict";
import { logError } from "../../../shared/broker/log-error.ts";
import { DatabaseNode, NoteEntity } from "../../support/databases/database-node.ts";
import { DATABASES } from "../../support/databases/databases.ts";

for (const database of DATABASES) {
  describe(`the log, of an error of ${database.name}`, () => {
    database.needed();

    it("has the error without the statement's values", async () => {
      const made = await database.make();
      const node = await DatabaseNode.start(made.env);
      await node.em().execute("alter table sample.note add check (text = '')");
      const values = { id: "1", text: "swordfish", facts: {}, ratio: 0, at: new Date() };
      const insert = node.em().insert(NoteEntity, values);
      const error: unknown = await insert.catch((reason: unknown) => reason);
      await node.stop();
      await made.remove();
      assert.match(error instanceof Error ? error.message : "", /swordfish/, "the error itself holds it");
      const logged = JSON.stringify(logError(error));
      assert.match(logged, /violates check constraint/);
      assert.doesNotMatch(logged, /swordfish/);
    });
  });
}
