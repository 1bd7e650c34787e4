import { createHmac, randomUUID } from "node:crypto";
import type { DatabaseKind } from "../../databases/databases.ts";
import { BitbucketRepository } from "../../fakes/bitbucket/bitbucket-repository.ts";
import { BitbucketServer } from "../../fakes/bitbucket/bitbucket-server.ts";
import { ConnectedTestContext } from "./connected-context.ts";
import { GitLabTestContext } from "./gitlab-context.ts";

export type BitbucketTestContext = ConnectedTestContext<BitbucketServer, BitbucketRepository>;

/** Starts a fake Bitbucket, and what it needs. */
export async function startBitbucket(kind: DatabaseKind): Promise<BitbucketTestContext> {
  const [server, base] = await Promise.all([BitbucketServer.start(), GitLabTestContext.start(kind)]);
  const makeRepository = () => new BitbucketRepository("acme", "shop");
  return new ConnectedTestContext({ host: "bitbucket", server, makeRepository, headersOf }, base);
}

function headersOf(event: string, body: string, secret: string): Record<string, string> {
  const digest = createHmac("sha256", secret).update(body).digest("hex");
  return {
    "X-Event-Key": event,
    "X-Request-UUID": randomUUID(),
    "X-Hub-Signature": `sha256=${digest}`,
  };
}
