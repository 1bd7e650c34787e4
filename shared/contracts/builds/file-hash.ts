import { z } from "zod";

/** SHA-256 of a file's bytes. */
export const fileHash = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in lowercase hex");
