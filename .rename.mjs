// rename.mjs: renames identifiers outside comments and strings.
import { parseSync } from "oxc-parser";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], { encoding: "utf8" }).trim().split("\n");
export function codeRanges(file, s) {
  const r = parseSync(file, s);
  const skip = r.comments.map(c => [c.start, c.end]);
  const walk = n => {
    if (!n || typeof n !== "object") return;
    if (Array.isArray(n)) return n.forEach(walk);
    if (n.type === "Literal" && typeof n.value === "string") skip.push([n.start, n.end]);
    else if (n.type === "Literal" && n.regex) skip.push([n.start, n.end]);
    else if (n.type === "TemplateElement" || n.type === "JSXText") skip.push([n.start, n.end]);
    for (const k in n) if (k !== "parent" && typeof n[k] === "object") walk(n[k]);
  };
  walk(r.program);
  return skip.sort((a, b) => a[0] - b[0]);
}
export function renameIn(file, s, map) {
  const skip = codeRanges(file, s);
  let out = "", pos = 0;
  const code = t => t.replace(/(?<![\w$])[A-Za-z_$][\w$]*/g, (m) => (Object.hasOwn(map, m) ? map[m] : m));
  for (const [a, b] of skip) { if (a < pos) { if (b > pos) { out += s.slice(pos, b); pos = b; } continue; } out += code(s.slice(pos, a)) + s.slice(a, b); pos = b; }
  return out + code(s.slice(pos));
}
const spec = (await import(process.argv[2])).default;
let n = 0;
for (const file of files) {
  const s = readFileSync(file, "utf8");
  const map = Object.assign({}, ...spec.filter(r => r.files(file, s)).map(r => r.map(file, s)));
  if (Object.keys(map).length === 0) continue;
  const hit = Object.keys(map).some(k => s.includes(k));
  if (!hit) continue;
  const out = renameIn(file, s, map);
  if (out !== s) { writeFileSync(file, out); n++; }
}
console.log(n, "files");
