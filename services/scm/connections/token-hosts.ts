import type { AddressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { Gitea } from "../code-host/gitea/gitea-host.ts";
import { GitLab } from "../code-host/gitlab/gitlab-host.ts";

/** The kinds of code hosts that teams connect, by the names in the API. */
export interface TokenHosts {
  gitlab: GitLab;
  /** Forgejo too, whose API is the same. */
  gitea: Gitea;
}

export function makeTokenHosts(policy: AddressPolicy): TokenHosts {
  return { gitlab: new GitLab(policy), gitea: new Gitea(policy) };
}
