/** Writes docs/api.md from the table of routes: `npm run docs`. */
import { writeFile } from "node:fs/promises";
import { version } from "../../shared/version.ts";
import { apiMarkdown } from "./api-docs.ts";
import { openApi } from "./openapi.ts";
import { ROUTES } from "./routes.ts";

await writeFile(new URL("../../docs/api.md", import.meta.url), apiMarkdown(openApi(ROUTES, version)));
