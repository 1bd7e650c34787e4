import { z } from "zod";
import { canAgree, REGION_OUTCOMES, regionFields, TOO_MANY_AGREE } from "../capture/region.ts";
import type { ListQuery } from "../fields.ts";
import { list, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** The HTTP check of a monitor: status, response time and text of its pages, from one or several regions. */

export const HTTP_BOUNDS = {
  textChars: 200,
  minResponseMs: 50,
  maxResponseMs: 15_000,
  /** Pages that an HTTP check requests. The first ones of the monitor. */
  pages: 20,
} as const;

/** Settings of an HTTP check. */
export const httpSettings = z
  .strictObject({
    maxResponseMs: z
      .int()
      .min(HTTP_BOUNDS.minResponseMs)
      .max(HTTP_BOUNDS.maxResponseMs)
      .nullable()
      .default(null)
      .describe("Longest allowed time to the first byte in ms. Null for no limit"),
    requiredText: z
      .string()
      .min(1)
      .max(HTTP_BOUNDS.textChars)
      .nullable()
      .default(null)
      .describe("Text that each page must contain. Null for none"),
    regions: regionFields.regions.default([]),
    agree: regionFields.agree.default(1),
  })
  .refine(canAgree, { path: ["agree"], message: TOO_MANY_AGREE });

const HTTP_OUTCOMES = ["ok", "failing", "unknown"] as const;

const regionResult = z.object({
  region: z.string().nullable().describe("Null for any renderer node"),
  outcome: z.enum(REGION_OUTCOMES).describe("`no_node`: no renderer node of this region responded"),
  pages: z.array(
    z.object({
      route: z.string(),
      status: z.int().nullable().describe("HTTP status. Null without a response"),
      ms: z.int().nullable().describe("Time to the first byte in ms. Null without a response"),
      problem: z.string().nullable().describe("What is wrong. Null for a page that passes"),
    }),
  ),
});

/** The result of an HTTP check. */
const httpResult = z.object({
  at: time,
  outcome: z
    .enum(HTTP_OUTCOMES)
    .describe("`failing`: enough regions found a problem. `unknown`: too few regions have a node"),
  regions: z.array(regionResult),
});

export const httpResultList = list(httpResult);

/** The last result of an HTTP check, and since when it has its outcome. */
export const httpState = httpResult.extend({ since: time });

export type HttpSettings = z.infer<typeof httpSettings>;
export type HttpOutcome = (typeof HTTP_OUTCOMES)[number];
export type RegionResult = z.infer<typeof regionResult>;
export type HttpResult = z.infer<typeof httpResult>;
export type HttpResultList = z.infer<typeof httpResultList>;

/** A request of one page for an HTTP check. */
export interface ProbeRequest {
  url: string;
  /** Sent to the origin of the URL only. */
  headers: Record<string, string>;
  /** Null to read no body. */
  requiredText: string | null;
}

/** The response to a probe. Workers are not trusted, so this is validated. */
export const probeResult = z.object({
  status: z.int().min(100).max(599).nullable(),
  ms: z.number().min(0).max(120_000).nullable(),
  /** Why there is no response, in words. */
  error: z.string().max(500).nullable(),
  /** Whether the body has the required text. Null if none is required or there is no response. */
  hasText: z.boolean().nullable(),
});
export type ProbeResult = z.infer<typeof probeResult>;

/** Actions on HTTP checks. */
export interface HttpCheckActions {
  /** Requests a page from this renderer node. Null if the node is too busy with lookups of names to say anything. */
  "renderer.probe": Action<ProbeRequest, ProbeResult | null>;
  /** Lists the results of a monitor's HTTP check, newest first. */
  "monitors.httpChecks": Action<{ id: string; query: ListQuery }, HttpResultList>;
}
