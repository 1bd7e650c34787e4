/**
 * Regenerates host-api.json from the parts of the code host's public API description that the app uses:
 * `node test/support/fakes/code-host/make-host-api.ts`.
 * The package with the whole description has hundreds of megabytes, so it is no dependency.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const PACKAGE = "@octokit/openapi@23.0.2";
const FILE = "node_modules/@octokit/openapi/generated/api.github.com.json";

/** The requests of the app. Add new ones here. */
const OPERATIONS = [
  "GET /app",
  "POST /app-manifests/{code}/conversions",
  "POST /app/installations/{installation_id}/access_tokens",
  "GET /installation/repositories",
  "GET /repos/{owner}/{repo}",
  "GET /repos/{owner}/{repo}/installation",
  "POST /repos/{owner}/{repo}/check-runs",
  "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
  "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/branches-where-head",
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
  "GET /repos/{owner}/{repo}/compare/{basehead}",
  "GET /repos/{owner}/{repo}/contents/{path}",
  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
  "POST /repos/{owner}/{repo}/git/commits",
  "GET /repos/{owner}/{repo}/git/ref/{ref}",
  "POST /repos/{owner}/{repo}/git/refs",
  "POST /repos/{owner}/{repo}/git/trees",
  "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
  "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
  "GET /repos/{owner}/{repo}/pulls",
  "POST /repos/{owner}/{repo}/pulls",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits",
];

const description = z.looseObject({
  info: z.looseObject({ title: z.string(), version: z.string(), license: z.unknown() }),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});
type Description = z.infer<typeof description>;

const folder = await mkdtemp(join(tmpdir(), "host-api-"));
try {
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, PACKAGE], {
    stdio: "inherit",
  });
  const whole = description.parse(JSON.parse(await readFile(join(folder, FILE), "utf8")));
  await writeFile(join(import.meta.dirname, "host-api.json"), `${JSON.stringify(extract(whole), null, 1)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function extract({ info, paths, components }: Description): object {
  const referenced: Description["paths"] = {};
  for (const name of OPERATIONS) {
    const [method = "", path = ""] = name.split(" ");
    const found = paths[path]?.[method.toLowerCase()];
    if (!found) throw new Error(`${PACKAGE} has no ${name}.`);
    const { parameters, requestBody } = found;
    referenced[path] = { ...referenced[path], [method.toLowerCase()]: { parameters, requestBody } };
  }
  const { title, version, license } = info;
  return {
    info: { title, version, license, from: PACKAGE },
    paths: referenced,
    components: referencedBy(referenced, components),
  };
}

/** Returns the referenced components, with those that they reference. */
function referencedBy(of: unknown, all: Description["components"]): Description["components"] {
  const referenced: Description["components"] = {};
  const left = [of];
  while (left.length > 0) {
    const text = JSON.stringify(left.pop());
    for (const [, kind = "", name = ""] of text.matchAll(/"\$ref":"#\/components\/([\w-]+)\/([\w-]+)"/g)) {
      if (referenced[kind]?.[name] !== undefined) continue;
      const found = all[kind]?.[name];
      referenced[kind] = { ...referenced[kind], [name]: found };
      left.push(found);
    }
  }
  return referenced;
}
