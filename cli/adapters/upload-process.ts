/** Uploads the screenshots that an adapter collected. It exits with the code of `vrs upload`. */
import { readFile } from "node:fs/promises";
import { definedOf } from "../../shared/defined-of.ts";
import { readCommit } from "../cloud/commit.ts";
import { readHistory } from "../cloud/history.ts";
import { loadConfigOrDefault } from "../config/load-config.ts";
import { printFailure } from "../print-failure.ts";
import { processTerminal } from "../process-terminal.ts";
import type { ExitCode, Terminal } from "../terminal.ts";
import { buildBody } from "../upload/build-body.ts";
import { hashFiles } from "../upload/hash-files.ts";
import { shardOf } from "../upload/shard-of.ts";
import { uploadBuild } from "../upload/upload-build.ts";
import type { UploadRequest } from "./upload-request.ts";

const WAIT_MINUTES = 10;

async function upload(terminal: Terminal, { settings, files, ...tests }: UploadRequest): Promise<ExitCode> {
  const { project, name, branch, url, threshold, nonce } = settings;
  const { subset = tests.hasFailures, wait = true, timeoutMinutes = WAIT_MINUTES } = settings;
  const shard = tests.shard === null ? null : shardOf(tests.shard, nonce, terminal.env);
  const { config } = await loadConfigOrDefault(terminal, settings.config);
  const flags = {
    ...definedOf({ project, name, branch, url, threshold: threshold?.toString() }),
    subset,
  };
  const commit = await readCommit(terminal);
  const history = await readHistory(terminal, commit, config.baselines.branch);
  const body = buildBody(flags, config, { ...commit, history }, shard);
  const hashed = await hashFiles(files, terminal.signal);
  const context = { terminal, options: { json: false, quiet: false, verbose: false } };
  return await uploadBuild(context, { body, files: hashed, wait, timeoutMs: timeoutMinutes * 60_000 });
}

const terminal = processTerminal(process);
const [, , file = ""] = process.argv;
try {
  const request: UploadRequest = JSON.parse(await readFile(file, "utf8"));
  process.exitCode = await upload(terminal, request);
} catch (error) {
  process.exitCode = printFailure(error, { terminal, json: false, verbose: false, called: "vrs upload" });
}
