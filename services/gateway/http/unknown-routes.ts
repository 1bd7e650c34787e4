import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../../shared/errors.ts";
import { REQUEST_ERRORS } from "../texts/errors.ts";

/** A request with the URL that moleculer-web received. */
interface RoutedRequest extends IncomingMessage {
  originalUrl?: string;
}

/** Returns the methods that a route serves. Node omits the body of a response to HEAD. */
export function methodsOf(method: string): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

export function isUnrouted(error: unknown): boolean {
  return error instanceof Error && error.name === "NotFoundError";
}

/** Returns whether a part of the path is not percent-encoded UTF-8. */
export function isUndecodable(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "UNABLE_DECODE_PARAM";
}

export function pathOf(req: RoutedRequest): string {
  return (req.originalUrl ?? req.url ?? "/").split("?", 1)[0] ?? "/";
}

export function nothingAt(path: string): ServiceError {
  return new ServiceError("not_found", REQUEST_ERRORS.noSuchPath(path));
}

export function servedElsewhere(path: string): ServiceError {
  return new ServiceError("not_found", REQUEST_ERRORS.servedElsewhere(path));
}

/** Returns the error for an unknown path, or for an unknown method of a path. */
export function unrouted(names: ReadonlySet<string>, req: RoutedRequest): ServiceError {
  const path = pathOf(req);
  const allow = [...names]
    .map(name => name.split(" "))
    .filter(([, pattern = ""]) => matches(pattern, path))
    .flatMap(([method = ""]) => methodsOf(method))
    .join(", ");
  if (allow === "") return nothingAt(path);
  return new ServiceError("method_not_allowed", REQUEST_ERRORS.noSuchMethod(path, req.method, allow), {
    allow,
  });
}

function matches(pattern: string, path: string): boolean {
  const parts = path.replace(/\/$/, "").split("/");
  const expected = pattern.split("/");
  return (
    parts.length === expected.length &&
    expected.every((part, index) => part.startsWith(":") || part === parts[index])
  );
}
