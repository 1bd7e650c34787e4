import { z } from "zod";
import { text } from "../fields.ts";
import { BOUNDS } from "./bounds.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Playwright's names. WebSockets are missing because rules can't see them. */
const RESOURCE_TYPES = [
  "document",
  "stylesheet",
  "image",
  "media",
  "font",
  "script",
  "texttrack",
  "xhr",
  "fetch",
  "eventsource",
  "manifest",
  "ping",
  "other",
] as const;

/** Content type of a response whose rule has a body. */
export const TEXT_TYPE = "text/plain; charset=utf-8";

/** Returns the number of wildcards in a glob. */
export function wildcardsOf(glob: string): number {
  return glob.match(/\*+/g)?.length ?? 0;
}

const url = z
  .string()
  .min(1)
  .max(2000)
  .refine(glob => wildcardsOf(glob) <= BOUNDS.wildcards, `must have at most ${BOUNDS.wildcards} wildcards`)
  .describe("URL or glob. * matches within a path segment, ** across segments");

const kinds = {
  methods: z
    .array(z.enum(METHODS))
    .min(1)
    .max(METHODS.length)
    .optional()
    .describe("HTTP methods of the requests. Default: all"),
  resourceTypes: z
    .array(z.enum(RESOURCE_TYPES))
    .min(1)
    .max(RESOURCE_TYPES.length)
    .optional()
    .describe("What the page requests, by Playwright's names. Default: all"),
};

const fulfilSchema = z
  .strictObject({
    url,
    action: z.literal("fulfil"),
    status: z.int().min(200).max(599).default(200),
    contentType: z
      .string()
      .max(200)
      .optional()
      .describe(`Default: ${TEXT_TYPE}, or by the extension of \`file\``),
    body: z.string().max(BOUNDS.fulfilBodyChars).optional().describe("Default: an empty text"),
    file: text(500)
      .optional()
      .describe(
        "File with the body, in place of `body`. Relative to the configuration. Only the command line reads it",
      ),
    ...kinds,
  })
  .refine(rule => rule.body === undefined || rule.file === undefined, "must have a body or a file, not both")
  // Defaults that depend on another field.
  .overwrite(({ contentType, body, ...rule }) => {
    if (rule.file !== undefined) return { ...rule, ...(contentType !== undefined && { contentType }) };
    return { ...rule, contentType: contentType ?? TEXT_TYPE, body: body ?? "" };
  });

/** A rule for the page's requests. The first rule that matches applies. */
const networkRuleSchema = z.discriminatedUnion("action", [
  z.strictObject({ url, action: z.literal("block"), ...kinds }),
  fulfilSchema,
  z.strictObject({
    url,
    action: z.literal("har"),
    file: text(500).describe(
      "HAR file with the responses. Relative to the configuration. Only the command line reads it",
    ),
    notFound: z
      .enum(["abort", "continue"])
      .default("abort")
      .describe("What happens to a request that the file doesn't have. `continue` sends it"),
    ...kinds,
  }),
  z.strictObject({
    url,
    action: z.literal("delay"),
    delayMs: z.int().min(1).max(BOUNDS.delayMs).describe("Time after which the request is sent, ms"),
    ...kinds,
  }),
]);

/** Rules for the page's requests. */
export const networkSchema = z
  .array(networkRuleSchema)
  .max(BOUNDS.networkRules)
  .refine(
    rules => rules.reduce((sum, rule) => sum + wildcardsOf(rule.url), 0) <= BOUNDS.networkWildcards,
    `must have at most ${BOUNDS.networkWildcards} wildcards in all rules together`,
  )
  .describe(
    `Rules for the page's requests. All rules together can have at most ${BOUNDS.networkWildcards} wildcards`,
  );

export type NetworkRule = z.infer<typeof networkRuleSchema>;
