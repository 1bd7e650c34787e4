/**
 * Makes host-api.json again, what the code host's public description says of the requests that the app makes:
 * `node test/support/fakes/make-host-api.ts`. The whole description fills hundreds of megabytes as a package, and nobody who
 * installs this one should have to bring them.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const PACKAGE = "@octokit/openapi@23.0.2";
const FILE = "node_modules/@octokit/openapi/generated/api.github.com.json";

/** What the app asks. A new request of it is added here. */
const OPERATIONS = [
  "GET /app",
  "POST /app-manifests/{code}/conversions",
  "POST /app/installations/{installation_id}/access_tokens",
  "GET /installation/repositories",
  "GET /repos/{owner}/{repo}",
  "GET /repos/{owner}/{repo}/installation",
  "POST /repos/{owner}/{repo}/check-runs",
  "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
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
  "GET /repos/{owner}/{repo}/pulls",
  "POST /repos/{owner}/{repo}/pulls",
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
  const taken: Description["paths"] = {};
  for (const name of OPERATIONS) {
    const [method = "", path = ""] = name.split(" ");
    const found = paths[path]?.[method.toLowerCase()];
    if (!found) throw new Error(`${PACKAGE} has no ${name}.`);
    const { parameters, requestBody } = found;
    taken[path] = { ...taken[path], [method.toLowerCase()]: { parameters, requestBody } };
  }
  const { title, version, license } = info;
  return {
    info: { title, version, license, from: PACKAGE },
    paths: taken,
    components: referredTo(taken, components),
  };
}

/** The components that something refers to, and those that these refer to. */
function referredTo(of: unknown, all: Description["components"]): Description["components"] {
  const taken: Description["components"] = {};
  const left = [of];
  while (left.length > 0) {
    const text = JSON.stringify(left.pop());
    for (const [, kind = "", name = ""] of text.matchAll(/"\$ref":"#\/components\/([\w-]+)\/([\w-]+)"/g)) {
      if (taken[kind]?.[name] !== undefined) continue;
      const found = all[kind]?.[name];
      taken[kind] = { ...taken[kind], [name]: found };
      left.push(found);
    }
  }
  return taken;
}
