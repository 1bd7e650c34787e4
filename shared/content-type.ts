import { lookup } from "mrmime";

/** Returns the content type of a file by its name. Texts are UTF-8. */
export function contentTypeOf(path: string): string {
  const type = lookup(path) ?? "application/octet-stream";
  return /^text\/|^application\/(?:json|javascript|manifest\+json)$|\+xml$/.test(type)
    ? `${type}; charset=utf-8`
    : type;
}
