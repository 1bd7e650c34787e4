import type { SealedColumn } from "../../mixins/database.ts";

const API_KEY = { purpose: "api key", value: "api_key", set: "api_key = ?::jsonb" } as const;

/** The columns with secrets: API keys that submit runs, and the platform's access tokens. */
export const sealedColumns: SealedColumn[] = [
  {
    ...API_KEY,
    table: "platform.team",
    key: "configuration_id",
    where: "api_key is not null",
    // The installation has no team until an operator chooses one, so that its runs never go to another team.
    drop: "update platform.team set api_key = null, decided_at = null, leased_at = 'infinity'",
  },
  {
    ...API_KEY,
    table: "platform.project_settings",
    key: "(configuration_id || ' ' || project_id)",
    where: "api_key is not null",
    drop: "update platform.project_settings set api_key = null",
  },
  {
    purpose: "platform token",
    value: "access_token",
    set: "access_token = ?::jsonb",
    table: "platform.install",
    key: "configuration_id",
    where: "access_token is not null",
    // The projects' variables are read again after the next installation.
    drop: "update platform.install set access_token = null",
  },
];
