import type { ReactNode } from "react";
import { isWebAddress } from "./web-address.ts";

/** Shows a link to another site. Only web addresses become links. Others, such as `javascript:`, stay text. */
export function WebLink({ url, children = url }: { url: string; children?: ReactNode }) {
  if (!isWebAddress(url)) return children;
  return (
    <a href={url} rel="noopener noreferrer" target="_blank">
      {children}
    </a>
  );
}
