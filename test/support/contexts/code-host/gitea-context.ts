import { createHmac, randomUUID } from "node:crypto";
import type { DatabaseKind } from "../../databases/databases.ts";
import { GiteaRepository } from "../../fakes/gitea/gitea-repository.ts";
import { GiteaServer } from "../../fakes/gitea/gitea-server.ts";
import { ConnectedTestContext } from "./connected-context.ts";
import { GitLabTestContext } from "./gitlab-context.ts";

export type GiteaTestContext = ConnectedTestContext<GiteaServer, GiteaRepository>;

/** Starts a fake Gitea, and what it needs. */
export async function startGitea(kind: DatabaseKind): Promise<GiteaTestContext> {
  const [server, base] = await Promise.all([GiteaServer.start(), GitLabTestContext.start(kind)]);
  const makeRepository = () => new GiteaRepository("acme", "shop");
  return new ConnectedTestContext({ host: "gitea", server, makeRepository, headersOf }, base);
}

function headersOf(event: string, body: string, secret: string): Record<string, string> {
  return {
    "X-Gitea-Event": event,
    "X-Gitea-Delivery": randomUUID(),
    "X-Gitea-Signature": createHmac("sha256", secret).update(body).digest("hex"),
  };
}
