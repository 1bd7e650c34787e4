import { BROWSER_NAMES } from "../texts.ts";

/** Returns how reviewers know a browser of Playwright. @param name such as `firefox` */
export function browserLabel(name: string): string {
  const [, label = name] = Object.entries(BROWSER_NAMES).find(([key]) => key === name) ?? [];
  return label;
}
