import { DATABASE_MESSAGES } from "../texts.ts";

/** Error codes of PostgreSQL clients: https://www.postgresql.org/docs/current/errcodes-appendix.html */

const DEADLOCK = "40P01";

/** The server is starting, stopping, or gone, or it rolled back the transaction in favor of others. */
const UNAVAILABLE_STATES = new Set([
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now: it is starting, recovering, or stopping
  "57P05", // idle_session_timeout
  "25P03", // idle_in_transaction_session_timeout: this node was blocked for that long
  "25006", // read_only_sql_transaction: a standby that is about to take over
  "57014", // query_canceled: the statement's timeout
  "40001", // serialization_failure
  DEADLOCK, // this transaction was rolled back in favor of another
]);
/** connection_exception, insufficient_resources. */
const UNAVAILABLE_CLASSES = new Set(["08", "53"]);

const NETWORK_FAILURES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** The client's own messages about a broken or missing connection. They have no code. */
const CLIENT_FAILURES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end)/;

/**
 * Returns whether a query failed temporarily, mostly because the database is unavailable. The same query may
 * succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === null) return CLIENT_FAILURES.test(error.message);
  return (
    UNAVAILABLE_STATES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || NETWORK_FAILURES.has(code)
  );
}

/** Returns whether a transaction was rolled back because of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === DEADLOCK;
}

/** PgBouncer's messages. It reports all of them as protocol violations, in each of its versions. */
const POOLER_MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/transaction blocks not allowed in statement pooling/, DATABASE_MESSAGES.statementPooling],
  [
    /^(no such database|no such user|password authentication failed|SASL authentication failed)/,
    DATABASE_MESSAGES.unknownAtPooler,
  ],
];

/** Returns whether a pooler rejects this node permanently, though with the code of a broken connection. */
export function isPoolerMistake(error: unknown): boolean {
  return poolerRemedy(error) !== null;
}

function poolerRemedy(error: unknown): string | null {
  if (!(error instanceof Error) || !codeOf(error)?.startsWith("08")) return null;
  return POOLER_MISTAKES.find(([message]) => message.test(error.message))?.[1] ?? null;
}

/**
 * Returns what an operator must do about a database that rejects this node permanently, or null for other
 * errors.
 */
export function rejectionRemedy(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.message === "The server does not support SSL connections") return DATABASE_MESSAGES.noTls;
  return poolerRemedy(error) ?? REMEDIES[codeOf(error) ?? ""] ?? null;
}

const { credentials: CREDENTIALS, certificate: CERTIFICATE } = DATABASE_MESSAGES;
const REMEDIES: Record<string, string> = {
  "28P01": CREDENTIALS,
  "28000": CREDENTIALS,
  "3D000": DATABASE_MESSAGES.noDatabase,
  "42501": DATABASE_MESSAGES.noPermission,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE,
};

function codeOf(error: Error): string | null {
  return "code" in error && typeof error.code === "string" ? error.code : null;
}
