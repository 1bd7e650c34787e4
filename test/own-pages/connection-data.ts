import { type ConnectionView, connectionList } from "../../shared/contracts/code-host/connections.ts";

const CONNECTED: ConnectionView = {
  ...{ id: "con_1", host: "gitlab", url: "https://gitlab.com", repository: "acme/web/shop" },
  ...{ project: "acme/web/shop", state: "connected", error: null },
  ...{ tokenExpiresAt: "2027-02-01", rotatesToken: true, hasWebhook: true },
  webhookUrl: "https://vrs.acme.test/codehost/connections/con_1/webhook",
  lastEventAt: "2026-03-02T08:00:00.000Z",
  ...{ createdBy: "ada", createdAt: "2026-02-02T08:00:00.000Z" },
};
const REFUSED: ConnectionView = {
  ...CONNECTED,
  ...{ id: "con_2", repository: "acme/docs", project: "docs", state: "refused", rotatesToken: false },
  error:
    "GitLab rejects the token, because it was revoked, rotated, or has expired. Create an access token there, and set it in this connection.",
};
const SILENT: ConnectionView = {
  ...CONNECTED,
  ...{
    id: "con_3",
    host: "gitea",
    url: "https://git.acme.test",
    repository: "acme/app",
    project: "acme/app",
  },
  ...{ tokenExpiresAt: null, rotatesToken: false, hasWebhook: false, lastEventAt: null },
  webhookUrl: "https://vrs.acme.test/codehost/connections/con_3/webhook",
};

/** The answers of the page about connected repositories. */
export const connectionAnswers: [string, object][] = [
  ["/v1/connections", connectionList.parse({ data: [CONNECTED, REFUSED, SILENT], nextCursor: null })],
];
