import { visible } from "../../shared/text/visible-text.ts";
import { padEnd, wrap } from "../output/text-width.ts";
import { painter, type Terminal } from "../terminal.ts";
import { DOCTOR_TEXTS as TEXTS } from "../texts/doctor.ts";
import type { Finding } from "./finding.ts";

const MARKS = { ok: ["green", "✓"], warning: ["yellow", "!"], fault: ["red", "✗"] } as const;
const NAME_CELLS = 13;

/** Returns the lines of a finding: its name, what was found, and how to fix it. */
export function findingLines(terminal: Terminal, { name, state, said, fix }: Finding): string[] {
  const paint = painter(terminal);
  const [style, mark] = MARKS[state];
  const indent = " ".repeat(NAME_CELLS + 3);
  const room = Math.max(20, terminal.columns - indent.length);
  const [first = "", ...more] = visible(said)
    .split("\n")
    .flatMap(line => wrap(line, room));
  return [
    `${paint(style, mark)} ${padEnd(name, NAME_CELLS)} ${first}`,
    ...more.map(line => indent + line),
    ...wrap(visible(fix ?? ""), room - 2).map((line, index) => `${indent}${index === 0 ? "→" : " "} ${line}`),
  ];
}

/** Returns the last line, a summary of all findings. */
export function summarizeFindings(terminal: Terminal, findings: Finding[]): string {
  const paint = painter(terminal);
  const of = (state: Finding["state"]) => findings.filter(finding => finding.state === state).length;
  if (of("fault") > 0) return paint("bold", TEXTS.errors(of("fault")));
  if (of("warning") > 0) return paint("bold", TEXTS.warnings(of("warning")));
  return paint("bold", TEXTS.ok);
}
