import { readFileSync } from "node:fs";
import { apiMarkdown } from "../../services/gateway/openapi/api-docs.ts";
import { openApi } from "../../services/gateway/openapi/openapi.ts";
import { ROUTES } from "../../services/gateway/routes/routes.ts";
import { withPermissions } from "../../services/scm/code-host/github/app-docs.ts";
import { version } from "../../shared/process.ts";
import { cliReference } from "./cli-reference.ts";
import { clientOperations } from "./client-operations.ts";
import { configurationReference } from "./configuration-reference.ts";
import { errorsReference } from "./errors-reference.ts";
import { pythonClient } from "./python-client.ts";

/** Has the app's permissions between two marks. The rest is written by hand. */
const PULL_REQUESTS = new URL("../reference/pull-requests.md", import.meta.url);
const FOLDER = new URL("../reference/", import.meta.url);

/** Every file that is generated, completely or in part. */
export const REFERENCES: { file: URL; write: () => string }[] = [
  { file: new URL("api.md", FOLDER), write: () => apiMarkdown(openApi(ROUTES, version)) },
  {
    file: new URL("../../cli/client/operations.ts", import.meta.url),
    write: () => clientOperations(openApi(ROUTES, version)),
  },
  {
    file: new URL("../../cli/client/python/vrs_client/__init__.pyi", import.meta.url),
    write: () => pythonClient(openApi(ROUTES, version)),
  },
  { file: new URL("cli.md", FOLDER), write: cliReference },
  { file: new URL("configuration.md", FOLDER), write: configurationReference },
  { file: new URL("errors.md", FOLDER), write: errorsReference },
  { file: PULL_REQUESTS, write: () => withPermissions(readFileSync(PULL_REQUESTS, "utf8")) },
];
