import { ERRORS } from "../../shared/errors.ts";

const BEFORE = `# Errors

This page lists every error of the API, and what to do about it.

Errors are \`application/problem+json\` (RFC 9457):

\`\`\`json
{
  "type": "/docs#invalid_request",
  "title": "${ERRORS.invalid_request.title}",
  "status": 422,
  "detail": "\\"viewports[0]\\" must be at least 240.",
  "code": "invalid_request",
  "requestId": "2cef283c-71b7-482c-b694-12b71c02cab4",
  "errors": [{ "path": "viewports[0]", "message": "\\"viewports[0]\\" must be at least 240." }]
}
\`\`\`

| Field | Meaning |
|---|---|
| \`code\` | Stable. Programs decide by it. |
| \`detail\` | For people. Its wording can change in any version. |
| \`errors\` | Each invalid field. \`message\` is a sentence that names the field. |
| \`limit\`, \`used\`, \`resetsAt\` | With \`plan_limit_exceeded\` only. \`resetsAt\` is the start of the next month, for monthly allowances. |
| \`requestId\` | Find it in the service's log if the service failed. Send \`X-Request-Id\` to choose it. |

## Codes
`;

const AFTER = `
Some actions are \`rate_limited\` for everyone, such as sample alerts. \`detail\` says which limit applies.

**Retry** says whether the same request may succeed later. A request that is answered with 4xx changes nothing. If the answer to a submission got lost, send it again with the same \`Idempotency-Key\` to get the first run.

Headers of more than 16 KiB are answered 431 without a body, and the connection is closed.

A page that can't be captured isn't an error of the API. Its screenshot is \`failed\`, and \`error\` says why.
`;

/** Returns the reference of the API's errors: the catalogue, with an anchor for each code. */
export function errorsReference(): string {
  const entries = Object.entries(ERRORS).flatMap(([code, { status, title, remedy, retryable }]) => [
    `### ${code}`,
    "",
    `**${status}** · ${title} · Retry: ${retryable ? "yes" : "no"}`,
    "",
    remedy,
    "",
  ]);
  return `${BEFORE}\n${entries.join("\n")}${AFTER}`;
}
