import { Links } from "../../links/links.ts";
import { type Bus, call } from "../bus.ts";

/** Signed links, once the runs service has said what signs them: it is asked once, and again while it is not there. */
export function signedLinks(bus: Bus, baseUrl: string): () => Promise<Links> {
  let links: Promise<Links> | null = null;
  return () => {
    links ??= call(bus, "runs.linkKey", {}).then(key => new Links(baseUrl, key));
    links.catch(() => {
      links = null;
    });
    return links;
  };
}
