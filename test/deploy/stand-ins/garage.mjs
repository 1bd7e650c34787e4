/** Takes Garage's commands and variables, and answers as an S3 server on the same port and folder. */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";

const [command] = process.argv.slice(2);
const { GARAGE_DEFAULT_BUCKET, GARAGE_DEFAULT_ACCESS_KEY, GARAGE_DEFAULT_SECRET_KEY } = process.env;

if (command === "status") {
  const answer = await fetch("http://127.0.0.1:3900/").catch(() => null);
  process.exit(answer === null ? 1 : 0);
}

const { DUMMY_ACCOUNT } = createRequire(import.meta.url)("s3rver/lib/models/account.js");
DUMMY_ACCOUNT.revokeAccessKey("S3RVER");
DUMMY_ACCOUNT.createKeyPair(GARAGE_DEFAULT_ACCESS_KEY, GARAGE_DEFAULT_SECRET_KEY);
mkdirSync("/var/lib/garage/data", { recursive: true });
process.argv.splice(2, Infinity, "/var/lib/garage/data", "3900", GARAGE_DEFAULT_BUCKET, "0.0.0.0");
// In the image only.
await import(new URL("s3-program.mjs", import.meta.url).href);
