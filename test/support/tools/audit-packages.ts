/**
 * `npm run audit`: checks the packages of the service for known vulnerabilities, with the registry's audit
 * service. Exits with 1 if one is high or critical. If the audit service is unreachable, it prints that and
 * exits with 0.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "../../..");
/** npm itself retries for minutes. */
const RESPONSE_TIMEOUT_MS = 60_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

const reportSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
});
const refusalSchema = z.object({ message: z.string() });

/** The result of an audit: packages with their severities, or why there is none. */
export type Audit =
  | { kind: "audited"; grave: string[]; others: string[] }
  | { kind: "unreachable"; why: string };

/** Audits the lock file in a folder. @param args more arguments for npm */
export async function auditPackages(folder: string, args: string[] = []): Promise<Audit> {
  const all = ["audit", "--json", "--omit", "dev", "--package-lock-only", "--fetch-retries", "0", ...args];
  const options = { cwd: folder, maxBuffer: OUTPUT_BYTES, timeout: RESPONSE_TIMEOUT_MS };
  const output = await new Promise<string>(resolve => {
    // npm also exits with 1 if it found something. Its output tells.
    execFile("npm", all, options, (_error, stdout) => resolve(stdout));
  });
  return readAudit(output);
}

function readAudit(output: string): Audit {
  const json = parse(output);
  const report = reportSchema.safeParse(json);
  if (!report.success) {
    const refusal = refusalSchema.safeParse(json);
    return { kind: "unreachable", why: refusal.data?.message ?? "npm gave no answer in time" };
  }
  const found = Object.entries(report.data.vulnerabilities);
  const named = (isGrave: boolean) =>
    found
      .filter(([, { severity }]) => /^(high|critical)$/.test(severity) === isGrave)
      .map(([name, { severity }]) => `${name} (${severity})`);
  return { kind: "audited", grave: named(true), others: named(false) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the result of an audit as text. */
export function auditInWords(audit: Audit): string {
  if (audit.kind === "unreachable")
    return `NOT AUDITED: the audit service could not be reached (${audit.why}). This build says nothing about known vulnerabilities.`;
  const { grave, others } = audit;
  if (grave.length + others.length === 0) return "Audited: no known vulnerabilities.";
  return `Audited: known vulnerabilities in ${[...grave, ...others].join(", ")}. See npm audit.`;
}

if (import.meta.main) {
  const audit = await auditPackages(ROOT);
  console.log(auditInWords(audit));
  if (audit.kind === "audited" && audit.grave.length > 0) process.exitCode = 1;
}
