import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { RuleFiles } from "../../shared/capture/capture-types.ts";
import { contentTypeOf } from "../../shared/content-type.ts";
import { BOUNDS } from "../../shared/contracts/capture/bounds.ts";
import type { NetworkRule } from "../../shared/contracts/capture/network-rule.ts";
import { CommandError } from "../terminal.ts";
import { RULE_FILE_ERRORS } from "../texts/errors.ts";
import type { Configuration, LoadedConfig } from "./load-config.ts";

const MAX_FILE_MIB = 1;

/**
 * Reads the files that network rules name.
 * @param root folder that their paths are relative to
 * @throws CommandError `rule_file_invalid` that names the rule and the file
 */
export async function readRuleFiles(rules: readonly NetworkRule[], root: string): Promise<RuleFiles> {
  const files = new Map<string, { content: Buffer; contentType: string }>();
  for (const rule of rules) {
    if (rule.action !== "fulfil" || rule.file === undefined || files.has(rule.file)) continue;
    const contentType = contentTypeOf(rule.file);
    files.set(rule.file, { content: await readRuleFile(rule.url, rule.file, root), contentType });
  }
  return files;
}

/**
 * Returns the configuration with the content of files in place of their names, for the service, which can't read them.
 * @throws CommandError `rule_file_invalid` that names the rule and the file
 */
export async function withFileBodies({ config, root }: Configuration): Promise<LoadedConfig> {
  const { network, perRoute } = config;
  const ofRoutes = Object.values(perRoute ?? {}).flatMap(own => own.network ?? []);
  const files = await readRuleFiles([...(network ?? []), ...ofRoutes], root);
  const inlined = <T extends { network?: NetworkRule[] | undefined }>(options: T): T =>
    options.network === undefined
      ? options
      : { ...options, network: options.network.map(rule => withBody(rule, files)) };
  if (perRoute === undefined) return inlined(config);
  const routes = Object.entries(perRoute).map(([route, own]) => [route, inlined(own)]);
  return { ...inlined(config), perRoute: Object.fromEntries(routes) };
}

function withBody(rule: NetworkRule, files: RuleFiles): NetworkRule {
  if (rule.action === "har")
    throw new CommandError(
      "rule_file_invalid",
      RULE_FILE_ERRORS.unsendable(rule.url, rule.file, RULE_FILE_ERRORS.isHar),
    );
  const read = rule.action === "fulfil" && rule.file !== undefined ? files.get(rule.file) : undefined;
  if (rule.action !== "fulfil" || read === undefined) return rule;
  const { file = "", ...others } = rule;
  const body = textOf(read.content);
  const { unsendable, notText, tooLong } = RULE_FILE_ERRORS;
  const refuse = (why: string) => new CommandError("rule_file_invalid", unsendable(rule.url, file, why));
  if (body === null) throw refuse(notText);
  if (body.length > BOUNDS.fulfilBodyChars) throw refuse(tooLong(BOUNDS.fulfilBodyChars));
  return { ...others, contentType: rule.contentType ?? read.contentType, body };
}

/** Returns the content as text. Null if it is none, such as an image. */
function textOf(content: Buffer): string | null {
  // The database can't store it.
  if (content.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}

async function readRuleFile(url: string, file: string, root: string): Promise<Buffer> {
  const { unreadable, missing, tooLarge } = RULE_FILE_ERRORS;
  const refuse = (why: string, cause?: unknown) =>
    new CommandError("rule_file_invalid", unreadable(url, file, why), cause);
  const path = resolve(root, file);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw refuse(missing);
  if (found.size > MAX_FILE_MIB * 1024 * 1024) throw refuse(tooLarge(MAX_FILE_MIB));
  return await readFile(path).catch((error: unknown) => {
    throw refuse(`${error instanceof Error ? error.message : String(error)}.`, error);
  });
}
