import type { SealedColumn } from "../../mixins/database.ts";

/** The columns with secrets: the access of connections, which is their token and the secret of their webhook. */
export const sealedColumns: SealedColumn[] = [
  {
    table: "scm.connection",
    key: "id",
    purpose: "code host",
    value: "access",
    set: "access = ?::jsonb",
    where: "true",
    // Without its token, a connection reports nothing. An admin connects the repository again.
    drop: "delete from scm.connection",
  },
];
