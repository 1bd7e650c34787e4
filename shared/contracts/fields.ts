import { z } from "zod";

/** Common parts of the bodies, queries, and responses of `/v1`. */

export const time = z.iso
  .datetime()
  .refine(hasStorableYear, "must be after the year 0")
  .describe("ISO 8601, UTC");
export const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, "must not contain control characters");
/** A URL of this service. */
export const link = z.string().describe("Absolute URL");

/** Pixels of a page whose colors differ slightly. */
export const faintPixels = z
  .int()
  .default(0)
  .describe(
    "Pixels whose colors differ by less than the default color threshold. 0 if other pixels changed, or with another color threshold",
  );

/** A region of an image. */
export const region = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });

/** An ignore region, with the changed pixels in it. */
export const ignoredRegion = region.extend({
  pixels: z.int().describe("Changed pixels inside the region"),
  selector: z.string().optional().describe("Selector of its element. Absent for a rectangle"),
  rule: z.string().optional().describe("Id of its ignore rule. Absent if a configuration sets it"),
});

/** An absolute http(s) URL without credentials. */
export const pageUrl = z
  .string()
  .max(2000)
  .refine(
    isPageUrl,
    "must be an absolute http or https URL, such as https://example.com, without a username or password",
  );

/** PostgreSQL has no year 0. */
export function hasStorableYear(date: string): boolean {
  return !date.startsWith("0000");
}

export function isPageUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** Removes duplicates and keeps the order. */
export const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** The requested page of a list. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(400).optional().describe("`nextCursor` of the previous page"),
};

/** Whether a list includes the runs of monitors. */
export const withMonitors = z.enum(["0", "1"]).optional();

/** Query of a list without filters. */
export const listQuery = z.strictObject(pageQuery);

/** A page of a list. */
export const list = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), nextCursor: z.string().nullable() });

export type ListQuery = z.infer<typeof listQuery>;

/** Query parameter of a stream. */
export const teamOfStream = z
  .string()
  .max(64)
  .optional()
  .describe(
    "Id of the team. Use it in place of the `Vrs-Team` header, because an EventSource can't send headers",
  );
