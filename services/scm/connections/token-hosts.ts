import type { AddressPolicy } from "../../../shared/capture/network/address-guard.ts";
import type { ConnectedHost } from "../../../shared/contracts/code-host/connections.ts";
import { BitbucketCloud } from "../code-host/bitbucket/bitbucket-host.ts";
import { Gitea } from "../code-host/gitea/gitea-host.ts";
import { GitLab } from "../code-host/gitlab/gitlab-host.ts";
import type { TokenHost } from "../code-host/token-host.ts";

/** The kinds of code hosts that teams connect, by the names in the API. */
export type TokenHosts = Record<ConnectedHost, TokenHost>;

export function makeTokenHosts(policy: AddressPolicy): TokenHosts {
  return {
    gitlab: new GitLab(policy),
    // Forgejo too, whose API is the same.
    gitea: new Gitea(policy),
    bitbucket: new BitbucketCloud(policy),
  };
}
