import type { SealedColumn } from "../../mixins/database.ts";

const API_KEY = { purpose: "api key", value: "api_key", set: "api_key = ?::jsonb" } as const;

/** Where this service stores secrets: API keys that runs are submitted with, and tokens of the platform. */
export const sealedColumns: SealedColumn[] = [
  {
    ...API_KEY,
    table: "platform.team",
    key: "configuration_id",
    where: "api_key is not null",
    // The installation has no team then, until an operator chooses one; its runs don't go to another's.
    drop: "update platform.team set api_key = null, decided_at = null, claimed_at = 'infinity'",
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
    // Its projects' variables are read again once it is installed again.
    drop: "update platform.install set access_token = null",
  },
];
