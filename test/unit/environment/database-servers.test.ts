import assert from "node:assert/strict";
import { databaseServers } from "../../../shared/environment/database-servers.ts";

const VALID: [url: string, servers: string[]][] = [
  ["postgres://db/vrs", ["postgres://db/vrs"]],
  ["postgresql://u:p%40@db:5433/vrs?sslmode=require", ["postgresql://u:p%40@db:5433/vrs?sslmode=require"]],
  ["postgres://u:p@a,b:5433/vrs", ["postgres://u:p@a/vrs", "postgres://u:p@b:5433/vrs"]],
  ["postgres://u:p@ss@db/vrs", ["postgres://u:p@ss@db/vrs"]],
  ["postgres://u:p@ss@a,b/vrs", ["postgres://u:p@ss@a/vrs", "postgres://u:p@ss@b/vrs"]],
  ["postgres://[::1]:1,[::2]:2/vrs", ["postgres://[::1]:1/vrs", "postgres://[::2]:2/vrs"]],
  ["postgres:///vrs?host=%2Frun", ["postgres:///vrs?host=%2Frun"]],
  ["postgres://a,b/vrs?target_session_attrs=read-write", ["postgres://a/vrs", "postgres://b/vrs"]],
  [
    "postgres://a,b/vrs?target_session_attrs=primary&sslmode=require",
    ["postgres://a/vrs?sslmode=require", "postgres://b/vrs?sslmode=require"],
  ],
];

const INVALID = [
  "mysql://db/vrs",
  "db",
  "postgres://",
  "postgres://a,,b/vrs",
  "postgres://a:port/vrs",
  "postgres://a,b/vrs?target_session_attrs=standby",
];

describe("The servers of DATABASE_URL", () => {
  for (const [url, servers] of VALID)
    it(`are ${servers.length} in ${url}`, () => assert.deepEqual(databaseServers(url), servers));

  for (const url of INVALID) it(`are refused in "${url}"`, () => assert.equal(databaseServers(url), null));
});
