import { Links } from "../../links/links.ts";
import { type Bus, call } from "../bus.ts";

/**
 * Returns a function that creates signed links. It asks the runs service for the key once, and again after a failure.
 */
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
