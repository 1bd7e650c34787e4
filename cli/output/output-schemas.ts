import { z } from "zod";
import { build } from "../../shared/contracts/builds/builds.ts";
import { runView } from "../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../shared/contracts/runs/screenshots.ts";
import { submittedRun } from "../../shared/contracts/runs/submit-run.ts";
import { exportView, importView } from "../../shared/contracts/transfers/transfers.ts";
import type { ApprovalOutcome } from "../baselines/approve.ts";
import { checkResultSchema } from "../check/check-result.ts";
import type { LoginResult } from "../cloud/log-in.ts";
import { comparisonResultSchema } from "../compare/comparison-result.ts";
import type { Finding } from "../doctor/finding.ts";
import type { InitOutcome } from "../init/init-project.ts";
import { historyEntry } from "../monitor/history-entry.ts";
import type { MonitorRun } from "../monitor/run-monitor.ts";

const text = z.string();
const page = z.object({
  route: text,
  state: text.nullable(),
  environment: text.nullable(),
  viewport: z.number(),
});

const approval = z.object({
  approved: z.array(
    page.extend({
      did: z.enum(["added", "updated", "renamed", "removed"]),
      file: text,
      from: text.nullable(),
    }),
  ),
  failed: z.array(page),
  dryRun: z.boolean(),
}) satisfies z.ZodType<ApprovalOutcome>;

const finding = z.object({
  name: text,
  state: z.enum(["ok", "warning", "fault"]),
  said: text,
  fix: text.nullable(),
}) satisfies z.ZodType<Finding>;

const login = z.object({
  url: text,
  teams: z.array(z.object({ name: text, role: text })),
  file: text,
  warning: text.nullable(),
}) satisfies z.ZodType<LoginResult>;

const monitorRun = z.object({
  version: z.literal(1),
  startedAt: text,
  durationMs: z.number(),
  threshold: z.number(),
  outcome: historyEntry.shape.outcome,
  entries: z.array(historyEntry),
  alert: z.object({ decision: text, sent: z.boolean(), error: text.nullable() }).nullable(),
  historyDir: text,
}) satisfies z.ZodType<Omit<MonitorRun, "alert">>;

const starter = z.object({
  guess: z.object({
    framework: text.nullable(),
    baseUrl: text,
    starting: z.object({ install: text, start: text }).nullable(),
    install: text,
    hasVrs: z.boolean(),
  }),
  action: text.nullable(),
  written: z.array(text),
  skipped: z.array(z.object({ path: text, why: text })),
}) satisfies z.ZodType<InitOutcome>;

const ended = z.object({ run: runView, screenshots: screenshotList.shape.data });
const sent = z.object({
  build,
  sent: z.object({ images: z.number(), bytes: z.number(), attachments: z.number() }),
});

interface OutputSchema {
  /** Increases if a release breaks readers of the earlier format. */
  version: number;
  schema: z.ZodType;
}

/** The results of `--json` by command, and the document of an error. */
export const OUTPUT_SCHEMAS = {
  check: { version: 1, schema: checkResultSchema },
  approve: { version: 1, schema: approval },
  report: {
    version: 1,
    schema: checkResultSchema
      .pick({ conclusion: true, counts: true, startedAt: true })
      .extend({ report: text }),
  },
  monitor: { version: 1, schema: monitorRun },
  run: { version: 1, schema: z.union([ended, z.object({ run: submittedRun })]) },
  upload: { version: 1, schema: z.union([ended.extend(sent.shape), sent]) },
  compare: { version: 1, schema: comparisonResultSchema },
  login: { version: 1, schema: login },
  export: { version: 1, schema: exportView },
  import: { version: 1, schema: z.union([importView, approval]) },
  init: { version: 1, schema: starter },
  doctor: { version: 1, schema: z.object({ findings: z.array(finding) }) },
  error: { version: 1, schema: z.object({ error: z.object({ code: text, message: text }) }) },
} satisfies Record<string, OutputSchema>;

export type OutputName = keyof typeof OUTPUT_SCHEMAS;

export function isOutputName(name: string): name is OutputName {
  return Object.hasOwn(OUTPUT_SCHEMAS, name);
}

/** Returns the JSON schema of a result. It allows further fields, which later releases may add. */
export function jsonSchemaOf(name: OutputName): Record<string, unknown> {
  const { version, schema } = OUTPUT_SCHEMAS[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { $schema, $id: `urn:vrs:${name}-${version}`, ...rest };
}
